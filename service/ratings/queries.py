"""Queries of ratings: lists by game and pool, a player's history with its events, and the inputs."""

from collections.abc import Mapping
from typing import Any, Final, LiteralString

from psycopg import Connection
from psycopg.rows import dict_row

from events.canonical import read_canonical
from events.event import LARGEST_EVENT
from projections.games.record import BOT
from projections.ratings.input_files import MOST_INPUTS, Input, RatingFile, hash_of
from projections.ratings.model import MODEL, Rating
from service.core.clock import iso_time
from service.games.shared_deals import OPEN_TO_ASKER

# Ordered by a cautious estimate: a new player does not rank above one with many games.
LIST: Final[LiteralString] = """
SELECT player, mu, sigma, games, rank() OVER (ORDER BY mu - 3 * sigma DESC) AS rank
FROM ratings WHERE game = %(game)s AND pool = %(pool)s
ORDER BY mu - 3 * sigma DESC, player OFFSET %(after)s LIMIT %(limit)s
"""
OF_PLAYER: Final[LiteralString] = """
SELECT game, pool, mu, sigma, games FROM ratings WHERE player = %s ORDER BY game, pool
"""
# Only its players see a private game; others do not see tables of a shared deal that is still in play.
HISTORY: Final[LiteralString] = (
    """
SELECT c.*, g.visibility <> 'private' OR g.host = %(asker)s
    OR EXISTS (SELECT FROM places WHERE id = g.id AND player = %(asker)s) AS visible
FROM rating_changes AS c JOIN games AS g ON g.id = c.stream
WHERE c.player = %(player)s AND c.idx < %(before)s
AND (%(game)s::text IS NULL OR c.game = %(game)s) AND """
    + OPEN_TO_ASKER
    + """
ORDER BY c.idx DESC LIMIT %(limit)s
"""
)
NEWEST_INPUT: Final[LiteralString] = """
SELECT number, idx, hash FROM rating_inputs WHERE game = %s AND pool = %s ORDER BY number DESC LIMIT 1
"""
INPUTS: Final[LiteralString] = """
SELECT number, idx, body, hash FROM rating_inputs
WHERE game = %(game)s AND pool = %(pool)s AND number > %(after)s ORDER BY number LIMIT %(limit)s
"""
# One statement reads rating and position at the same moment.
SHOWN: Final[LiteralString] = """
SELECT r.mu, r.sigma, p.next_idx FROM projections AS p
LEFT JOIN ratings AS r ON r.game = %s AND r.pool = %s AND r.player = %s
WHERE p.name = 'ratings' AND NOT p.shadow
"""
FOLLOWED: Final[LiteralString] = "SELECT next_idx FROM projections WHERE name = 'ratings' AND NOT shadow"
POOLS_OF: Final[LiteralString] = """
SELECT DISTINCT pool FROM ratings AS r WHERE game = %s AND player = ANY(%s) AND NOT EXISTS (
    SELECT FROM rating_inputs WHERE game = r.game AND pool = r.pool AND number > %s AND idx < %s
) ORDER BY pool
"""
INPUTS_UPTO: Final[LiteralString] = """
SELECT idx, body FROM rating_inputs WHERE game = %s AND pool = %s AND idx < %s ORDER BY number
"""
WORTH_UPTO: Final[LiteralString] = """
SELECT DISTINCT ON (player) player, mu, sigma FROM rating_changes
WHERE game = %s AND pool = %s AND player = ANY(%s) AND idx < %s ORDER BY player, idx DESC
"""
END: Final = 2**62  # above every index of the log
Row = Mapping[str, Any]


def table(connection: Connection, game: str, pool: str, after: int, limit: int) -> list[dict[str, Any]]:
    """Returns a page of the best players of a pool."""
    with connection.cursor(row_factory=dict_row) as cursor:
        named = {"game": game, "pool": pool, "after": after, "limit": limit}
        return cursor.execute(LIST, named).fetchall()


