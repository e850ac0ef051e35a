"""From nothing to a finished game with the Python client: wheel, empty environment, the README's bot; prints times."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

from deploy.bootstrap import CLIENT
from tests.support.readme_blocks import programs
from tests.support.running_program import PROJECT, up

MEGA = 1_000_000
PATIENCE = 300.0


def run(*command: object, cwd: Path, **environ: str) -> tuple[str, float]:
    """Runs a command. Returns what it printed, and its seconds."""
    began = monotonic()
    environment = {"PATH": os.environ["PATH"], "HOME": str(cwd), **pip_settings(), **environ}
    done = subprocess.run(
        [*map(str, command)], cwd=cwd, env=environment, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout, monotonic() - began


def tell(line: str) -> None:
    """Prints a figure."""
    sys.stdout.write(f"\n{line}")


def pip_settings() -> dict[str, str]:
    """Returns the settings of pip of this machine, such as its package index."""
    return {name: value for name, value in os.environ.items() if name.startswith("PIP_")}


def size_of(folder: Path) -> float:
    """Returns the megabytes of a folder's files."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink()) / MEGA


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an empty environment with the client's wheel."""
    place = tmp_path_factory.mktemp("client")
    sources = shutil.copytree(PROJECT / CLIENT, place / "sources", ignore=shutil.ignore_patterns("build", "*.egg-info"))
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", place, sources, cwd=place)
    (wheel,) = place.glob("*.whl")
    run(sys.executable, "-m", "venv", place / "empty", cwd=place)
    (packages,) = (place / "empty").glob("lib/python*/site-packages")
    before = size_of(packages)
    _, seconds = run(place / "empty/bin/python", "-m", "pip", "install", "-q", wheel, cwd=place)
    tell(f"wheel {wheel.stat().st_size / MEGA:.2f} MB; installed with httpx in {seconds:.1f} s (wanted: 5)")
    tell(f"the environment grew by {size_of(packages) - before:.1f} MB (wanted: 10)")
    return place / "empty/bin/python"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running service."""
    with up(tmp_path_factory.mktemp("service")) as running:
        yield running.ready()


def test_the_bot_of_the_readme_finishes_its_first_game(python: Path, url: str, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(programs(url)[0])
    said, seconds = run(python, "bot.py", cwd=tmp_path)
    assert "places=" in said
    tell(f"the README's bot finished its first game in {seconds:.1f} s (wanted: 120, with the reading)")


def test_the_command_line_finishes_its_first_game(python: Path, url: str, tmp_path: Path) -> None:
    command, service = (python, "-m", "cabildo_client"), ("--url", url, "--token-file", "token")
    run(*command, "register", *service, "--name", "Newcomer 2", "--engine", "random 1", cwd=tmp_path)
    assert (tmp_path / "token").stat().st_mode & 0o777 == 0o600
    said, seconds = run(*command, "play", *service, "--engine", "random", "--new", "spice_road", cwd=tmp_path)
    assert "places=" in said
    tell(f"the command line finished its first game in {seconds:.1f} s")
