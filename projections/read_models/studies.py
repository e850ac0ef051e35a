"""Read model of lists and search of studies."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, LiteralString

from psycopg import Connection

from events.event import Event
from events.log.follow import LoggedEvent

OPENED: LiteralString = """
INSERT INTO studies (stream, version, title, visibility, cloned_from, created, changed)
VALUES (%(stream)s, %(seq)s, decode(%(title)s, 'hex'), %(visibility)s, %(cloned_from)s, %(at)s, %(at)s)
"""
MOVED_ON: LiteralString = "UPDATE studies SET version = %(seq)s, changed = %(at)s WHERE stream = %(stream)s"
TITLED: LiteralString = "UPDATE studies SET title = decode(%(title)s, 'hex') WHERE stream = %(stream)s"
SHOWN: LiteralString = "UPDATE studies SET visibility = %(visibility)s WHERE stream = %(stream)s"
JOINED: LiteralString = """
INSERT INTO study_members (stream, player, role) VALUES (%(stream)s, %(player)s, %(role)s)
ON CONFLICT (stream, player) DO UPDATE SET role = excluded.role
"""
LEFT: LiteralString = "DELETE FROM study_members WHERE stream = %(stream)s AND player = %(player)s"
ADDED: LiteralString = """
INSERT INTO study_chapters (stream, chapter, game, about, lesson)
VALUES (%(stream)s, %(chapter)s, %(game)s, %(about)s, %(lesson)s)
"""
TAUGHT: LiteralString = """
UPDATE study_chapters SET lesson = %(lesson)s WHERE stream = %(stream)s AND chapter = %(chapter)s
"""
DELETED: LiteralString = "DELETE FROM study_chapters WHERE stream = %(stream)s AND chapter = %(chapter)s"
FORGOTTEN: tuple[LiteralString, ...] = (
    "DELETE FROM study_chapters WHERE stream = %(stream)s",
    "DELETE FROM study_members WHERE stream = %(stream)s",
    "DELETE FROM studies WHERE stream = %(stream)s",
)
Data = Mapping[str, Any]
Put = Callable[[Connection, Event, Data], None]


class Listing:
    """A row for each study, each member and each chapter."""

    name = "studies"
    version = 1

    def apply(self, connection: Connection, entries: Sequence[LoggedEvent]) -> None:
        """Updates the lists with events of studies."""
        for _, event in entries:
            put = _PUTS.get(event.kind)
            if put is not None:
                data: Data = {**event.data, "stream": event.stream, "seq": event.seq, "at": event.at}
                put(connection, event, data)
                connection.execute(MOVED_ON, data)


def _created(connection: Connection, event: Event, data: Data) -> None:
    connection.execute(OPENED, data)
    connection.execute(JOINED, {**data, "player": event.actor, "role": "owner"})


def _study_changed(connection: Connection, event: Event, data: Data) -> None:
    for name, statement in (("title", TITLED), ("visibility", SHOWN)):
        if name in event.data:
            connection.execute(statement, data)


def _study_deleted(connection: Connection, _event: Event, data: Data) -> None:
    for statement in FORGOTTEN:
        connection.execute(statement, data)


def _member_changed(connection: Connection, _event: Event, data: Data) -> None:
    connection.execute(LEFT if data["role"] is None else JOINED, data)


def _chapter_added(connection: Connection, _event: Event, data: Data) -> None:
    connection.execute(ADDED, {**data, "about": data["of"] and data["of"]["stream"]})


def _chapter_changed(connection: Connection, event: Event, data: Data) -> None:
    if "lesson" in event.data:
        connection.execute(TAUGHT, data)


def _chapter_deleted(connection: Connection, _event: Event, data: Data) -> None:
    connection.execute(DELETED, data)


def _inside(_connection: Connection, _event: Event, _data: Data) -> None:
    """Changes no list except the order by the newest change."""


_PUTS: Final[Mapping[str, Put]] = {
    "study_created": _created,
    "study_changed": _study_changed,
    "study_deleted": _study_deleted,
    "member_changed": _member_changed,
    "chapter_added": _chapter_added,
    "chapter_changed": _chapter_changed,
    "chapter_deleted": _chapter_deleted,
    **dict.fromkeys(("node_added", "node_ranked", "node_deleted", "comment_written", "comment_deleted"), _inside),
    **dict.fromkeys(("place_marked", "question_set"), _inside),
}
