"""Read model of ratings: follows rated games in the order of the log, and rates them when they end."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, LiteralString

from psycopg import Connection
from psycopg.rows import class_row

from events.event import Event
from events.log.follow import LoggedEvent
from projections.ratings.model import Placed, Rating, Seat, body_of, chained, placed, rate

OPEN: LiteralString = "INSERT INTO rating_games (stream, game) VALUES (%s, %s)"
SIT: LiteralString = """
INSERT INTO rating_seats (stream, chair, player, program)
SELECT stream, %(chair)s, %(player)s, %(program)s FROM rating_games WHERE stream = %(stream)s
ON CONFLICT (stream, chair) DO UPDATE SET player = excluded.player, program = excluded.program
"""
GET_UP: LiteralString = "DELETE FROM rating_seats WHERE stream = %s AND chair = %s"
ORDER: LiteralString = """
UPDATE rating_seats SET seat = array_position(%s::int[], chair::int) - 1 WHERE stream = %s
"""
REPLACE: LiteralString = "UPDATE rating_seats SET player = %s, changed = true WHERE stream = %s AND seat = %s"
GO: LiteralString = "UPDATE rating_seats SET gone = %s WHERE stream = %s AND seat = %s AND gone IS NULL"
GAME: LiteralString = "SELECT game FROM rating_games WHERE stream = %s"
SEATS: LiteralString = """
SELECT player, program, changed, gone FROM rating_seats WHERE stream = %s AND seat IS NOT NULL ORDER BY seat
"""
CLOSE: tuple[LiteralString, ...] = (
    "DELETE FROM rating_games WHERE stream = %s",
    "DELETE FROM rating_seats WHERE stream = %s",
)
KNOWN: LiteralString = """
SELECT player, mu, sigma FROM ratings WHERE game = %s AND pool = %s AND player = ANY(%s)
"""
KEEP: LiteralString = """
INSERT INTO ratings (game, pool, player, mu, sigma, games)
VALUES (%(game)s, %(pool)s, %(player)s, %(mu)s, %(sigma)s, 1)
ON CONFLICT (game, pool, player) DO UPDATE
SET mu = excluded.mu, sigma = excluded.sigma, games = ratings.games + 1
"""
CHANGE: LiteralString = """
INSERT INTO rating_changes (player, idx, game, pool, stream, seq, at, place, players, mu_before, sigma_before, mu,
    sigma)
VALUES (%(player)s, %(idx)s, %(game)s, %(pool)s, %(stream)s, %(seq)s, %(at)s, %(place)s, %(players)s, %(mu_before)s,
    %(sigma_before)s, %(mu)s, %(sigma)s)
"""
LAST_INPUT: LiteralString = """
SELECT number, hash FROM rating_inputs WHERE game = %s AND pool = %s ORDER BY number DESC LIMIT 1
"""
ADD_INPUT: LiteralString = """
INSERT INTO rating_inputs (game, pool, number, idx, body, hash) VALUES (%s, %s, %s, %s, %s, %s)
"""
Data = Mapping[str, Any]


class Ratings:
    """Rates every rated game that ends with a result, except imported and aborted games."""

    name = "ratings"
    version = 1

    def apply(self, connection: Connection, entries: Sequence[LoggedEvent]) -> None:
        """Tracks the seats of rated games; rates a game when it ends."""
        for entry in entries:
            heard = _HEARD.get(entry.event.kind)
            if heard is not None:
                heard(connection, entry)


def _created(connection: Connection, entry: LoggedEvent) -> None:
    data: Data = entry.event.data
    if data["rated"] and not data["imported"]:
        connection.execute(OPEN, (entry.event.stream, data["game"]))


def _taken(connection: Connection, entry: LoggedEvent) -> None:
    data: Data = entry.event.data
    program = data["bot"] is not None or data.get("program", False)
    named = {"stream": entry.event.stream, "chair": data["chair"], "player": data["player"], "program": program}
    connection.execute(SIT, named)


def _left(connection: Connection, entry: LoggedEvent) -> None:
    connection.execute(GET_UP, (entry.event.stream, entry.event.data["chair"]))


def _started(connection: Connection, entry: LoggedEvent) -> None:
    data: Data = entry.event.data
    connection.execute(ORDER, (list(data["order"]), entry.event.stream))


def _replaced(connection: Connection, entry: LoggedEvent) -> None:
    data: Data = entry.event.data
    connection.execute(REPLACE, (data["player"], entry.event.stream, data["seat"]))


def _gone(connection: Connection, entry: LoggedEvent) -> None:
    connection.execute(GO, (entry.event.seq, entry.event.stream, entry.event.data["seat"]))


def _ended(connection: Connection, entry: LoggedEvent) -> None:
    data: Data = entry.event.data
    stream = entry.event.stream
    game = connection.execute(GAME, (stream,)).fetchone()
    if game is not None:
        with connection.cursor(row_factory=class_row(Seat)) as cursor:
            seats = cursor.execute(SEATS, (stream,)).fetchall()
        for pool, players in placed(seats, data["places"]).items():
            _rate(connection, entry, (game[0], pool), players)
        _closed(connection, entry)


def _closed(connection: Connection, entry: LoggedEvent) -> None:
    for statement in CLOSE:
        connection.execute(statement, (entry.event.stream,))


def _rate(connection: Connection, entry: LoggedEvent, key: tuple[str, str], players: Sequence[Placed]) -> None:
    """Rates one pool of a table and stores its input."""
    rows = connection.execute(KNOWN, (*key, [one.player for one in players])).fetchall()
    known = {player: Rating(mu, sigma) for player, mu, sigma in rows}
    before = [known.get(one.player, Rating()) for one in players]
    after = rate(before, [one.place for one in players])
    event, (game, pool) = entry.event, key
    about = {"idx": entry.idx, "stream": event.stream, "seq": event.seq, "at": event.at, "players": len(players)}
    for one, old, new in zip(players, before, after, strict=True):
        row = {"game": game, "pool": pool, **one._asdict(), **new._asdict()}
        connection.execute(KEEP, row)
        connection.execute(CHANGE, {**row, **about, "mu_before": old.mu, "sigma_before": old.sigma})
    _keep_input(connection, entry.idx, event, key, players)


def _keep_input(
    connection: Connection, idx: int, event: Event, key: tuple[str, str], players: Sequence[Placed]
) -> None:
    last = connection.execute(LAST_INPUT, key).fetchone()
    number, before = last or (0, b"")
    body = body_of(event, players)
    connection.execute(ADD_INPUT, (*key, number + 1, idx, body, chained(before, body)))


_HEARD: Final[Mapping[str, Callable[[Connection, LoggedEvent], None]]] = {
    "game_created": _created,
    "seat_taken": _taken,
    "seat_left": _left,
    "game_started": _started,
    "player_replaced": _replaced,
    "resigned": _gone,
    "flag_fell": _gone,
    "game_ended": _ended,
    "game_aborted": _closed,
}
