"""The read model behind a player's own stream: your turn, game started, game over, in the order of the log."""

from collections.abc import Callable, Mapping
from typing import Any, Final, LiteralString

from psycopg import Connection

from events.follow import Entry

KINDS: Final = ("game_started", "your_turn", "game_over")  # one event may bring one of each, in this order
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
Data = Mapping[str, Any]


class News:
    """Tells the people at a table what concerns them."""

    name = "news"
    version = 1

    def apply(self, connection: Connection[Any], entry: Entry) -> None:
        """Keep up with who sits where, and tell what there is to tell."""
        event = entry.event
        data: Data = event.data
        seating = _SEATING.get(event.kind)
        if seating is not None:
            seating(connection, event.stream, data)
        if event.kind == "game_started":
            _tell(connection, entry, "game_started")
        if data.get("turn"):
            _tell(connection, entry, "your_turn", data["turn"]["seat"])
        if event.kind in ("game_ended", "game_aborted"):
            _tell(connection, entry, "game_over")


def _tell(connection: Connection[Any], entry: Entry, what: str, seat: int | None = None) -> None:
    number = entry.idx * len(KINDS) + KINDS.index(what)
    told = {"number": number, "stream": entry.event.stream, "seq": entry.event.seq, "what": what, "seat": seat}
    connection.execute(TELL, told)


def _sit(connection: Connection[Any], stream: Any, data: Data) -> None:
    if data["bot"] is None:
        connection.execute(SIT, (stream, data["chair"], data["player"]))


def _replace(connection: Connection[Any], stream: Any, data: Data) -> None:
    connection.execute(REPLACE, (data["player"], data["bot"] is not None, stream, data["seat"]))


_SEATING: Final[Mapping[str, Callable[[Connection[Any], Any, Data], object]]] = {
    "seat_taken": _sit,
    "seat_left": lambda connection, stream, data: connection.execute(GET_UP, (stream, data["chair"])),
    "game_started": lambda connection, stream, data: connection.execute(ORDER, (list(data["order"]), stream)),
    "player_replaced": _replace,
    "resigned": lambda connection, stream, data: connection.execute(GO, (stream, data["seat"])),
    "flag_fell": lambda connection, stream, data: connection.execute(GO, (stream, data["seat"])),
}
