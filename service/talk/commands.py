"""Commands of table talk: write and erase messages, close rooms, mute, note what was read, delete old messages."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.errors import KeyReused
from service.container import Container
from service.core.announce import Announcement
from service.core.clock import SECOND
from service.core.errors import NotThere
from service.players.identity import lock_account
from service.talk.errors import TalkRefused, TooManyMessages
from service.talk.places import DAY, check_writable
from service.talk.queries import WrittenMessage, get_message
from service.talk.rooms import TalkPlace
from service.talk.texts import normalize_text

MINUTE: Final = 60 * SECOND
MOST_MUTES: Final = 500  # of one player
SWEPT: Final = 500  # talks in one step
OPEN_TALK: Final = "INSERT INTO talks (stream) VALUES (%s) ON CONFLICT DO NOTHING"
LOCK_TALK: Final = "SELECT newest, closed FROM talks WHERE stream = %s FOR UPDATE"
LOCK_ACCOUNT: Final = """
SELECT id FROM players WHERE id = (SELECT coalesce(owner, id) FROM players WHERE id = %s) FOR NO KEY UPDATE
"""
REPEATED: Final = "SELECT stream, number, text FROM talk_messages WHERE player = %s AND key = %s"
RECENT: Final = """
SELECT count(*), min(at) FROM (
    SELECT at FROM talk_messages WHERE account = %s AND at > %s ORDER BY at DESC LIMIT %s
) AS recent
"""
IN_ROOM: Final = "SELECT count(*), coalesce(max(version), 0) FROM talk_messages WHERE stream = %s AND room = %s"
INSERT: Final = """
INSERT INTO talk_messages (stream, number, room, version, player, account, at, text, key)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
"""
NEWEST: Final = "UPDATE talks SET newest = %s WHERE stream = %s"
CHANGED: Final = "UPDATE talks SET changes = changes + 1 WHERE stream = %s"
ERASE: Final = """
UPDATE talk_messages SET text = NULL WHERE stream = %s AND number = %s AND player = %s AND text IS NOT NULL
"""
CLOSE: Final = """
INSERT INTO talks (stream, changes, closed) VALUES (%(stream)s, 1, %(closed)s)
ON CONFLICT (stream) DO UPDATE SET closed = %(closed)s, changes = talks.changes + 1
WHERE talks.closed <> %(closed)s
"""
CLOSED: Final = "SELECT closed FROM talks WHERE stream = %s FOR UPDATE"
READ: Final = """
INSERT INTO talk_read (player, stream, number) VALUES (%s, %s, %s)
ON CONFLICT (player, stream) DO UPDATE SET number = excluded.number WHERE talk_read.number < excluded.number
"""
COVER: Final = """
INSERT INTO talk_readers (player, covers) VALUES (%s, %s) ON CONFLICT (player) DO UPDATE SET covers = excluded.covers
"""
MUTE: Final = """
INSERT INTO talk_mutes (player, about, muted)
SELECT %(player)s, %(about)s, %(muted)s
WHERE (SELECT count(*) FROM talk_mutes WHERE player = %(player)s) < %(most)s ON CONFLICT DO NOTHING
"""
UNMUTE: Final = "DELETE FROM talk_mutes WHERE player = %(player)s AND about = %(about)s AND muted = %(muted)s"
OLD: Final = """
SELECT t.stream FROM talks AS t JOIN games AS g ON g.id = t.stream
WHERE g.status IN ('finished', 'aborted') AND g.changed < %(before)s
UNION ALL
SELECT t.stream FROM talks AS t JOIN tournaments AS o ON o.id = t.stream
WHERE o.status IN ('finished', 'cancelled') AND o.changed < %(before)s
LIMIT %(limit)s
"""
SWEEP: Final = (
    "DELETE FROM talk_messages WHERE stream = ANY(%s)",
    "DELETE FROM talk_read WHERE stream = ANY(%s)",
    "DELETE FROM talk_mutes WHERE muted = ANY(%s) AND about <> 'player'",
    "DELETE FROM hidden_texts WHERE stream = ANY(%s) AND about = 'message'",
    "DELETE FROM talks WHERE stream = ANY(%s)",
)


class WriteMessage(NamedTuple):
    """Writes a message; with a key, once."""

    by: UUID
    place: TalkPlace
    text: str
    key: str | None = None  # the Idempotency-Key


class EraseMessage(NamedTuple):
    """Erases the text of an own message."""

    by: UUID
    stream: UUID
    number: int


class CloseRoom(NamedTuple):
    """Closes a room to writers, or opens it."""

    place: TalkPlace
    room: str
    closed: bool


class NoteRead(NamedTuple):
    """Notes up to which message a player has read."""

    by: UUID
    stream: UUID
    number: int


class ChangeReading(NamedTuple):
    """Changes how a player reads: covers rough words, mutes a player or a whole talk, or hears it again."""

    by: UUID
    covers: bool | None = None
    about: str | None = None  # player, game or tournament
    muted: UUID | None = None
    mutes: bool = True


class DeleteOldTalk(NamedTuple):
    """Deletes the messages of games and tournaments that ended long ago."""


def write_message(here: Container, command: WriteMessage) -> WrittenMessage:
    """Stores a message and wakes its readers. Raises TalkRefused, TooManyMessages, InvalidRequest or KeyReused."""
    place, text, at = command.place, normalize_text(command.text), here.now()
    key = None if command.key is None else hashlib.sha256(command.key.encode()).digest()
    with here.stores.pool.connection() as connection, connection.transaction():
        connection.execute(OPEN_TALK, (place.stream,))
        newest, closed = connection.execute(LOCK_TALK, (place.stream,)).fetchone() or (0, [])
        account = _locked_account(connection, command.by)
        number = _number_before(connection, command, text, key)
        if number is None:
            room = check_writable(place, closed)
            _check_rates(here, connection, account, at)
            version = _version_in(here, connection, place, room)
            number = newest + 1
            row = (place.stream, number, room, version, command.by, account, at, text, key)
            connection.execute(INSERT, row)
            connection.execute(NEWEST, (number, place.stream))
        written = get_message(connection, place.stream, number)
    here.announcer.announce(Announcement((str(place.stream),)))
    return written


def erase_message(here: Container, command: EraseMessage) -> None:
    """Erases an own message; an erased one stays so. Raises NotThere for a message that is not the player's."""
    with here.stores.pool.connection() as connection, connection.transaction():
        connection.execute(LOCK_TALK, (command.stream,))
        message = get_message(connection, command.stream, command.number)
        if message.player != command.by:
            raise NotThere("message", command.number)
        if connection.execute(ERASE, (command.stream, command.number, command.by)).rowcount:
            connection.execute(CHANGED, (command.stream,))
    here.announcer.announce(Announcement((str(command.stream),)))


