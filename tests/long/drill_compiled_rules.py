"""All tests of the rules and of the bots pass on rules compiled to C."""

import subprocess
import sys
from pathlib import Path

from tests.support.running_program import PROJECT


def test_compiled_rules_pass_all_their_tests(tmp_path: Path) -> None:
    command = (sys.executable, "-m", "deploy.cli", "compile", "--quick", "--into", str(tmp_path / "copy"), "--test-all")
    assert subprocess.run(command, cwd=PROJECT, check=False).returncode == 0
