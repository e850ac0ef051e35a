"""Areas of the product, and the narrow tests that have to catch a fault in them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

PUERTO_RICO: Final = "projections/puerto_rico"
SPICE_ROAD: Final = "projections/spice_road"
OF_PUERTO_RICO: Final = "tests/projections/puerto_rico"


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
            *(f"{PUERTO_RICO}/{name}.py" for name in ("flow", "gains", "scoring", "setup", "placements", "storing")),
            *(f"{PUERTO_RICO}/{name}.py" for name in ("shipping", "lodging", "bargaining", "choices", "ask", "live")),
        ],
        [
            f"{OF_PUERTO_RICO}/rules",
            f"{OF_PUERTO_RICO}/test_long_choices.py",
            f"{OF_PUERTO_RICO}/test_playthroughs.py",
            f"{OF_PUERTO_RICO}/test_rulings.py",
            f"{OF_PUERTO_RICO}/test_perft.py",
            f"{OF_PUERTO_RICO}/test_second_engine.py",
            "tests/projections/test_automatic_moves.py",
            "tests/projections/test_perturbed_moves.py",
        ],
    ),
    "texts": Area(
        [f"{PUERTO_RICO}/{name}.py" for name in ("reading", "notation", "record", "refusals", "restoring", "checks")],
        [
            f"{OF_PUERTO_RICO}/test_refusals.py",
            f"{OF_PUERTO_RICO}/test_hostile_input.py",
            f"{OF_PUERTO_RICO}/rules",
            "tests/projections/test_perturbed_moves.py",
            "tests/projections/test_contract.py",
        ],
    ),
    "spice_road": Area(
        [f"{SPICE_ROAD}/*.py", f"{SPICE_ROAD}/actions/*.py"],
        ["tests/projections/spice_road", "tests/projections/test_perturbed_moves.py"],
    ),
    "tournaments": Area(["projections/tournaments/*.py"], ["tests/projections/tournaments"]),
    "verifier": Area(
        ["projections/checks/*.py", "projections/promises.py", "projections/audit.py", "projections/archives.py"],
        [f"tests/projections/test_{name}.py" for name in ("audit", "audit_of_play", "archives", "promises", "threats")],
    ),
    "log": Area(["events/merkle/*.py", "events/chain.py", "events/canonical.py"], ["tests/events"]),
}
