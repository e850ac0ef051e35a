"""Accounts of people and bots; a name can be changed and erased, since events hold only ids."""

import re
import unicodedata
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
from psycopg import Connection, errors
from psycopg.rows import class_row

from events.event import new_stream
from events.messages import Message
from projections.games.signed_moves import check_signature, key_statement
from service.core.errors import BadName, NameTaken, NotThere, Unauthenticated

LONGEST_NAME = 40
FORGOTTEN = Message("somebody")  # replaces the name of a forgotten player
IDS = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
REGISTER = """
INSERT INTO players (id, name, folded, password, bot, owner, engine, created)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
"""
BY_ID = "SELECT id, name, bot, owner, engine, created, forgotten, key FROM players WHERE id = %s"
BOTS_OF = """
SELECT id, name, bot, owner, engine, created, forgotten, key FROM players WHERE owner = %s ORDER BY created, id
"""
HOSTED = """
SELECT count(*), count(*) FILTER (WHERE aborted_by = host) FROM games WHERE host = %s
"""
ABORTED = "SELECT count(*) FROM games WHERE aborted_by = %s"
NAMES_OF = "SELECT id::text, name FROM players WHERE id = ANY(%s) AND name IS NOT NULL"
BY_NAME = "SELECT id::text FROM players WHERE folded = %s"
LOGIN_OF = "SELECT id, password FROM players WHERE folded = %s"
RENAME = "UPDATE players SET name = %s, folded = %s WHERE id = %s AND forgotten IS NULL RETURNING id"
SET_LOGIN = "UPDATE players SET password = %s WHERE id = %s AND forgotten IS NULL RETURNING id"
SET_ENGINE = "UPDATE players SET engine = %s WHERE id = %s AND bot AND forgotten IS NULL RETURNING id"
SET_KEY = "UPDATE players SET key = %s WHERE id = %s AND forgotten IS NULL RETURNING id"
FORGET = """
UPDATE players SET name = NULL, folded = NULL, password = NULL, engine = NULL, key = NULL, forgotten = %s
WHERE (id = %s OR owner = %s) AND forgotten IS NULL
"""
FORGET_TOKENS = "DELETE FROM tokens USING players WHERE player = players.id AND (players.id = %s OR owner = %s)"
FORGET_WEBHOOKS = "DELETE FROM webhooks USING players WHERE player = players.id AND (players.id = %s OR owner = %s)"
FORGET_SESSIONS = "DELETE FROM sessions WHERE player = %s"

passwords = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
# The hash of a random password: verified for an unknown name, so that both answers take equally long.
NOBODYS = "$argon2id$v=19$m=19456,t=2,p=1$QAv+B9gQXuNz/HkuZegQ0g$YSuxB5Y1GuCLpgFq3VrucOFPv19AT8g/vuYyrqZAqNc"


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


def register(
    connection: Connection,
    at: int,
    name: str,
    password: str | None = None,
    *,
    owner: UUID | None = None,
    engine: str | None = None,
) -> Player:
    """Creates a player; with an owner, a bot. Raises BadName or NameTaken."""
    shown, folded = normalize_name(name)
    player = Player(new_stream(at), shown, owner is not None, owner, engine, at)
    hidden = passwords.hash(password) if password is not None else None
    row = (player.id, shown, folded, hidden, player.bot, owner, engine, at)
    try:
        connection.execute(REGISTER, row)
    except errors.UniqueViolation as taken:
        raise NameTaken(shown) from taken
    return player


def normalize_name(name: str) -> tuple[str, str]:
    """Returns a name as displayed, and its unique form; raises BadName."""
    shown = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(shown) <= LONGEST_NAME:
        raise BadName(name, "it takes 1 to {longest} characters", longest=LONGEST_NAME)
    if not shown.isprintable():
        raise BadName(name, "a character cannot be seen")
    return shown, unicodedata.normalize("NFKC", shown).casefold()


def player(connection: Connection, id: UUID) -> Player:
    """Returns a player by id; raises NotThere."""
    with connection.cursor(row_factory=class_row(Player)) as cursor:
        found = cursor.execute(BY_ID, (id,)).fetchone()
    if found is None:
        raise NotThere("player", id)
    return found


class Hosted(NamedTuple):
    """The number of games that a player hosted, and of those that the host aborted after the deal."""

    games: int
    aborted: int


