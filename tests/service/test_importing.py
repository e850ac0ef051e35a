"""What a web process imports when it starts: no library that few requests use, and no garbage collection meanwhile."""

import json
import subprocess
import sys
from typing import Any, Final

import pytest

from tests.support.running_program import PROJECT

PROGRAM: Final = """
import gc, json, sys
rounds = lambda: [generation["collections"] for generation in gc.get_stats()]
before = rounds()
import service.app
during = [after - earlier for after, earlier in zip(rounds(), before)]
found = {"modules": sorted(sys.modules), "during": during, "collects": gc.isenabled(), "kept": gc.get_freeze_count()}
print(json.dumps(found))
"""
ON_USE: Final = {
    "apispec",
    "httpx",
    "obstore",
    "openskill",
    "pairing",
    "pettingzoo",
    "pytest",
    "segno",
    "workers",
    "deploy",
}
MOST_MODULES: Final = 1_900  # each takes a third of a millisecond; think twice before you raise it


@pytest.fixture(scope="module")
def imported() -> dict[str, Any]:
    """What a process reports that has imported the web application."""
    ran = subprocess.run([sys.executable, "-c", PROGRAM], cwd=PROJECT, capture_output=True, text=True, check=True)
    return dict(json.loads(ran.stdout))


def test_the_web_application_imports_no_library_that_few_requests_use(imported: dict[str, Any]) -> None:
    packages = {name.partition(".")[0] for name in imported["modules"]}
    assert packages & ON_USE == set()
    assert len(imported["modules"]) <= MOST_MODULES


def test_garbage_is_collected_after_the_imports_but_not_among_them(imported: dict[str, Any]) -> None:
    assert imported["collects"]
    assert imported["during"][2] <= 1  # of everything; before ours, by the libraries that are imported first
    assert imported["kept"] > 100_000
