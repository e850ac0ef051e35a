"""The wheel of the Python client: its contents, its metadata, and a program that has nothing else of this project."""

import ast
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from configparser import ConfigParser
from email.parser import Parser
from pathlib import Path

import pytest

from deploy.bootstrap import CLIENT
from tests.support.running_program import PROJECT

OWN = {"cabildo_client", "httpx", *sys.stdlib_module_names}
EXTRAS = {
    "cryptography": "verify",
    "mcp": "mcp",
    "keyring": "keyring",
}  # library -> the extra whose modules may import it
EXTRA_MODULES = ("verify_standalone.py", "secrets.py", "mcp_server/", "login/kept_tokens.py")
MOST_BYTES = 1_000_000
PROGRAM = """
import sys
from cabildo_client import BotRunner, FirstMove
from cabildo_client.testing import FakeServer
with FakeServer().client() as client:
    client.register("tester")
    print(BotRunner(client, FirstMove()).play(client.create("spice_road", ["me", "bot:greedy"]).id).places)
print([name for name in ("structlog", "flask", "events", "service", "cryptography") if name in sys.modules])
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built of a copy of nothing but the client's folder."""
    place = tmp_path_factory.mktemp("wheel")
    sources = shutil.copytree(PROJECT / CLIENT, place / "sources", ignore=shutil.ignore_patterns("build", "*.egg-info"))
    command = ("-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir")
    built = subprocess.run([sys.executable, *command, place, sources], capture_output=True, text=True, cwd=place)
    assert built.returncode == 0, built.stderr
    (found,) = place.glob("*.whl")
    return found


def test_the_wheel_has_the_package_its_types_and_its_licence(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        names = {name for name in opened.namelist() if ".dist-info/" not in name}
        described = next(name for name in opened.namelist() if name.endswith("/METADATA"))
        metadata = Parser().parsestr(opened.read(described).decode())
        licences = [name for name in opened.namelist() if "/licenses/" in name]
    sources = PROJECT / CLIENT / "cabildo_client"
    expected = {path.relative_to(sources.parent).as_posix() for path in sources.rglob("*") if path.is_file()}
    assert names == {name for name in expected if "__pycache__" not in name}
    assert "cabildo_client/py.typed" in names
    assert len(licences) == 1
    assert (metadata["Name"], wheel.name.split("-")[1]) == ("cabildo-client", metadata["Version"])
    required = [each for each in metadata.get_all("Requires-Dist", []) if "extra ==" not in each]
    assert [re.match(r"\w+", each)[0] for each in required] == ["httpx"]  # type: ignore[index]
    assert {*metadata.get_all("Provides-Extra", [])} == {"verify", "mcp", "keyring"}
    asked_of_an_index = " ".join(metadata.get_all("Requires-Dist", []))
    assert "cryptography" in asked_of_an_index
    assert "cabildo" not in asked_of_an_index
    assert "FakeServer" in metadata.get_payload()
    assert wheel.stat().st_size < MOST_BYTES


def test_a_program_runs_with_the_wheel_and_httpx_alone(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        opened.extractall(tmp_path / "installed")
    (tmp_path / "program.py").write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "-P", tmp_path / "program.py"],
        env={"PYTHONPATH": str(tmp_path / "installed")},
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    places, foreign = done.stdout.splitlines()
    assert (sorted(ast.literal_eval(places)), foreign) == ([1, 2], "[]")


def test_the_command_runs_with_the_wheel_and_httpx_alone(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        opened.extractall(tmp_path / "installed")
    (declared,) = (tmp_path / "installed").glob("*.dist-info/entry_points.txt")
    scripts = ConfigParser()
    scripts.read_string(declared.read_text())
    module, _, function = scripts["console_scripts"]["cabildo-client"].partition(":")
    program = tmp_path / "cabildo-client"
    program.write_text(f"import sys\nfrom {module} import {function}\nsys.exit({function}())\n")
    done = subprocess.run(
        [sys.executable, "-P", program, "whoami", "--url", "http://127.0.0.1:9"],
        env={"PYTHONPATH": str(tmp_path / "installed"), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("no token: log in")


def imports() -> Iterator[tuple[str, str]]:
    """The libraries that the modules of the client import, with the module."""
    sources = PROJECT / CLIENT / "cabildo_client"
    for module in sources.rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text())):
            if isinstance(node, ast.Import):
                yield from ((alias.name.split(".")[0], module.relative_to(sources).as_posix()) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                yield node.module.split(".")[0], module.relative_to(sources).as_posix()


def test_the_client_imports_httpx_and_nothing_else() -> None:
    strange = {(library, module) for library, module in imports() if library not in OWN}
    assert {library for library, _ in strange} <= EXTRAS.keys()
    assert [module for _, module in strange if not module.startswith(EXTRA_MODULES)] == []
