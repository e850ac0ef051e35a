"""Reads the results of a player in the newest public games: by seat, against another player, and the time of moves."""

from collections.abc import Iterator, Sequence
from typing import Final, LiteralString, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.rows import class_row

from events.event import Event
from projections.games.clocks import NONE, Clocks, without_outage
from projections.games.fold import fold
from projections.games.record import GameRecord
from service.container import Container
from service.core.clock import SECOND
from service.core.outages import Outage
from service.games.shared_deals import OPEN_TO_ASKER

MOST_GAMES: Final = 1_000  # the newest, of which results are counted
TIMED_GAMES: Final = 5  # the newest, whose moves are timed
MOST_EVENTS: Final = 1_000  # of one of them
OWN: Final[LiteralString] = """
WITH own AS (
    SELECT id, chair, place FROM places WHERE player = %(player)s AND NOT hidden AND place IS NOT NULL
    ORDER BY created DESC, id DESC LIMIT %(most)s
)
"""
BY_SEAT: Final[LiteralString] = (
    OWN  # noqa: S608 - constants alone
    + """
SELECT g.game, json_array_length(g.chairs) AS players, at.seat, count(*) AS played,
    count(*) FILTER (WHERE own.place = 1) AS won, avg(own.place)::float8 AS mean_place,
    avg((g.result -> 'points' ->> at.seat)::int)::float8 AS mean_points
FROM own JOIN games AS g USING (id) CROSS JOIN LATERAL (
    SELECT (sat ->> 'seat')::int AS seat FROM json_array_elements(g.chairs) AS sat
    WHERE (sat ->> 'chair')::int = own.chair
) AS at
WHERE at.seat IS NOT NULL AND """
    + OPEN_TO_ASKER
    + " GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"
)
AGAINST: Final[LiteralString] = (
    OWN
    + """
SELECT g.game, count(*) AS played, count(*) FILTER (WHERE own.place < other.place) AS ahead,
    count(*) FILTER (WHERE own.place > other.place) AS behind
FROM own JOIN places AS other ON other.id = own.id AND other.player = %(other)s AND other.place IS NOT NULL
JOIN games AS g ON g.id = own.id WHERE """
    + OPEN_TO_ASKER
    + " GROUP BY 1 ORDER BY 1"
)
TIMED: Final[LiteralString] = (
    OWN  # noqa: S608 - constants alone
    + """
SELECT g.id, at.seat FROM own JOIN games AS g USING (id) CROSS JOIN LATERAL (
    SELECT (sat ->> 'seat')::int AS seat FROM json_array_elements(g.chairs) AS sat
    WHERE (sat ->> 'chair')::int = own.chair
) AS at
WHERE at.seat IS NOT NULL AND """
    + OPEN_TO_ASKER
)


class SeatResult(NamedTuple):
    """The results in one seat of one game with so many players."""

    game: str
    players: int
    seat: int
    played: int
    won: int
    mean_place: float
    mean_points: float


class HeadToHead(NamedTuple):
    """The games of one kind that two players finished together."""

    game: str
    played: int
    ahead: int
    behind: int


class TimeUsed(NamedTuple):
    """How long a player took for moves, in the newest games."""

    games: int
    moves: int
    mean_seconds: float


def results_by_seat(connection: Connection, player: UUID, asker: str | None) -> list[SeatResult]:
    """Returns the results of a player by game, number of players and seat."""
    with connection.cursor(row_factory=class_row(SeatResult)) as cursor:
        return cursor.execute(BY_SEAT, _values(player, asker, MOST_GAMES)).fetchall()


def head_to_head(connection: Connection, player: UUID, other: UUID, asker: str | None) -> list[HeadToHead]:
    """Returns how two players did against one another, by game."""
    values = {**_values(player, asker, MOST_GAMES), "other": str(other)}
    with connection.cursor(row_factory=class_row(HeadToHead)) as cursor:
        return cursor.execute(AGAINST, values).fetchall()


def time_used(here: Container, player: UUID, asker: str | None) -> TimeUsed | None:
    """Returns the mean time of a player's moves in the newest games; None without a move."""
    with here.stores.pool.connection() as connection:
        timed = connection.execute(TIMED, _values(player, asker, TIMED_GAMES)).fetchall()
    spans = [list(_spans(here, list(here.games.store.read(game, 0, MOST_EVENTS)), seat)) for game, seat in timed]
    moves = [span for of_game in spans for span in of_game]
    if not moves:
        return None
    return TimeUsed(sum(1 for of_game in spans if of_game), len(moves), sum(moves) / len(moves) / SECOND)


def _spans(here: Container, events: Sequence[Event], seat: int) -> Iterator[int]:
    """Yields the microseconds of each move of a seat that no bot made: pauses, days away and outages do not count."""
    record: GameRecord | None = None
    came = 0  # when the newest player of the seat took it over
    outages = here.outages.stored(events[0].at, events[-1].at) if events else ()
    for event in events:
        if event.kind == "moved" and event.data["seat"] == seat and "bot" not in event.data and record is not None:
            used = _clocks(record, outages, event.at).used(event.at)
            yield max(0, min(used, event.at - came))
        if event.kind == "player_replaced" and event.data["seat"] == seat:
            came = event.at
        record = fold(record, event)


def _clocks(record: GameRecord, outages: Sequence[Outage], at: int) -> Clocks:
    """Returns the clocks without outages, which no event of a game without clocks states."""
    clocks = record.clocks
    if clocks.setting.kind == NONE:
        for outage in outages:
            clocks = without_outage(clocks, outage.since, min(outage.until, at))
    return clocks


def _values(player: UUID, asker: str | None, most: int) -> dict[str, object]:
    return {"player": str(player), "asker": asker, "most": most}
