"""The programs of the quickstart, taken from the page of a running service, play their first game to its end."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import httpx
import pytest

from tests.support.running_program import PATIENCE, up

PROGRAMS = {"bash": ("bash",), "python": (sys.executable, "-P")}  # `deploy/test` runs that in TypeScript, with Node


@pytest.fixture(scope="module")
def url(module_directory: Path) -> Iterator[str]:
    """The address of a whole service: web, worker and keeper."""
    with up(module_directory / "quickstart") as running:
        yield running.ready()


def program(url: str, language: str) -> str:
    """Returns the program in a language, as the page shows it."""
    page = httpx.get(f"{url}/docs/quickstart", timeout=PATIENCE).text
    (found,) = re.findall(rf'data-language="{language}"><code>(.*?)</code>', page, re.DOTALL)
    return unescape(found)


@pytest.mark.parametrize("language", PROGRAMS)
def test_the_program_on_the_page_plays_a_whole_game(url: str, tmp_path: Path, language: str) -> None:
    file = tmp_path / "first_game"
    file.write_text(program(url, language))
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    done = subprocess.run(
        [*PROGRAMS[language], file], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=2 * PATIENCE
    )
    assert done.returncode == 0, done.stderr
    game = re.search(rf"Look at it: {url}/games/(\S+)", done.stdout)
    assert game is not None, done.stdout
    summary = httpx.get(f"{url}/v1/games/{game[1]}", timeout=PATIENCE).json()
    assert (summary["status"], summary["result"]["cause"]) == ("finished", "rules")
    assert "places" in done.stdout
    if language == "bash":
        assert (tmp_path / "auth").stat().st_mode & 0o777 == 0o600


def test_the_page_names_the_address_of_its_service(url: str) -> None:
    assert f"HOST={url}\n" in program(url, "bash")
    assert f'const host = "{url}";' in program(url, "ts")
