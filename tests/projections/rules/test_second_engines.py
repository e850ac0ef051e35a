"""The second engines of both games, and what scores beside them, share no code with the product."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

FOLDER: Final = Path(__file__).parents[2] / "support"
PRODUCT: Final = frozenset(("events", "projections", "service", "workers", "deploy", "cabildo_client"))
INDEPENDENT: Final = (
    *FOLDER.glob("puerto_rico/second_engine/*.py"),
    FOLDER / "puerto_rico" / "reference_scorer.py",
    FOLDER / "spice_road" / "second_engine.py",
    FOLDER / "projections" / "perturbed_moves.py",
)


@pytest.mark.parametrize("module", INDEPENDENT, ids=lambda module: "/".join(module.parts[-3:]))
def test_a_second_engine_imports_no_product_code(module: Path) -> None:
    assert not {name for name in imported(module) if name.split(".")[0] in PRODUCT}


def imported(module: Path) -> Iterator[str]:
    """The names of all imported modules."""
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield str(node.module)
