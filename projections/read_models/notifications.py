"""Read model of a player's notifications: seat kept, table about to expire, game started, your turn, game over."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, LiteralString
from uuid import UUID

from psycopg import Connection

from events.log.follow import LoggedEvent
from events.store.postgres import read
from projections.games.record import PLAYER

PLACES: Final = {
    "seat_kept": 0,
    "table_expires": 0,
    "game_started": 0,
    "your_turn": 1,
    "game_over": 2,
}  # order within an event
MOST: Final = 3  # for a player from one event
SIT: LiteralString = """
INSERT INTO news_seats (stream, chair, player) VALUES (%s, %s, %s)
ON CONFLICT (stream, chair) DO UPDATE SET player = excluded.player, gone = false
"""
GET_UP: LiteralString = "DELETE FROM news_seats WHERE stream = %s AND chair = %s"
REPLACE: LiteralString = "UPDATE news_seats SET player = %s, gone = %s WHERE stream = %s AND seat = %s"
GO: LiteralString = "UPDATE news_seats SET gone = true WHERE stream = %s AND seat = %s"
ORDER: LiteralString = """
UPDATE news_seats SET seat = array_position(%s::int[], chair::int) - 1 WHERE stream = %s
"""
TELL: LiteralString = """
INSERT INTO news (player, number, stream, seq, what)
SELECT player, %(number)s, %(stream)s, %(seq)s, %(what)s FROM news_seats WHERE stream = %(stream)s
"""
TELL_TURNS: LiteralString = """
INSERT INTO news (player, number, stream, seq, what)
SELECT player, turn.number, turn.stream, turn.seq, 'your_turn'
FROM unnest(%s::bigint[], %s::uuid[], %s::bigint[], %s::int[]) AS turn (number, stream, seq, seat)
JOIN news_seats AS seats ON seats.stream = turn.stream AND seats.seat = turn.seat AND NOT gone
"""
TELL_ONE: LiteralString = """
INSERT INTO news (player, number, stream, seq, what)
VALUES (%(player)s, %(number)s, %(stream)s, %(seq)s, %(what)s)
"""
TELL_TABLE: LiteralString = """
INSERT INTO news (player, number, stream, seq, what)
SELECT player, %(number)s, %(stream)s, %(seq)s, %(what)s FROM (
    SELECT player FROM news_seats WHERE stream = %(stream)s
    UNION SELECT %(host)s::text
) AS waiting WHERE player IS NOT NULL
"""
Data = Mapping[str, Any]
Turn = tuple[int, UUID, int, int]  # number, stream, seq, seat


class Notifications:
    """Writes notifications for the players of a game."""

    name = "news"
    version = 2

    def apply(self, connection: Connection, entries: Sequence[LoggedEvent]) -> None:
        """Tracks the seats of games and writes the notifications of events."""
        turns: list[Turn] = []
        for entry in entries:
            event = entry.event
            data: Data = event.data
            if event.kind in _TELLING:
                _notify_of_turns(connection, turns)  # before a seat changes
                turns.clear()
                _TELLING[event.kind](connection, entry, data)
            if data.get("turn"):
                turns.append((entry.idx * MOST + PLACES["your_turn"], event.stream, event.seq, data["turn"]["seat"]))
        _notify_of_turns(connection, turns)


def _notify_of_turns(connection: Connection, turns: Sequence[Turn]) -> None:
    if turns:
        connection.execute(TELL_TURNS, [*map(list, zip(*turns, strict=True))])


def _created(connection: Connection, entry: LoggedEvent, data: Data) -> None:
    """Notifies the invited players of a new table, except the host."""
    for kept_for in data["chairs"]:
        if kept_for is not None and kept_for.startswith(PLAYER) and kept_for != f"{PLAYER}{data.get('host')}":
            connection.execute(TELL_ONE, _notification(entry, "seat_kept") | {"player": kept_for.removeprefix(PLAYER)})


def _started(connection: Connection, entry: LoggedEvent, data: Data) -> None:
    connection.execute(ORDER, (list(data["order"]), entry.event.stream))
    connection.execute(TELL, _notification(entry, "game_started"))


def _over(connection: Connection, entry: LoggedEvent, _data: Data) -> None:
    connection.execute(TELL, _notification(entry, "game_over"))


def _expires(connection: Connection, entry: LoggedEvent, _data: Data) -> None:
    first = next(read(connection, entry.event.stream, 0, 1), None)
    host = None if first is None else first.data.get("host")
    connection.execute(TELL_TABLE, _notification(entry, "table_expires") | {"host": host})


def _notification(entry: LoggedEvent, what: str) -> dict[str, Any]:
    number = entry.idx * MOST + PLACES[what]
    return {"number": number, "stream": entry.event.stream, "seq": entry.event.seq, "what": what}


def _taken(connection: Connection, entry: LoggedEvent, data: Data) -> None:
    if data["bot"] is None:
        connection.execute(SIT, (entry.event.stream, data["chair"], data["player"]))


def _left(connection: Connection, entry: LoggedEvent, data: Data) -> None:
    connection.execute(GET_UP, (entry.event.stream, data["chair"]))


def _replaced(connection: Connection, entry: LoggedEvent, data: Data) -> None:
    connection.execute(REPLACE, (data["player"], data["bot"] is not None, entry.event.stream, data["seat"]))


def _gone(connection: Connection, entry: LoggedEvent, data: Data) -> None:
    connection.execute(GO, (entry.event.stream, data["seat"]))


_TELLING: Final[Mapping[str, Callable[[Connection, LoggedEvent, Data], None]]] = {
    "game_created": _created,
    "expiry_announced": _expires,
    "seat_taken": _taken,
    "seat_left": _left,
    "game_started": _started,
    "player_replaced": _replaced,
    "resigned": _gone,
    "flag_fell": _gone,
    "game_ended": _over,
    "game_aborted": _over,
}
