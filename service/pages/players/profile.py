"""The page of a player: profile, results in public games, and the newest games."""

from collections.abc import Iterable
from typing import Final, NamedTuple
from uuid import UUID

from flask import Blueprint, render_template, request
from psycopg import Connection

from service.core.clock import iso_time
from service.pages.games.game_lists import TITLES, find_games
from service.pages.players.rating_charts import charts
from service.pages.site.visitor import reader
from service.players.queries import bots_of, get_player
from service.players.results.queries import head_to_head, results_by_seat, time_used
from service.web.responses import request_language
from service.web.routing import container

MOST: Final = 24
RESULTS: Final = """
SELECT g.game, count(*), count(*) FILTER (WHERE place = 1), avg(place)::float8, avg(points)::float8
FROM (
    SELECT id, (chair ->> 'seat')::int AS seat FROM games, json_array_elements(chairs) AS chair
    WHERE chair ->> 'player' = %(player)s AND games.status = 'finished'
    AND EXISTS (SELECT FROM places WHERE places.id = games.id AND places.player = %(player)s)
) AS own
JOIN games AS g USING (id)
CROSS JOIN LATERAL (
    SELECT (g.result -> 'places' ->> own.seat)::int AS place, (g.result -> 'points' ->> own.seat)::int AS points
) AS came
WHERE g.visibility = 'public' AND place IS NOT NULL
GROUP BY g.game ORDER BY g.game
"""
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
        bots, won = bots_of(connection, player), list(results(connection, player))
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
        results=won,
        seats=seats,
        met=met,
        time=time_used(container(), player, identity.id if identity else None),
        titles=TITLES,
        charts=drawn,
        found=page,
        more=None if page.next is None else f"?after={page.next}",
    )


def results(connection: Connection, player: UUID) -> Iterable[Results]:
    """Yields for each game the number of public games finished and won, the mean place and points."""
    for game, *numbers in connection.execute(RESULTS, {"player": str(player)}).fetchall():
        yield Results(TITLES[game], *numbers)
