"""Reads players, their names and their tokens."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, LiteralString, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.rows import class_row

from service.core.errors import BadName, NotThere
from service.players.names import is_id, normalize_name

SELECT: Final[LiteralString] = """
SELECT id, name, bot, owner, CASE WHEN NOT hidden THEN engine END AS engine, created, forgotten, key,
    hidden AS engine_hidden, CASE WHEN NOT hidden THEN manifest END AS manifest
FROM players, LATERAL (
    SELECT bot AND EXISTS (SELECT FROM hidden_texts WHERE stream = players.id AND about = 'engine') AS hidden
) AS moderated
"""
BY_ID: Final[LiteralString] = "WHERE id = %s"
BOTS_OF: Final[LiteralString] = "WHERE owner = %s AND bot ORDER BY created, id"
HOSTED: Final = """
SELECT count(*), count(*) FILTER (WHERE aborted_by = host) FROM games WHERE host = %s
"""
ABORTED: Final = "SELECT count(*) FROM games WHERE aborted_by = %s"
NAMES_OF: Final = "SELECT id::text, name FROM players WHERE id = ANY(%s) AND name IS NOT NULL"
IS_GUEST: Final = "SELECT guest FROM players WHERE id = %s"
BY_NAME: Final = "SELECT id::text FROM players WHERE folded = %s"
SESSIONS_OF: Final = """
SELECT id, created, expires, used, agent, address FROM sessions
WHERE player = %s AND expires > %s ORDER BY created DESC, id DESC
"""
CODES_OF: Final = "SELECT count(*) FROM recovery_codes WHERE player = %s AND expires IS NULL"
TOKENS_OF: Final = """
SELECT id, label, scopes, created, expires, used, program FROM tokens WHERE player = %s ORDER BY created, id
"""


class Player(NamedTuple):
    """An account. A forgotten player has no name; the games remain."""

    id: UUID
    name: str | None
    bot: bool = False
    owner: UUID | None = None
    engine: str | None = None
    created: int = 0
    forgotten: int | None = None
    key: bytes | None = None  # verifies the moves of the player's seats
    engine_hidden: bool = False  # by an administrator, with the manifest
    manifest: Mapping[str, str] | None = None  # of a bot: author, source, budget, hardware


class HostedGames(NamedTuple):
    """The number of games that a player hosted, and of those that the host aborted after the deal."""

    games: int
    aborted: int


class Token(NamedTuple):
    """A token without its secret, as its owner lists it."""

    id: UUID
    label: str
    scopes: Sequence[str]
    created: int
    expires: int | None
    used: int | None = None
    program: str | None = None  # that holds it


class BrowserSession(NamedTuple):
    """A session as its player lists it."""

    id: UUID
    created: int
    expires: int
    used: int | None
    agent: str
    address: str


def get_player(connection: Connection, id: UUID) -> Player:
    """Returns a player by id; raises NotThere."""
    with connection.cursor(row_factory=class_row(Player)) as cursor:
        found = cursor.execute(SELECT + BY_ID, (id,)).fetchone()
    if found is None:
        raise NotThere("player", id)
    return found


def bots_of(connection: Connection, owner: UUID) -> list[Player]:
    """Returns the bots of a player, oldest first."""
    with connection.cursor(row_factory=class_row(Player)) as cursor:
        return cursor.execute(SELECT + BOTS_OF, (owner,)).fetchall()


def count_hosted(connection: Connection, id: UUID) -> HostedGames:
    """Returns the numbers of games that a player hosted and aborted."""
    row = connection.execute(HOSTED, (str(id),)).fetchone()
    return HostedGames(*row) if row else HostedGames(0, 0)


def count_aborted(connection: Connection, id: UUID) -> int:
    """Returns the number of games that a player aborted after the deal, hosted by any player."""
    row = connection.execute(ABORTED, (str(id),)).fetchone()
    return int(row[0]) if row else 0


def is_guest(connection: Connection, id: UUID) -> bool:
    """Returns whether an account was made with one click and not kept yet."""
    row = connection.execute(IS_GUEST, (id,)).fetchone()
    return row is not None and bool(row[0])


def names_of(connection: Connection, ids: Collection[str]) -> Mapping[str, str]:
    """Returns names by id; leaves out players without a name."""
    known = [id for id in ids if is_id(id)]
    return dict(connection.execute(NAMES_OF, (known,)).fetchall()) if known else {}


def id_by_name(connection: Connection, name: str) -> str | None:
    """Returns the id of a player by name, None for an unknown one; raises BadName for a malformed one."""
    row = connection.execute(BY_NAME, (normalize_name(name)[1],)).fetchone()
    return None if row is None else str(row[0])


def find_by_name(connection: Connection, name: str) -> UUID | None:
    """Returns the id of a player by name; None for an unknown or malformed name."""
    try:
        id = id_by_name(connection, name)
    except BadName:
        return None
    return None if id is None else UUID(id)


def tokens_of(connection: Connection, player: UUID) -> list[Token]:
    """Returns the tokens of a player, oldest first."""
    with connection.cursor(row_factory=class_row(Token)) as cursor:
        return cursor.execute(TOKENS_OF, (player,)).fetchall()


def sessions_of(connection: Connection, player: UUID, at: int) -> list[BrowserSession]:
    """Returns the sessions of a player, newest first."""
    with connection.cursor(row_factory=class_row(BrowserSession)) as cursor:
        return cursor.execute(SESSIONS_OF, (player, at)).fetchall()


def count_recovery_codes(connection: Connection, player: UUID) -> int:
    """Returns the number of recovery codes of a player's own set that are left."""
    row = connection.execute(CODES_OF, (player,)).fetchone()
    return int(row[0]) if row else 0
