"""Puts single faults into an area and tells which of them its tests miss.

`python -m tests.mutants rules --number 20 --seed 1` draws faults from a seed, puts one after the other into a copy of
the project, and runs the tests of the area until one fails. Whether a missed fault matters is for a reader to say: some
change nothing that anybody can see.
"""

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from tests.mutants.areas import AREAS, Area
from tests.mutants.faults import Fault, faults
from tests.mutants.harmless import HARMLESS

PROJECT: Final = Path(__file__).parents[2]
COPIED: Final = ("events", "projections", "service", "workers", "deploy", "tests")
PATIENCE: Final = 300  # seconds; a test that goes on for ever has caught the fault
QUIETLY: Final = ("-q", "-x", "-p", "no:cacheprovider", "--no-header", "--tb=no")


class Mutant(NamedTuple):
    """A fault of a module."""

    module: Path
    fault: Fault

    def __str__(self) -> str:
        return f"{self.module}:{self.fault.line}: {self.fault.what}"


def main(arguments: Sequence[str]) -> int:
    """Run a sample; ends with 1 when a fault was missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description="Put faults in, and count the missed.")
    parser.add_argument("area", choices=AREAS)
    parser.add_argument("--number", type=int, default=10, help="faults to put in [10]")
    parser.add_argument("--seed", type=int, default=1, help="which of them [1]")
    parser.add_argument("--only", default="", help="modules whose path contains this")
    asked = parser.parse_args(arguments)
    area = AREAS[asked.area]
    chosen = sample(area, asked.number, asked.seed, asked.only)
    with tempfile.TemporaryDirectory() as folder:
        project = copied(Path(folder))
        if caught(project, area):
            sys.stdout.write("the tests fail without any fault\n")
            return 2
        missed = sum(not told(mutant, tried(project, area, mutant)) for mutant in chosen)
    sys.stdout.write(f"{asked.area}, seed {asked.seed}: {len(chosen) - missed} of {len(chosen)} caught\n")
    return 1 if missed else 0


def sample(area: Area, number: int, seed: int, only: str = "") -> list[Mutant]:
    """So many faults of an area, the same for a seed."""
    found = [mutant for mutant in mutants(area) if only in str(mutant.module)]
    random.Random(seed).shuffle(found)
    fitting = (mutant for mutant in found if mutant.fault.fits((PROJECT / mutant.module).read_bytes()))
    return sorted(islice(fitting, number))


def mutants(area: Area) -> Iterator[Mutant]:
    """Every fault of an area but those known to be harmless."""
    for path in area.files(PROJECT):
        module = path.relative_to(PROJECT)
        for fault in faults(path.read_bytes()):
            if (module.as_posix(), fault.what) not in HARMLESS:
                yield Mutant(module, fault)


def copied(folder: Path) -> Path:
    """A copy of the project, for no fault is ever put into the project itself."""
    for package in COPIED:
        shutil.copytree(PROJECT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    shutil.copy(PROJECT / "pyproject.toml", folder)
    return folder


def tried(project: Path, area: Area, mutant: Mutant) -> bool:
    """Whether the tests catch a fault; it is taken out again."""
    path = project / mutant.module
    source = path.read_bytes()
    rewrite(path, mutant.fault.put_into(source))
    try:
        return caught(project, area)
    finally:
        rewrite(path, source)


def rewrite(path: Path, source: bytes) -> None:
    """Change a module; its bytecode goes, for that may look as old and as long as the module."""
    path.write_bytes(source)
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()


def caught(project: Path, area: Area) -> bool:
    """Whether one of the tests fails, or goes on for ever."""
    command = [sys.executable, "-m", "pytest", *QUIETLY, *area.tests]
    try:
        ran = subprocess.run(command, cwd=project, capture_output=True, check=False, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return True
    return bool(ran.returncode)


def told(mutant: Mutant, was_caught: bool) -> bool:
    """Prints the outcome of a mutant."""
    sys.stdout.write(f"{'caught' if was_caught else 'MISSED'}  {mutant}\n")
    sys.stdout.flush()
    return was_caught


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
