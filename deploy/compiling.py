"""Compiles the rules with mypyc: a copy of the project in which the modules that a search calls most are C."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from deploy.errors import CannotCompile
from deploy.local.data_folder import PROJECT

TARGET: Final = PROJECT / ".build" / "compiled"
COPIED: Final = ("events", "projections", "service", "workers", "deploy", "tests")
ROOMS: Final = ("projections/rules/puerto_rico", "projections/rules/spice_road", "workers/bots")
SEAMS: Final = ("projections/rules/fact_recorder.py", "projections/rules/dealer.py")
BEST: Final = "3"  # levels of the C compiler
QUICK: Final = "1"
# Called at most once for a move, or small frozen values: these stay Python.
INTERPRETED: Final = frozenset((
    "text", "document", "document_reader", "facts", "invariants", "moves", "restore", "rulings", "stored_facts", "view",
    "__init__", "experts", "levels", "match", "bot", "sample_hidden", "weights",
))  # fmt: skip


def modules(project: Path = PROJECT) -> list[str]:
    """Returns the modules to compile, as paths inside the project."""
    rules = [path.relative_to(project) for room in ROOMS for path in sorted((project / room).rglob("*.py"))]
    return [*SEAMS, *(path.as_posix() for path in rules if INTERPRETED.isdisjoint(path.with_suffix("").parts))]


def compile_rules(target: Path = TARGET, chosen: Sequence[str] = (), *, quick: bool = False) -> list[str]:
    """Copies the project and compiles the chosen modules, or all of `modules()`. Raises CannotCompile.

    With `quick` the C compiler takes half the time, and the compiled rules are a little slower.
    """
    compiled = list(chosen) or modules()
    if shutil.which("cc") is None and shutil.which("gcc") is None:
        raise CannotCompile("there is no C compiler (cc or gcc) on the path")
    shutil.rmtree(target, ignore_errors=True)
    for package in COPIED:
        shutil.copytree(PROJECT / package, target / package, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    command = [sys.executable, "-m", "deploy.mypyc_build", QUICK if quick else BEST, *compiled]
    built = subprocess.run(command, cwd=target, capture_output=True, text=True, check=False)
    if built.returncode:
        raise CannotCompile((built.stderr or built.stdout).strip()[-2000:])
    shutil.copy(PROJECT / "pyproject.toml", target)  # afterwards, since setuptools would read it
    return compiled
