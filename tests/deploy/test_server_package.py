"""The wheel of the server: it carries the client, and asks an index for nothing but libraries that we pin."""

import ast
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

from deploy.bootstrap import CLIENT
from tests.support.running_program import PROJECT

OURS = re.compile(r"cabildo.?(client|server)\b", re.IGNORECASE)
BUILD = ("-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir")
LAYERS = ("events", "projections", "service", "workers", "deploy")
MADE = shutil.ignore_patterns("build", "*.egg-info", "node_modules", "__pycache__", "dist", "*.so")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built of a copy of what it is made of."""
    place = tmp_path_factory.mktemp("server")
    for folder in LAYERS:
        shutil.copytree(PROJECT / folder, place / "sources" / folder, ignore=MADE)
    for file in ("pyproject.toml", "README.md"):
        shutil.copy(PROJECT / file, place / "sources")
    built = subprocess.run(
        [sys.executable, *BUILD, place, place / "sources"], capture_output=True, text=True, cwd=place
    )
    assert built.returncode == 0, built.stderr
    (found,) = place.glob("*.whl")
    return found


def metadata(wheel: Path) -> Message:
    """The metadata of a wheel."""
    with zipfile.ZipFile(wheel) as opened:
        (name,) = (name for name in opened.namelist() if name.endswith(".dist-info/METADATA"))
        return Parser().parsestr(opened.read(name).decode())


def imported(source: str) -> Iterator[str]:
    """The packages of ours that a module imports."""
    for node in ast.walk(ast.parse(source)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []
        yield from (name for name in names if name.partition(".")[0] in (*LAYERS, "cabildo_client"))


def test_the_wheel_carries_the_client_as_its_own_distribution_does(wheel: Path) -> None:
    sources = PROJECT / CLIENT
    expected = {path.relative_to(sources).as_posix() for path in (sources / "cabildo_client").rglob("*.*")}
    with zipfile.ZipFile(wheel) as opened:
        carried = {name for name in opened.namelist() if name.startswith("cabildo_client/")}
    assert carried == {name for name in expected if "__pycache__" not in name}
    assert "cabildo_client/testing/spice_road.json" in carried


def test_every_module_of_ours_that_the_wheel_imports_is_in_it(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        names = {*opened.namelist()}
        sources = [opened.read(name).decode() for name in names if name.endswith(".py")]
    modules = {name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in names}
    packages = {module.rpartition(".")[0] for module in modules}
    asked = {module for source in sources for module in imported(source)}
    assert {"cabildo_client", "cabildo_client.login.kept_tokens"} <= asked
    assert asked - modules - packages == set()


def test_the_wheel_requires_no_distribution_of_ours_by_name(wheel: Path) -> None:
    required = metadata(wheel).get_all("Requires-Dist", [])
    assert any(each.startswith("httpx") for each in required)
    assert [each for each in required if OURS.match(each)] == []


def test_tests_get_what_the_other_extras_install(wheel: Path) -> None:
    required = metadata(wheel).get_all("Requires-Dist", [])
    of_extra = {
        extra: {re.split(r"[<>=;\[ ]", each)[0] for each in required if f'extra == "{extra}"' in each}
        for extra in ("rl", "compile", "test")
    }
    assert of_extra["rl"] | of_extra["compile"] < of_extra["test"]
