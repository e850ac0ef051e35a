"""The TypeScript client against a live service; run by `deploy/test` where Node is there, once the client is built."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.script_checks import CLIENT
from tests.support.running_program import PATIENCE, up


@pytest.fixture(scope="module")
def url(server_directory: Path) -> Iterator[str]:
    """The address of a whole service: web, worker and keeper."""
    with up(server_directory / "for-scripts") as running:
        yield running.ready()


def test_a_program_plays_both_games_to_their_end(url: str) -> None:
    command = ("node", "--test", "--test-reporter=dot", "build/tests/service/play.test.js")
    subprocess.run(command, cwd=CLIENT, env={**os.environ, "CABILDO_URL": url}, check=True, timeout=3 * PATIENCE)
