"""The TypeScript client against a live service; run by `deploy/test` where Node is there, once the client is built."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from time import monotonic

import httpx
import pytest

from deploy.script_checks import CLIENT
from tests.support.documented_blocks import blocks, is_shell
from tests.support.documented_scene import ADDRESS
from tests.support.running_program import PATIENCE, up


@pytest.fixture(scope="module")
def url(module_directory: Path) -> Iterator[str]:
    """The address of a whole service: web, worker and keeper."""
    with up(module_directory / "for-scripts") as running:
        yield running.ready()


@pytest.mark.parametrize("tests", ["play", "sign_in"])
def test_a_program_uses_the_service(url: str, tests: str) -> None:
    command = ("node", "--test", "--test-reporter=dot", f"build/tests/service/{tests}.test.js")
    subprocess.run(command, cwd=CLIENT, env={**os.environ, "CABILDO_URL": url}, check=True, timeout=3 * PATIENCE)


def test_the_program_of_the_quickstart_plays_a_whole_game(url: str, tmp_path: Path) -> None:
    page = httpx.get(f"{url}/docs/quickstart").text
    (program,) = re.findall(r'data-language="ts"><code>(.*?)</code>', page, re.DOTALL)
    (tmp_path / "first_game.mjs").write_text(unescape(program))
    (tmp_path / "node_modules" / "@cabildo").mkdir(parents=True)
    (tmp_path / "node_modules" / "@cabildo" / "client").symlink_to(CLIENT)
    began = monotonic()
    done = subprocess.run(
        ("node", "first_game.mjs"), cwd=tmp_path, capture_output=True, text=True, timeout=3 * PATIENCE
    )
    assert done.returncode == 0, done.stderr
    assert '"cause":"rules"' in done.stdout
    sys.stdout.write(f"\nthe program of the quickstart finished its first game in {monotonic() - began:.1f} s")


def test_the_programs_of_the_readme_run(url: str, tmp_path: Path) -> None:
    game, requests, stream, *sign_in = [block.text for block in blocks(CLIENT / "README.md") if not is_shell(block)]
    assert len(sign_in) == 2  # `sign_in.test.ts` does what they show, with a player who answers
    caught = f"try {{{requests}}} catch (refused) {{ if (!(refused instanceof Refused)) throw refused; }}"  # it is over
    program = "\n".join(('import { Refused } from "@cabildo/client";', game.replace(ADDRESS, url), caught, stream))
    (tmp_path / "readme.mjs").write_text(program)
    (tmp_path / "node_modules" / "@cabildo").mkdir(parents=True)
    (tmp_path / "node_modules" / "@cabildo" / "client").symlink_to(CLIENT)
    done = subprocess.run(("node", "readme.mjs"), cwd=tmp_path, capture_output=True, text=True, timeout=3 * PATIENCE)
    assert done.returncode == 0, done.stderr
    assert "cause: 'rules'" in done.stdout
    assert "game_ended" in done.stdout
