"""The public games that a visitor may look at, newest first, as the lists of the API have them."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from psycopg import Connection

from projections.record import BOT, FINISHED, RUNNING
from service import accounts, search

MOST: Final = 12  # of each kind on one page
TITLES: Final = {"puerto_rico": "Puerto Rico", "spice_road": "Century: Spice Road"}


class Place(NamedTuple):
    """Somebody at a table, and what became of it."""

    name: str
    points: int | None
    place: int | None


class Listed(NamedTuple):
    """A game as the landing page shows it."""

    id: str
    title: str
    places: list[Place]
    created: str


class Gallery(NamedTuple):
    """What there is to look at."""

    running: list[Listed]
    finished: list[Listed]


def gallery(connection: Connection[Any]) -> Gallery:
    """The newest public games that are played, and those that are over."""
    return Gallery(_listed(connection, RUNNING), _listed(connection, FINISHED))


def _listed(connection: Connection[Any], status: str) -> list[Listed]:
    rows = search.find(connection, {"status": status}, None, MOST)
    names = accounts.names(connection, search.people(rows))
    return [_game(search.document(row, names, None)) for row in rows]


def _game(game: Mapping[str, Any]) -> Listed:
    seats = sorted(game["seats"], key=lambda seat: (seat["seat"] is None, seat["seat"] or 0))
    places = sorted((_place(seat, game["result"]) for seat in seats), key=lambda place: place.place or 0)
    day, _, time = str(game["created"]).partition("T")
    return Listed(game["id"], TITLES[game["game"]], places, f"{day} {time[:5]} UTC")


def _place(seat: Mapping[str, Any], result: Mapping[str, Any] | None) -> Place:
    at = seat["seat"]
    if result is None or at is None:
        return Place(_name(seat), None, None)
    return Place(_name(seat), result["points"][at], result["places"][at])


def _name(seat: Mapping[str, Any]) -> str:
    if seat["bot"]:
        return f"{str(seat['bot']).removeprefix(BOT)} bot"
    return str(seat["player"]["name"]) if seat["player"] else "an open chair"
