"""The page of a player: profile, results in public games, and the newest games."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import Final, NamedTuple
from uuid import UUID

from flask import Blueprint, render_template, request

from service.core.clock import iso_time
from service.pages.games.clock_terms import spelled_span
from service.pages.games.game_lists import TITLES, find_games
from service.pages.players.rating_charts import charts
from service.pages.site.visitor import reader
from service.players.queries import bots_of, get_player
from service.players.results.queries import SeatResult, head_to_head, results_by_seat, time_used
from service.web.responses import request_language
from service.web.routing import container

MOST: Final = 24
pages = Blueprint("people", __name__)


class Results(NamedTuple):
    """The results of a player in public games of one kind."""

    title: str
    played: int
    won: int
    place: float
    points: float


@pages.get("/players/<uuid:player>")
def person(player: UUID) -> str:
    """Renders the public page of a player."""
    identity, words = reader(), request_language()
    query = {"player": str(player), "after": request.args.get("after") or None}
    page = find_games(query, identity.id if identity else None, MOST, words)
    with container().stores.pool.connection() as connection:
        known = get_player(connection, player)
        owner = None if known.owner is None else get_player(connection, known.owner)
        bots = bots_of(connection, player)
        seats = results_by_seat(connection, player, identity.id if identity else None)
        met = (
            head_to_head(connection, identity.player, player, identity.id)
            if identity and identity.player != player
            else []
        )
        drawn = list(charts(connection, str(player), identity.id if identity else None))
    return render_template(
        "player.html",
        player=known,
        since=iso_time(known.created),
        owner=owner,
        bots=bots,
        results=[*by_game(seats)],
        seats=seats,
        met=met,
        time=time_used(container(), player, identity.id if identity else None),
        spelled=spelled_span,
        titles=TITLES,
        charts=drawn,
        found=page,
        more=None if page.next is None else f"?after={page.next}",
    )


def by_game(seats: Iterable[SeatResult]) -> Iterator[Results]:
    """Yields for each game the number of games finished and won in all seats, the mean place and points."""
    for game, of_game in groupby(seats, attrgetter("game")):
        rows = list(of_game)
        played = sum(row.played for row in rows)
        place = sum(row.mean_place * row.played for row in rows) / played
        points = sum(row.mean_points * row.played for row in rows) / played
        yield Results(TITLES[game], played, sum(row.won for row in rows), place, points)
