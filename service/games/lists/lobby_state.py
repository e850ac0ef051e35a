"""The state of the lobby as its stream tells it: the public games that are open and running, with terms and seats."""

from collections.abc import Mapping
from typing import Final

from projections.games.record import OPEN, RUNNING
from service.games.lists.public_lists import NewestGames, PublicLists

MOST: Final = 24  # games of each state, as many as the page shows


def lobby_state(lists: PublicLists[NewestGames]) -> Mapping[str, object]:
    """Returns the newest public games that are open and that run, without their moves."""
    return {status: [_game(one.entry) for one in lists.newest(status, MOST).games] for status in (OPEN, RUNNING)}


def _game(entry: Mapping[str, object]) -> Mapping[str, object]:
    return {name: entry[name] for name in ("id", "game", "rated", "clock", "silent", "seats")}
