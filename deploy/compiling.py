"""Compiles the rules with mypyc: a copy of the project in which the modules that a search calls most are C."""

import fcntl
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from deploy.compiled_modules import BEST, PROJECT, modules
from deploy.errors import CannotCompile
from projections.rules.compiled import SUFFIX, folder_name

BUILDS: Final = PROJECT / ".build"
TARGET: Final = BUILDS / "compiled"
COPIED: Final = ("events", "projections", "service", "workers", "deploy", "tests")
QUICK: Final = "1"  # level of the C compiler
KEPT: Final = 2  # builds of other sources, which processes that run may still load modules from


def compile_rules(target: Path = TARGET, chosen: Sequence[str] = (), *, quick: bool = False) -> list[str]:
    """Copies the project and compiles the chosen modules, or all of `modules()`. Raises CannotCompile.

    With `quick` the C compiler takes half the time, and the compiled rules are a little slower.
    """
    compiled = list(chosen) or modules()
    if missing := missing_tool():
        raise CannotCompile(missing)
    shutil.rmtree(target, ignore_errors=True)
    for package in COPIED:
        shutil.copytree(PROJECT / package, target / package, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    command = [sys.executable, "-m", "deploy.mypyc_build", QUICK if quick else BEST, *compiled]
    built = subprocess.run(command, cwd=target, capture_output=True, text=True, check=False)
    if built.returncode:
        raise CannotCompile((built.stderr or built.stdout).strip()[-2000:])
    shutil.copy(PROJECT / "pyproject.toml", target)  # afterwards, since setuptools would read it
    return compiled


def missing_tool() -> str:
    """Returns what is missing here to compile anything; empty when nothing is."""
    if shutil.which("cc") is None and shutil.which("gcc") is None:
        return "there is no C compiler (cc or gcc) on the path"
    if find_spec("mypyc") is None or find_spec("setuptools") is None:
        return "mypy and setuptools are not installed: they come with the extra `compile`"
    return ""


def present(builds: Path = BUILDS) -> Path | None:
    """Returns the folder of compiled modules that fit the sources as they are now; None when there is none."""
    folder = builds / folder_name()
    return folder if folder.is_dir() else None


def build(builds: Path = BUILDS, chosen: Sequence[str] = ()) -> Path:
    """Compiles the rules for the processes of the service, unless that is done. Returns the folder.

    Several builders wait for one another. The folder appears whole, by a rename. Raises CannotCompile.
    """
    builds.mkdir(exist_ok=True)
    with (builds / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        folder = builds / folder_name()
        if not folder.is_dir():
            with TemporaryDirectory(dir=builds, prefix="new-") as fresh:
                compile_rules(Path(fresh, "copy"), chosen)
                _take_modules(Path(fresh, "copy"), Path(fresh, "modules"))
                if folder.name != folder_name():
                    raise CannotCompile("the sources changed meanwhile")
                Path(fresh, "modules").rename(folder)
            _forget_older(builds, folder)
    return folder


def _take_modules(copy: Path, folder: Path) -> None:
    """Moves the compiled modules of a copy into a folder, at the same places."""
    found = [place for place in copy.rglob(f"*{SUFFIX}") if copy / "build" not in place.parents]
    for place in found:
        target = folder / place.relative_to(copy)
        target.parent.mkdir(parents=True, exist_ok=True)
        place.rename(target)


def _forget_older(builds: Path, newest: Path) -> None:
    others = [folder for folder in builds.glob("rules-*") if folder != newest and folder.is_dir()]
    for old in sorted(others, key=lambda folder: folder.stat().st_mtime, reverse=True)[KEPT:]:
        shutil.rmtree(old, ignore_errors=True)
