"""A program that has a second version of the rules, as long as a test lasts."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

import pytest

from projections.games import GAMES, VERSIONS
from projections.puerto_rico import rulings as of_puerto_rico
from projections.puerto_rico.game import PuertoRico
from projections.rules_data import rules_data
from projections.spice_road import document
from projections.spice_road import rulings as of_spice_road
from projections.spice_road.game import SpiceRoad

FIRST, SECOND = "1", "2"
OF_GAME: Final[dict[str, tuple[Any, Any]]] = {
    "puerto_rico": (of_puerto_rico, PuertoRico),
    "spice_road": (of_spice_road, SpiceRoad),
}


@contextmanager
def newer_rules(name: str = "spice_road", **fixed: Any) -> Iterator[None]:
    """The newest rules of a game fix something else than the first ones."""
    room, game = OF_GAME[name]
    known = {**room.VERSIONS, SECOND: replace(room.VERSIONS[FIRST], **fixed)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room, "VERSIONS", known)
        if room is of_spice_road:
            patch.setattr(document, "VERSIONS", known)
        patch.setitem(VERSIONS[name], SECOND, game(SECOND))
        patch.setitem(GAMES, name, game(SECOND))
        rules_data.cache_clear()
        yield
    rules_data.cache_clear()
