"""Reads table talk: the messages that a client may see, how it reads, and what it has not read."""

from collections.abc import Mapping, Sequence
from typing import Final, LiteralString, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.rows import class_row

from service.core.errors import NotThere
from service.talk.rooms import EVERYTHING, PLAYERS, SPECTATORS, TOURNAMENT, TalkPlace

COLUMNS: Final[LiteralString] = "m.stream, m.number, m.room, m.version, m.player, m.at, m.text"
MESSAGE: Final[LiteralString] = (
    "SELECT " + COLUMNS + " FROM talk_messages AS m WHERE stream = %s AND number = %s"  # noqa: S608 - constants alone
)
SEEN: Final[LiteralString] = """
m.stream = %(stream)s AND (
    (m.room = 'players' AND m.version <= %(players)s) OR (m.room = 'spectators' AND m.version <= %(spectators)s)
    OR (m.room = 'tournament' AND m.version <= %(tournament)s)
)
"""
FROM_SEEN: Final[LiteralString] = "SELECT " + COLUMNS + " FROM talk_messages AS m WHERE " + SEEN  # noqa: S608 - constants alone
NEWER: Final[LiteralString] = FROM_SEEN + " AND m.number > %(after)s ORDER BY m.number LIMIT %(limit)s"
OLDER: Final[LiteralString] = FROM_SEEN + " AND m.number < %(before)s ORDER BY m.number DESC LIMIT %(limit)s"
HIDDEN: Final = "SELECT number FROM hidden_texts WHERE stream = %s AND about = 'message'"
STATE: Final = "SELECT newest, changes, closed FROM talks WHERE stream = %s"
NEWEST_SEEN: Final[LiteralString] = """
SELECT number FROM talk_messages WHERE stream = %s AND room = %s AND version <= %s ORDER BY number DESC LIMIT 1
"""
READ: Final = "SELECT number FROM talk_read WHERE player = %s AND stream = %s"
COVERS: Final = "SELECT covers FROM talk_readers WHERE player = %s"
MUTES: Final = "SELECT about, muted FROM talk_mutes WHERE player = %s ORDER BY about, muted"
UNREAD: Final[LiteralString] = (
    "SELECT count(*) FROM (SELECT FROM talk_messages AS m WHERE "  # noqa: S608 - constants alone
    + SEEN
    + """ AND m.number > %(read)s AND m.text IS NOT NULL AND m.player <> %(player)s
    AND NOT EXISTS (SELECT FROM talk_mutes WHERE player = %(player)s AND muted IN (m.player, m.stream))
    LIMIT %(most)s
) AS unread
"""
)
MOST_UNREAD: Final = 100  # more are not counted
WAITING: Final = """
SELECT t.stream, (
    SELECT count(*) FROM (
        SELECT FROM talk_messages AS m WHERE m.stream = t.stream AND m.room = 'players' AND m.text IS NOT NULL
        AND m.player <> %(asker)s AND m.number > coalesce(r.number, 0)
        AND NOT EXISTS (SELECT FROM talk_mutes WHERE player = %(asker)s AND muted IN (m.player, m.stream))
        LIMIT %(most)s
    ) AS unread
) AS unread
FROM (SELECT p.id FROM places AS p WHERE p.player = %(asker)s::text ORDER BY p.created DESC LIMIT %(games)s) AS own
JOIN talks AS t ON t.stream = own.id LEFT JOIN talk_read AS r ON r.player = %(asker)s AND r.stream = t.stream
WHERE t.newest > coalesce(r.number, 0) ORDER BY t.stream
"""
RECENT_GAMES: Final = 200  # of a player, whose messages are counted in the list


class WrittenMessage(NamedTuple):
    """A message as it is stored."""

    stream: UUID
    number: int
    room: str
    version: int
    player: UUID
    at: int
    text: str | None


class TalkState(NamedTuple):
    """The newest number of a talk, its changes, and its closed rooms."""

    newest: int = 0
    changes: int = 0
    closed: Sequence[str] = ()


class Reading(NamedTuple):
    """How a player reads: covered words, muted players and talks."""

    covers: bool = False
    mutes: frozenset[tuple[str, UUID]] = frozenset()

    def mutes_player(self, player: UUID) -> bool:
        """Returns whether the messages of a player are left out."""
        return ("player", player) in self.mutes