def close_room(here: Container, command: CloseRoom) -> None:
    """Closes or opens a room; one that is so already stays."""
    stream = command.place.stream
    with here.stores.pool.connection() as connection, connection.transaction():
        if command.closed:
            connection.execute(OPEN_TALK, (stream,))  # a row to lock, also where nothing was said yet
        row = connection.execute(CLOSED, (stream,)).fetchone()
        before = set(row[0] if row else ())
        closed = before | {command.room} if command.closed else before - {command.room}
        if closed != before:
            connection.execute(CLOSE, {"stream": stream, "closed": sorted(closed)})
    here.announcer.announce(Announcement((str(stream),)))


def note_read(here: Container, command: NoteRead) -> None:
    """Notes what a player has read; an older note changes nothing, and none is kept of a talk without messages."""
    if command.number == 0:
        return
    with here.stores.pool.connection() as connection:
        connection.execute(READ, command)


def change_reading(here: Container, command: ChangeReading) -> None:
    """Changes how a player reads. Raises TalkRefused for more mutes than a player may have."""
    with here.stores.pool.connection() as connection, connection.transaction():
        if command.covers is not None:
            connection.execute(COVER, (command.by, command.covers))
        if command.muted is None:
            return
        values = {"player": command.by, "about": command.about, "muted": command.muted, "most": MOST_MUTES}
        lock_account(connection, command.by)  # else mutes at once are more than allowed
        if not command.mutes:
            connection.execute(UNMUTE, values)
        elif not connection.execute(MUTE, values).rowcount and not _is_muted(connection, values):
            raise TalkRefused("too_many_mutes", "you mute {most} already; hear one again first", most=MOST_MUTES)


def delete_old_talk(here: Container, _command: DeleteOldTalk) -> bool:
    """Deletes the talk of some games and tournaments that ended long ago. Returns whether there may be more."""
    values = {"before": here.now() - here.settings.talk_days * DAY, "limit": SWEPT}
    with here.stores.pool.connection() as connection, connection.transaction():
        old = [stream for (stream,) in connection.execute(OLD, values).fetchall()]
        for statement in SWEEP:
            connection.execute(statement, (old,))
    return len(old) == SWEPT


COMMANDS: Final[Mapping[type, Callable[[Container, Any], object]]] = {
    WriteMessage: write_message,
    EraseMessage: erase_message,
    CloseRoom: close_room,
    NoteRead: note_read,
    ChangeReading: change_reading,
    DeleteOldTalk: delete_old_talk,
}


def _locked_account(connection: Connection, player: UUID) -> UUID:
    row = connection.execute(LOCK_ACCOUNT, (player,)).fetchone()
    if row is None:
        raise NotThere("player", player)
    account: UUID = row[0]
    return account


def _number_before(connection: Connection, command: WriteMessage, text: str, key: bytes | None) -> int | None:
    """Returns the number under which the same request wrote this message; raises KeyReused for another message."""
    row = None if key is None else connection.execute(REPEATED, (command.by, key)).fetchone()
    if row is None:
        return None
    stream, number, written = row
    found: int = number
    if stream != command.place.stream or written not in (text, None):
        raise KeyReused(str(command.by), command.key or "")
    return found


def _check_rates(here: Container, connection: Connection, account: UUID, at: int) -> None:
    for most, span in ((here.settings.talk_per_minute, MINUTE), (here.settings.talk_per_day, DAY)):
        written, first = connection.execute(RECENT, (account, at - span, most)).fetchone() or (0, None)
        if written >= most:
            raise TooManyMessages(most, -(-((first or at) + span - at) // SECOND))


def _version_in(here: Container, connection: Connection, place: TalkPlace, room: str) -> int:
    """Returns the version that a message is bound to: never an earlier one than those before it in its room."""
    written, newest = connection.execute(IN_ROOM, (place.stream, room)).fetchone() or (0, 0)
    if written >= here.settings.talk_per_table:
        raise TalkRefused("full", "this talk holds {most} messages and takes no more", most=written)
    version: int = max(place.version, newest)
    return version


def _is_muted(connection: Connection, values: Mapping[str, object]) -> bool:
    found = connection.execute(
        "SELECT FROM talk_mutes WHERE player = %(player)s AND about = %(about)s AND muted = %(muted)s", values
    )
    return found.fetchone() is not None