def of_player(connection: Connection, player: str) -> list[dict[str, Any]]:
    """Returns a player's rating in each game."""
    with connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(OF_PLAYER, (player,)).fetchall()
    return [{"game": row["game"], "pool": row["pool"], "games": row["games"], **worth(row)} for row in rows]


def shown(connection: Connection, player: str, game: str, pool: str) -> tuple[int | None, int]:
    """Returns a player's displayed rating, None before the first rated game, and the log index it includes up to."""
    row = connection.execute(SHOWN, (game, pool, player)).fetchone()
    if row is None:
        return None, 0
    mu, sigma, upto = row
    return (None if mu is None else Rating(mu, sigma).shown), upto


def files_of(connection: Connection, game: str, players: list[str]) -> list[RatingFile]:
    """Returns the rating inputs of these players by pool; leaves out pools with too many games for a file."""
    row = connection.execute(FOLLOWED).fetchone()
    upto = row[0] if row else 0
    pools = connection.execute(POOLS_OF, (game, players, MOST_INPUTS, upto)).fetchall()
    return [_file_of(connection, game, pool, upto, players) for (pool,) in pools]


def _file_of(connection: Connection, game: str, pool: str, upto: int, players: list[str]) -> RatingFile:
    rows = connection.execute(INPUTS_UPTO, (game, pool, upto)).fetchall()
    found = tuple(Input(idx, _read(body)) for idx, body in rows)
    worth = connection.execute(WORTH_UPTO, (game, pool, players, upto)).fetchall()
    return RatingFile(game, pool, upto, found, hash_of(found), {player: Rating(*numbers) for player, *numbers in worth})


def history(
    connection: Connection, player: str, asker: str | None, game: str | None, before: int | None, limit: int
) -> list[dict[str, Any]]:
    """Returns the changes of a player's ratings, newest first."""
    named = {"player": player, "asker": asker, "game": game, "before": END if before is None else before}
    with connection.cursor(row_factory=dict_row) as cursor:
        return [_change(row) for row in cursor.execute(HISTORY, {**named, "limit": limit}).fetchall()]


def newest_input(connection: Connection, game: str, pool: str) -> dict[str, Any] | None:
    """Returns the number of games behind a pool's ratings, and their hash; None before the first."""
    with connection.cursor(row_factory=dict_row) as cursor:
        row = cursor.execute(NEWEST_INPUT, (game, pool)).fetchone()
    return None if row is None else {**row, "hash": bytes(row["hash"]).hex(), "model": MODEL}


def inputs(connection: Connection, game: str, pool: str, after: int, limit: int) -> list[dict[str, Any]]:
    """Returns the inputs of a pool's ratings in the order of the log."""
    with connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(INPUTS, {"game": game, "pool": pool, "after": after, "limit": limit}).fetchall()
    return [
        {
            "number": row["number"],
            "idx": row["idx"],
            "input": _read(row["body"]),
            "hash": bytes(row["hash"]).hex(),
        }
        for row in rows
    ]


def _read(body: bytes) -> Any:
    return read_canonical(bytes(body), LARGEST_EVENT)


def worth(row: Row, suffix: str = "") -> dict[str, int]:
    """Returns a rating as displayed, and exactly in millionths."""
    rating = Rating(row["mu" + suffix], row["sigma" + suffix])
    return {"rating": rating.shown, "deviation": rating.deviation, **rating._asdict()}


def level(player: str) -> str | None:
    """Returns the level of a house bot; None for another player."""
    return player.removeprefix(BOT) if player.startswith(BOT) else None


def _change(row: Row) -> dict[str, Any]:
    return {
        "game": row["game"],
        "pool": row["pool"],
        "stream": str(row["stream"]) if row["visible"] else None,
        "seq": row["seq"],
        "idx": row["idx"],
        "at": iso_time(row["at"]),
        "place": row["place"],
        "players": row["players"],
        "before": worth(row, "_before"),
        "after": worth(row),
    }