class TalkPage(NamedTuple):
    """Some messages of a talk with what surrounds them."""

    place: TalkPlace
    newest: Mapping[str, int]  # by room; a client follows the talk from there
    state: TalkState
    messages: Sequence[WrittenMessage]  # oldest first
    more: bool  # whether there are further ones in the direction that was asked for
    hidden: frozenset[int]
    reading: Reading
    read: int
    unread: int


def get_message(connection: Connection, stream: UUID, number: int) -> WrittenMessage:
    """Returns a message, whoever may see it; raises NotThere."""
    with connection.cursor(row_factory=class_row(WrittenMessage)) as cursor:
        found = cursor.execute(MESSAGE, (stream, number)).fetchone()
    if found is None:
        raise NotThere("message", number)
    return found


def talk_page(
    connection: Connection, place: TalkPlace, player: UUID | None, after: int | None, before: int | None, limit: int
) -> TalkPage:
    """Returns the messages after a number, those before one, or the newest, as a client sees them.

    What the client follows from is read first: a message that is written meanwhile may be in the page already, and
    is never told of as read when it is not.
    """
    newest, state = newest_seen(connection, place.stream, place.reads), talk_state(connection, place.stream)
    values = {**_seen(place), "after": after, "before": before or EVERYTHING, "limit": limit + 1}
    with connection.cursor(row_factory=class_row(WrittenMessage)) as cursor:
        found = cursor.execute(OLDER if after is None else NEWER, values).fetchall()
    messages = found[:limit] if after is not None else found[:limit][::-1]
    return TalkPage(
        place,
        newest,
        state,
        messages,
        len(found) > limit,
        hidden_messages(connection, place.stream),
        reading_of(connection, player),
        _last_read(connection, place.stream, player),
        _unread(connection, place, player),
    )


def newest_messages(connection: Connection, place: TalkPlace, limit: int) -> list[WrittenMessage]:
    """Returns the newest messages that a client sees, oldest first."""
    values = {**_seen(place), "before": EVERYTHING, "limit": limit}
    with connection.cursor(row_factory=class_row(WrittenMessage)) as cursor:
        return cursor.execute(OLDER, values).fetchall()[::-1]


def talk_state(connection: Connection, stream: UUID) -> TalkState:
    """Returns the state of a talk; one without messages has none stored."""
    row = connection.execute(STATE, (stream,)).fetchone()
    return TalkState() if row is None else TalkState(*row)


def newest_seen(connection: Connection, stream: UUID, reads: Mapping[str, int]) -> dict[str, int]:
    """Returns the number of the newest visible message of each room; 0 without any."""
    rows = {room: connection.execute(NEWEST_SEEN, (stream, room, seen)).fetchone() for room, seen in reads.items()}
    return {room: 0 if row is None else int(row[0]) for room, row in rows.items()}


def hidden_messages(connection: Connection, stream: UUID) -> frozenset[int]:
    """Returns the numbers of the messages that an administrator has hidden."""
    return frozenset(number for (number,) in connection.execute(HIDDEN, (stream,)))


def reading_of(connection: Connection, player: UUID | None) -> Reading:
    """Returns how a player reads; a visitor as one who has set nothing."""
    if player is None:
        return Reading()
    row = connection.execute(COVERS, (player,)).fetchone()
    mutes = frozenset((str(about), muted) for about, muted in connection.execute(MUTES, (player,)))
    return Reading(row is not None and bool(row[0]), mutes)


def unread_by_game(connection: Connection, player: UUID) -> dict[UUID, int]:
    """Returns how many messages a player has not read at the tables of its newest games; without those of none."""
    values = {"asker": player, "most": MOST_UNREAD, "games": RECENT_GAMES}
    return {stream: unread for stream, unread in connection.execute(WAITING, values) if unread}


def _seen(place: TalkPlace) -> dict[str, object]:
    versions = {room: place.reads.get(room, -1) for room in (PLAYERS, SPECTATORS, TOURNAMENT)}
    return {"stream": place.stream, **versions}


def _last_read(connection: Connection, stream: UUID, player: UUID | None) -> int:
    row = None if player is None else connection.execute(READ, (player, stream)).fetchone()
    return 0 if row is None else int(row[0])


def _unread(connection: Connection, place: TalkPlace, player: UUID | None) -> int:
    if player is None:
        return 0
    read = _last_read(connection, place.stream, player)
    values = {**_seen(place), "read": read, "player": player, "most": MOST_UNREAD}
    row = connection.execute(UNREAD, values).fetchone()
    return int(row[0]) if row else 0
