"""From nothing to a finished game in curl, Python and TypeScript: empty environments; prints times."""

import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from time import monotonic

import httpx
import pytest

from deploy.bootstrap import CLIENT
from deploy.script_checks import CLIENT as TYPESCRIPT
from tests.support.readme_blocks import programs
from tests.support.running_program import PROJECT, up

MEGA = 1_000_000
PATIENCE = 300.0
MOST_SECONDS = 5.0  # of a processor, to install the client with what it needs
MOST_MEGABYTES = 10.0  # of the client with what it needs, compiled modules included
LARGEST_TARBALL = 1.0  # MB
SETTINGS = ("pip_", "npm_config_", "node_extra_ca_certs", "ssl_cert", "http_proxy", "https_proxy")


def run(*command: object, cwd: Path, **environ: str) -> tuple[str, float]:
    """Runs a command. Returns what it printed, and its seconds."""
    began = monotonic()
    environment = {"PATH": os.environ["PATH"], "HOME": str(cwd), **settings_of_indexes(), **environ}
    done = subprocess.run(
        [*map(str, command)], cwd=cwd, env=environment, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout, monotonic() - began


def processor_seconds() -> float:
    """Returns the seconds that processors have worked for ended commands: other work on the machine adds nothing."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def tell(line: str) -> None:
    """Prints a figure."""
    sys.stdout.write(f"\n{line}")


def settings_of_indexes() -> dict[str, str]:
    """Returns the settings of pip and npm of this machine, such as their package indexes."""
    return {name: value for name, value in os.environ.items() if name.lower().startswith(SETTINGS)}


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
    tell(f"wheel {wheel.stat().st_size / MEGA:.2f} MB")
    for cache in ("empty", "full"):
        environment = place / f"environment-{cache}"
        run(sys.executable, "-m", "venv", environment, cwd=place)
        (packages,) = environment.glob("lib/python*/site-packages")
        before, options = size_of(packages), ("-q", "--cache-dir", place / "cache")
        worked = processor_seconds()
        _, seconds = run(environment / "bin/python", "-m", "pip", "install", *options, wheel, cwd=place)
        worked, grown = processor_seconds() - worked, size_of(packages) - before
        tell(f"cache {cache}: installed with httpx in {seconds:.1f} s, {worked:.1f} s of a processor; {grown:.1f} MB")
        assert worked < MOST_SECONDS
        assert grown < MOST_MEGABYTES
    return environment / "bin/python"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running service."""
    with up(tmp_path_factory.mktemp("service")) as running:
        yield running.ready()


def test_the_bot_of_the_readme_finishes_its_first_game(python: Path, url: str, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(programs(url)[0])
    said, seconds = run(python, "bot.py", cwd=tmp_path)
    assert "places=" in said
    tell(f"the README's bot finished its first game in {seconds:.1f} s")


def test_the_command_line_finishes_its_first_game(python: Path, url: str, tmp_path: Path) -> None:
    command, service = (python, "-m", "cabildo_client"), ("--url", url, "--token-file", "token")
    run(*command, "register", *service, "--name", "Newcomer 2", "--engine", "random 1", cwd=tmp_path)
    assert (tmp_path / "token").stat().st_mode & 0o777 == 0o600
    said, seconds = run(*command, "play", *service, "--engine", "random", "--new", "spice_road", cwd=tmp_path)
    assert "places=" in said
    tell(f"the command line finished its first game in {seconds:.1f} s")


def quickstart(url: str, language: str) -> str:
    """Returns the program in a language, as the page of the quickstart shows it."""
    page = httpx.get(f"{url}/docs/quickstart", timeout=PATIENCE).text
    (found,) = re.findall(rf'data-language="{language}"><code>(.*?)</code>', page, re.DOTALL)
    return unescape(found)


@pytest.fixture(scope="module")
def project(url: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty npm project with the tarball of the TypeScript client, built as the quickstart says."""
    place = tmp_path_factory.mktemp("typescript")
    made = shutil.ignore_patterns("node_modules", "build", "dist", "*.tgz")
    sources = shutil.copytree(TYPESCRIPT, place / "sources", ignore=made)
    (sources / "build").mkdir()
    (sources / "build/openapi.json").write_bytes(httpx.get(f"{url}/openapi.json", timeout=PATIENCE).content)
    steps = (("ci", "--no-audit", "--no-fund"), ("run", "schema"), ("run", "build"), ("pack",))
    building = sum(run("npm", *step, cwd=sources)[1] for step in steps)
    (tarball,) = sources.glob("*.tgz")
    (place / "project").mkdir()
    (place / "project/package.json").write_text('{"private": true}')
    _, seconds = run("npm", "install", "--no-audit", "--no-fund", tarball, cwd=place / "project")
    size = tarball.stat().st_size / MEGA
    assert size < LARGEST_TARBALL
    tell(f"tarball {size:.2f} MB, built in {building:.1f} s with its tools; installed in {seconds:.1f} s")
    return place / "project"


def test_the_quickstart_in_curl_finishes_its_first_game(url: str, tmp_path: Path) -> None:
    (tmp_path / "first_game.sh").write_text(quickstart(url, "bash"))
    finish("curl", ("bash", "first_game.sh"), tmp_path)


def test_the_quickstart_in_python_finishes_its_first_game(python: Path, url: str, tmp_path: Path) -> None:
    (tmp_path / "first_game.py").write_text(quickstart(url, "python"))
    finish("Python", (python, "first_game.py"), tmp_path)


def test_the_quickstart_in_typescript_finishes_its_first_game(project: Path, url: str) -> None:
    (project / "first_game.mjs").write_text(quickstart(url, "ts"))
    finish("TypeScript", ("node", "first_game.mjs"), project)


def finish(language: str, command: tuple[object, ...], folder: Path) -> None:
    """Runs a program of the quickstart to the end of its game, and prints its seconds."""
    said, seconds = run(*command, cwd=folder)
    assert "places" in said
    tell(f"the quickstart in {language} finished its first game in {seconds:.1f} s")
