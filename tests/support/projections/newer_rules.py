"""A program that has a second version of the rules, as long as a test lasts."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

import pytest

from projections.rules.puerto_rico import rulings as of_puerto_rico
from projections.rules.puerto_rico.game import PuertoRico
from projections.rules.registry import GAMES, VERSIONS
from projections.rules.spice_road import rulings as of_spice_road
from projections.rules.spice_road.game import SpiceRoad
from projections.rules.spice_road.state import document
from projections.rules.tables_hash import rules_data

FIRST, SECOND = "1", "2"  # of Spice Road
OF_GAME: Final[dict[str, tuple[Any, Any]]] = {
    "puerto_rico": (of_puerto_rico, PuertoRico),
    "spice_road": (of_spice_road, SpiceRoad),
}


def newer_than_newest(name: str) -> str:
    """The name of the version after the newest."""
    return str(int(GAMES[name].rules) + 1)


@contextmanager
def newer_rules(name: str = "spice_road", **fixed: Any) -> Iterator[None]:
    """The newest rules of a game fix something else than those before them."""
    room, game = OF_GAME[name]
    now, to = GAMES[name].rules, newer_than_newest(name)
    known = {**room.VERSIONS, to: replace(room.VERSIONS[now], **fixed)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room, "VERSIONS", known)
        if room is of_spice_road:
            patch.setattr(document, "VERSIONS", known)
        patch.setitem(VERSIONS[name], to, game(to))
        rules_data.cache_clear()
        yield
    rules_data.cache_clear()
