"""Who plays: people and bots under names of their own, which can be changed and forgotten; events know only ids."""

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
FORGOTTEN = Message("somebody")  # what a player without a name is called
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
# Of a password that nobody knows: checked when the name is unknown, so that the answer takes as long.
NOBODYS = "$argon2id$v=19$m=19456,t=2,p=1$QAv+B9gQXuNz/HkuZegQ0g$YSuxB5Y1GuCLpgFq3VrucOFPv19AT8g/vuYyrqZAqNc"


class Player(NamedTuple):
    """Somebody with an account. A forgotten player has no name any more, but the games remain."""

    id: UUID
    name: str | None
    bot: bool = False
    owner: UUID | None = None
    engine: str | None = None
    created: int = 0
    forgotten: int | None = None
    key: bytes | None = None  # with which the player's seats sign their moves


def register(
    connection: Connection,
    at: int,
    name: str,
    password: str | None = None,
    *,
    owner: UUID | None = None,
    engine: str | None = None,
) -> Player:
    """A new player; with an owner, a bot of that player's. Refuses with BadName or NameTaken."""
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
    """A name as it is shown, and the form by which it is unique; refuses with BadName."""
    shown = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(shown) <= LONGEST_NAME:
        raise BadName(name, "it takes 1 to {longest} characters", longest=LONGEST_NAME)
    if not shown.isprintable():
        raise BadName(name, "a character cannot be seen")
    return shown, unicodedata.normalize("NFKC", shown).casefold()


def player(connection: Connection, id: UUID) -> Player:
    """The player of an id; refuses with NotThere."""
    with connection.cursor(row_factory=class_row(Player)) as cursor:
        found = cursor.execute(BY_ID, (id,)).fetchone()
    if found is None:
        raise NotThere("player", id)
    return found


class Hosted(NamedTuple):
    """How many games somebody hosted, and how many of these this player aborted after the deal."""

    games: int
    aborted: int


def hosted(connection: Connection, id: UUID) -> Hosted:
    """The games a player hosted."""
    row = connection.execute(HOSTED, (str(id),)).fetchone()
    return Hosted(*row) if row else Hosted(0, 0)


def aborted(connection: Connection, id: UUID) -> int:
    """How many games a player ended early after the deal, hosted by this player or by others."""
    row = connection.execute(ABORTED, (str(id),)).fetchone()
    return int(row[0]) if row else 0


def bots_of(connection: Connection, owner: UUID) -> list[Player]:
    """The bots of a player, oldest first."""
    with connection.cursor(row_factory=class_row(Player)) as cursor:
        return cursor.execute(BOTS_OF, (owner,)).fetchall()


def find_by_name(connection: Connection, name: str) -> UUID | None:
    """The player of a name; None: nobody has it, or it cannot be one."""
    try:
        id = id_by_name(connection, name)
    except BadName:
        return None
    return None if id is None else UUID(id)


def names_of(connection: Connection, ids: Collection[str]) -> Mapping[str, str]:
    """The names of those players who have one."""
    known = [id for id in ids if is_id(id)]
    return dict(connection.execute(NAMES_OF, (known,)).fetchall()) if known else {}


def id_by_name(connection: Connection, name: str) -> str | None:
    """The id of the player of a name; None when nobody has it. Refuses with BadName what cannot be one."""
    row = connection.execute(BY_NAME, (normalize_name(name)[1],)).fetchone()
    return None if row is None else str(row[0])


def is_id(text: str) -> bool:
    """Whether a text can be the id of a player."""
    return IDS.fullmatch(text) is not None


def rename(connection: Connection, id: UUID, name: str) -> None:
    """Give a player another name; refuses with BadName, NameTaken or NotThere."""
    shown, folded = normalize_name(name)
    try:
        _touched(connection.execute(RENAME, (shown, folded, id)).fetchone(), id)
    except errors.UniqueViolation as taken:
        raise NameTaken(shown) from taken


def set_password(connection: Connection, id: UUID, password: str | None) -> None:
    """Give a player another password, or none: then only tokens let in."""
    hidden = passwords.hash(password) if password is not None else None
    _touched(connection.execute(SET_LOGIN, (hidden, id)).fetchone(), id)
    connection.execute(FORGET_SESSIONS, (id,))


def set_engine(connection: Connection, id: UUID, engine: str | None) -> None:
    """Say what plays under a bot's name; refuses with NotThere what is not a bot."""
    _touched(connection.execute(SET_ENGINE, (engine, id)).fetchone(), id)


def set_key(connection: Connection, id: UUID, key: bytes, proof: bytes) -> None:
    """Register the key that a player signs moves with; refuses with BadKey or FalseSignature whoever does not hold it.

    Seats that were taken with an earlier key keep to it.
    """
    check_signature(key, key_statement(str(id)), proof)
    _touched(connection.execute(SET_KEY, (key, id)).fetchone(), id)


def drop_key(connection: Connection, id: UUID) -> None:
    """Forget the key of a player; seats that were taken with it keep to it."""
    _touched(connection.execute(SET_KEY, (None, id)).fetchone(), id)


def forget(connection: Connection, at: int, id: UUID) -> None:
    """Erase what is known of a person and of the person's bots; the id and the games stay."""
    with connection.transaction():
        connection.execute(FORGET_TOKENS, (id, id))
        connection.execute(FORGET_WEBHOOKS, (id, id))
        connection.execute(FORGET_SESSIONS, (id,))
        connection.execute(FORGET, (at, id, id))


def log_in(connection: Connection, name: str, password: str) -> UUID:
    """The player who has this name and password; refuses with Unauthenticated and does not say which is wrong."""
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
