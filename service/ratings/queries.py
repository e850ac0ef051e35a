"""Queries of ratings: lists by game and pool, a player's history with its events, and the inputs."""

from typing import Final, LiteralString, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.rows import class_row

from events.canonical import read_canonical
from events.event import LARGEST_EVENT
from events.json_types import JsonObject
from projections.games.record import BOT
from projections.ratings.input_files import MOST_INPUTS, Input, RatingFile, hash_of
from projections.ratings.model import Rating
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
SELECT c.game, c.pool, c.stream, c.seq, c.idx, c.at, c.place, c.players, c.mu_before, c.sigma_before, c.mu, c.sigma,
    g.visibility <> 'private' OR g.host = %(asker)s
    OR EXISTS (SELECT FROM places WHERE id = g.id AND player = coalesce(%(asker)s, '')) AS visible
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
DISPLAYED: Final[LiteralString] = """
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


class RankedPlayer(NamedTuple):
    """A player in the list of a pool."""

    player: str
    mu: int
    sigma: int
    games: int
    rank: int

    @property
    def rating(self) -> Rating:
        """The rating of the player."""
        return Rating(self.mu, self.sigma)


class PoolRating(NamedTuple):
    """A player's rating in a pool of a game."""

    game: str
    pool: str
    mu: int
    sigma: int
    games: int

    @property
    def rating(self) -> Rating:
        """The rating of the player."""
        return Rating(self.mu, self.sigma)


class RatingChange(NamedTuple):
    """A change of a rating by the event that ended a game."""

    game: str
    pool: str
    stream: UUID
    seq: int
    idx: int
    at: int
    place: int
    players: int
    mu_before: int
    sigma_before: int
    mu: int
    sigma: int
    visible: bool  # whether the client may see the game

    @property
    def before(self) -> Rating:
        """The rating before the game."""
        return Rating(self.mu_before, self.sigma_before)

    @property
    def after(self) -> Rating:
        """The rating after the game."""
        return Rating(self.mu, self.sigma)


class InputNumber(NamedTuple):
    """The newest rating input of a pool, with the hash over all inputs."""

    number: int
    idx: int
    hash: bytes


class StoredInput(NamedTuple):
    """A rating input as stored."""

    number: int
    idx: int
    body: bytes
    hash: bytes


class PoolPage(NamedTuple):
    """A page of the entries of a pool."""

    game: str
    pool: str
    after: int
    limit: int


def best_players(connection: Connection, page: PoolPage) -> list[RankedPlayer]:
    """Returns a page of the best players of a pool, and the first of the next page."""
    with connection.cursor(row_factory=class_row(RankedPlayer)) as cursor:
        return cursor.execute(LIST, _parameters(page)).fetchall()


def ratings_of(connection: Connection, player: str) -> list[PoolRating]:
    """Returns a player's rating in each game."""
    with connection.cursor(row_factory=class_row(PoolRating)) as cursor:
        return cursor.execute(OF_PLAYER, (player,)).fetchall()


def displayed_rating(connection: Connection, player: str, game: str, pool: str) -> tuple[int | None, int]:
    """Returns a player's displayed rating, None before the first rated game, and the log index it includes up to."""
    row = connection.execute(DISPLAYED, (game, pool, player)).fetchone()
    if row is None:
        return None, 0
    mu, sigma, upto = row
    return (None if mu is None else Rating(mu, sigma).displayed), upto


def files_of(connection: Connection, game: str, players: list[str]) -> list[RatingFile]:
    """Returns the rating inputs of these players by pool; leaves out pools with too many games for a file."""
    row = connection.execute(FOLLOWED).fetchone()
    upto = row[0] if row else 0
    pools = connection.execute(POOLS_OF, (game, players, MOST_INPUTS, upto)).fetchall()
    return [_file_of(connection, game, pool, upto, players) for (pool,) in pools]


def _file_of(connection: Connection, game: str, pool: str, upto: int, players: list[str]) -> RatingFile:
    rows = connection.execute(INPUTS_UPTO, (game, pool, upto)).fetchall()
    found = tuple(Input(idx, read_input(body)) for idx, body in rows)
    worth = connection.execute(WORTH_UPTO, (game, pool, players, upto)).fetchall()
    return RatingFile(game, pool, upto, found, hash_of(found), {player: Rating(*numbers) for player, *numbers in worth})


def history(
    connection: Connection, player: str, client: str | None, game: str | None, before: int | None, limit: int
) -> list[RatingChange]:
    """Returns the changes of a player's ratings, newest first."""
    named = {"player": player, "asker": client, "game": game, "before": END if before is None else before}
    with connection.cursor(row_factory=class_row(RatingChange)) as cursor:
        return cursor.execute(HISTORY, {**named, "limit": limit}).fetchall()


def newest_input(connection: Connection, game: str, pool: str) -> InputNumber | None:
    """Returns the number of games behind a pool's ratings, and their hash; None before the first."""
    with connection.cursor(row_factory=class_row(InputNumber)) as cursor:
        return cursor.execute(NEWEST_INPUT, (game, pool)).fetchone()


def inputs(connection: Connection, page: PoolPage) -> list[StoredInput]:
    """Returns the inputs of a pool's ratings in the order of the log, and the first of the next page."""
    with connection.cursor(row_factory=class_row(StoredInput)) as cursor:
        return cursor.execute(INPUTS, _parameters(page)).fetchall()


def read_input(body: bytes) -> JsonObject:
    """Returns a rating input by its canonical JSON."""
    document = read_canonical(bytes(body), LARGEST_EVENT)
    assert isinstance(document, dict)  # as the projection stored it
    return document


def bot_level(player: str) -> str | None:
    """Returns the level of a house bot; None for another player."""
    return player.removeprefix(BOT) if player.startswith(BOT) else None


def _parameters(page: PoolPage) -> dict[str, str | int]:
    """Returns the parameters of a query that reads one row more than the page has."""
    return {**page._asdict(), "limit": page.limit + 1}
