"""Which modules are compiled to C: the rules and the bots, but what runs at most once for a move. Needs only Python."""

from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).resolve().parents[1]
ROOMS: Final = ("projections/rules/puerto_rico", "projections/rules/spice_road", "workers/bots")
SEAMS: Final = ("projections/rules/fact_recorder.py", "projections/rules/dealer.py")
# Called at most once for a move, or small frozen values: these stay Python.
BEST: Final = "3"  # level of the C compiler
OPTIONS: Final = ("--config-file=", "--strict", "--explicit-package-bases")
INTERPRETED: Final = frozenset((
    "text", "document", "document_reader", "facts", "invariants", "moves", "restore", "rulings", "stored_facts", "view",
    "__init__", "experts", "levels", "match", "bot", "sample_hidden", "weights",
))  # fmt: skip


def modules(project: Path = PROJECT) -> list[str]:
    """Returns the modules to compile, as paths inside the project."""
    rules = [path.relative_to(project) for room in ROOMS for path in sorted((project / room).rglob("*.py"))]
    return [*SEAMS, *(path.as_posix() for path in rules if INTERPRETED.isdisjoint(path.with_suffix("").parts))]
