"""Read model of a player's notifications: seat kept, table about to expire, game started, your turn, game over."""

from collections.abc import Callable, Mapping
from typing import Any, Final, LiteralString

from psycopg import Connection

from events.log.follow import LoggedEvent
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
SELECT player, %(number)s, %(stream)s, %(seq)s, %(what)s FROM news_seats
WHERE stream = %(stream)s AND (%(seat)s::int IS NULL OR seat = %(seat)s AND NOT gone)
"""
TELL_ONE: LiteralString = """
INSERT INTO news (player, number, stream, seq, what)
VALUES (%(player)s, %(number)s, %(stream)s, %(seq)s, %(what)s)
"""
TELL_TABLE: LiteralString = """
INSERT INTO news (player, number, stream, seq, what)
SELECT player, %(number)s, %(stream)s, %(seq)s, %(what)s FROM (
    SELECT player FROM news_seats WHERE stream = %(stream)s
    UNION SELECT convert_from(body, 'UTF8')::json -> 'data' ->> 'host' FROM events
    WHERE stream = %(stream)s AND seq = 1
) AS waiting WHERE player IS NOT NULL
"""
Data = Mapping[str, Any]


class Notifications:
    """Writes notifications for the players of a game."""

    name = "news"
    version = 2

    def apply(self, connection: Connection, entry: LoggedEvent) -> None:
        """Tracks the seats of games and writes the notifications of an event."""
        event = entry.event
        data: Data = event.data
        seating = _SEATING.get(event.kind)
        if seating is not None:
            seating(connection, event.stream, data)
        if event.kind == "game_created":
            _notify_invited(connection, entry, data)
        if event.kind == "expiry_announced":
            connection.execute(TELL_TABLE, _notification(entry, "table_expires"))
        if event.kind == "game_started":
            _notify(connection, entry, "game_started")
        if data.get("turn"):
            _notify(connection, entry, "your_turn", data["turn"]["seat"])
        if event.kind in ("game_ended", "game_aborted"):
            _notify(connection, entry, "game_over")


def _notify(connection: Connection, entry: LoggedEvent, what: str, seat: int | None = None) -> None:
    connection.execute(TELL, _notification(entry, what) | {"seat": seat})


def _notify_invited(connection: Connection, entry: LoggedEvent, data: Data) -> None:
    """Notifies the invited players of a new table, except the host."""
    for kept_for in data["chairs"]:
        if kept_for is not None and kept_for.startswith(PLAYER) and kept_for != f"{PLAYER}{data.get('host')}":
            connection.execute(TELL_ONE, _notification(entry, "seat_kept") | {"player": kept_for.removeprefix(PLAYER)})


def _notification(entry: LoggedEvent, what: str) -> dict[str, Any]:
    number = entry.idx * MOST + PLACES[what]
    return {"number": number, "stream": entry.event.stream, "seq": entry.event.seq, "what": what}


def _sit(connection: Connection, stream: Any, data: Data) -> None:
    if data["bot"] is None:
        connection.execute(SIT, (stream, data["chair"], data["player"]))


def _replace(connection: Connection, stream: Any, data: Data) -> None:
    connection.execute(REPLACE, (data["player"], data["bot"] is not None, stream, data["seat"]))


_SEATING: Final[Mapping[str, Callable[[Connection, Any, Data], object]]] = {
    "seat_taken": _sit,
    "seat_left": lambda connection, stream, data: connection.execute(GET_UP, (stream, data["chair"])),
    "game_started": lambda connection, stream, data: connection.execute(ORDER, (list(data["order"]), stream)),
    "player_replaced": _replace,
    "resigned": lambda connection, stream, data: connection.execute(GO, (stream, data["seat"])),
    "flag_fell": lambda connection, stream, data: connection.execute(GO, (stream, data["seat"])),
}