def hosted(connection: Connection, id: UUID) -> Hosted:
    """Returns the numbers of games that a player hosted and aborted."""
    row = connection.execute(HOSTED, (str(id),)).fetchone()
    return Hosted(*row) if row else Hosted(0, 0)


def aborted(connection: Connection, id: UUID) -> int:
    """Returns the number of games that a player aborted after the deal, hosted by any player."""
    row = connection.execute(ABORTED, (str(id),)).fetchone()
    return int(row[0]) if row else 0


def bots_of(connection: Connection, owner: UUID) -> list[Player]:
    """Returns the bots of a player, oldest first."""
    with connection.cursor(row_factory=class_row(Player)) as cursor:
        return cursor.execute(BOTS_OF, (owner,)).fetchall()


def find_by_name(connection: Connection, name: str) -> UUID | None:
    """Returns the id of a player by name; None for an unknown or malformed name."""
    try:
        id = id_by_name(connection, name)
    except BadName:
        return None
    return None if id is None else UUID(id)


def names_of(connection: Connection, ids: Collection[str]) -> Mapping[str, str]:
    """Returns names by id; leaves out players without a name."""
    known = [id for id in ids if is_id(id)]
    return dict(connection.execute(NAMES_OF, (known,)).fetchall()) if known else {}


def id_by_name(connection: Connection, name: str) -> str | None:
    """Returns the id of a player by name, None for an unknown one; raises BadName for a malformed one."""
    row = connection.execute(BY_NAME, (normalize_name(name)[1],)).fetchone()
    return None if row is None else str(row[0])


def is_id(text: str) -> bool:
    """Returns whether a text has the format of a player's id."""
    return IDS.fullmatch(text) is not None


def rename(connection: Connection, id: UUID, name: str) -> None:
    """Renames a player; raises BadName, NameTaken or NotThere."""
    shown, folded = normalize_name(name)
    try:
        _touched(connection.execute(RENAME, (shown, folded, id)).fetchone(), id)
    except errors.UniqueViolation as taken:
        raise NameTaken(shown) from taken


def set_password(connection: Connection, id: UUID, password: str | None) -> None:
    """Sets or removes a player's password and ends the sessions; without one, only tokens authenticate."""
    hidden = passwords.hash(password) if password is not None else None
    _touched(connection.execute(SET_LOGIN, (hidden, id)).fetchone(), id)
    connection.execute(FORGET_SESSIONS, (id,))


def set_engine(connection: Connection, id: UUID, engine: str | None) -> None:
    """Sets the engine of a bot; raises NotThere for a player that is not a bot."""
    _touched(connection.execute(SET_ENGINE, (engine, id)).fetchone(), id)


def set_key(connection: Connection, id: UUID, key: bytes, proof: bytes) -> None:
    """Registers the key that a player signs moves with; raises BadKey, or FalseSignature for a wrong proof.

    Seats taken with an earlier key keep it.
    """
    check_signature(key, key_statement(str(id)), proof)
    _touched(connection.execute(SET_KEY, (key, id)).fetchone(), id)


def drop_key(connection: Connection, id: UUID) -> None:
    """Removes the key of a player; seats taken with it keep it."""
    _touched(connection.execute(SET_KEY, (None, id)).fetchone(), id)


def forget(connection: Connection, at: int, id: UUID) -> None:
    """Erases the personal data of a player and of the player's bots; keeps ids and games."""
    with connection.transaction():
        connection.execute(FORGET_TOKENS, (id, id))
        connection.execute(FORGET_WEBHOOKS, (id, id))
        connection.execute(FORGET_SESSIONS, (id,))
        connection.execute(FORGET, (at, id, id))


def log_in(connection: Connection, name: str, password: str) -> UUID:
    """Returns the player with this name and password; raises Unauthenticated without saying which is wrong."""
    found = connection.execute(LOGIN_OF, (normalize_name(name)[1],)).fetchone()
    id, hidden = found if found and found[1] else (None, NOBODYS)
    try:
        passwords.verify(hidden, password)
    except VerifyMismatchError as wrong:
        raise Unauthenticated("name or password is wrong") from wrong
    if id is None:
        raise Unauthenticated("name or password is wrong")
    if passwords.check_needs_rehash(hidden):
        connection.execute(SET_LOGIN, (passwords.hash(password), id))
    return UUID(str(id))


def _touched(row: tuple[Any, ...] | None, id: UUID) -> None:
    if row is None:
        raise NotThere("player", id)
