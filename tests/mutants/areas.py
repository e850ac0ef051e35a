"""Areas of the product, and the narrow tests that have to catch a fault in them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

PUERTO_RICO: Final = "projections/rules/puerto_rico"
SPICE_ROAD: Final = "projections/rules/spice_road"
OF_PUERTO_RICO: Final = "tests/projections/rules/puerto_rico"


class Area(NamedTuple):
    """Where faults are put, and the tests that are run, the quickest first."""

    modules: Sequence[str]  # patterns below the project
    tests: Sequence[str]

    def files(self, project: Path) -> list[Path]:
        """Its modules, in order."""
        return sorted(
            {path for pattern in self.modules for path in project.glob(pattern) if path.name != "__init__.py"}
        )


AREAS: Final[Mapping[str, Area]] = {
    "rules": Area(
        [
            *(f"{PUERTO_RICO}/{room}/*.py" for room in ("phases", "buildings", "changes")),
            *(f"{PUERTO_RICO}/{name}.py" for name in ("scoring", "setup")),
            *(f"{PUERTO_RICO}/{room}/*.py" for room in ("engine", "long_choices")),
        ],
        [
            f"{OF_PUERTO_RICO}/rulebook",
            f"{OF_PUERTO_RICO}/test_long_choices.py",
            f"{OF_PUERTO_RICO}/test_playthroughs.py",
            f"{OF_PUERTO_RICO}/test_rulings.py",
            f"{OF_PUERTO_RICO}/test_perft.py",
            f"{OF_PUERTO_RICO}/test_second_engine.py",
            "tests/projections/rules/test_automatic_moves.py",
            "tests/projections/rules/test_perturbed_moves.py",
        ],
    ),
    "texts": Area(
        [
            *(f"{PUERTO_RICO}/text/{name}.py" for name in ("move_parser", "notation", "refusals")),
            *(f"{PUERTO_RICO}/state/{name}.py" for name in ("stored_facts", "restore", "invariants")),
        ],
        [
            f"{OF_PUERTO_RICO}/test_refusals.py",
            f"{OF_PUERTO_RICO}/test_hostile_input.py",
            f"{OF_PUERTO_RICO}/rulebook",
            "tests/projections/rules/test_perturbed_moves.py",
            "tests/projections/rules/test_contract.py",
        ],
    ),
    "spice_road": Area(
        [f"{SPICE_ROAD}/*.py", f"{SPICE_ROAD}/actions/*.py", f"{SPICE_ROAD}/state/*.py", f"{SPICE_ROAD}/text/*.py"],
        ["tests/projections/rules/spice_road", "tests/projections/rules/test_perturbed_moves.py"],
    ),
    "tournaments": Area(["projections/tournaments/**/*.py"], ["tests/projections/tournaments"]),
    "verifier": Area(
        [
            "projections/verify/checks/*.py",
            "projections/games/commitments.py",
            "projections/verify/bundle.py",
            "projections/verify/archive.py",
        ],
        ["tests/projections/verify", "tests/projections/games/test_commitments.py"],
    ),
    "log": Area(["events/merkle/*.py", "events/chain.py", "events/canonical.py"], ["tests/events"]),
}
