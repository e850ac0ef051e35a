"""The catalogue of archives: lists them, verifies their files, restores their streams into the database."""

import json
from datetime import datetime
from typing import Final, NamedTuple

from psycopg import Connection
from psycopg.rows import class_row

from events.body_packing import pack_body
from events.cold.archive_files import verify_files
from events.cold.reader import ColdFile, fetch
from events.errors import CabildoError

ARCHIVES: Final = """
SELECT number, month, place, folder, manifest, streams, events, at FROM cold_archives ORDER BY month, number
"""
FILES: Final = "SELECT number, hash FROM cold_files WHERE archive = %s ORDER BY number"
INSERT: Final = "INSERT INTO events (stream, seq, kind, at, hash, body) VALUES (%s, %s, %s, %s, %s, %s)"
FORGET: Final = (
    "DELETE FROM cold_streams WHERE archive = %s",
    "DELETE FROM cold_files WHERE archive = %s",
    "DELETE FROM cold_archives WHERE number = %s",
)
MOVE: Final = "UPDATE cold_archives SET place = %s WHERE number = %s"


class NoSuchArchive(CabildoError):
    """There is no archive of this number."""

    def __init__(self, number: int) -> None:
        super().__init__("there is no archive {number}; cabildo months list shows all", number=number)
        self.number = number


class ColdArchive(NamedTuple):
    """An archive of finished streams."""

    number: int
    month: str
    place: str
    folder: str
    manifest: bytes
    streams: int
    events: int
    at: datetime


def archives(connection: Connection) -> list[ColdArchive]:
    """Returns all archives, by month."""
    with connection.cursor(row_factory=class_row(ColdArchive)) as cursor:
        return cursor.execute(ARCHIVES).fetchall()


def archive_numbered(connection: Connection, number: int) -> ColdArchive:
    """Returns an archive; raises NoSuchArchive."""
    found = next((one for one in archives(connection) if one.number == number), None)
    if found is None:
        raise NoSuchArchive(number)
    return found


def verify(connection: Connection, archive: ColdArchive) -> int:
    """Reads all files of an archive, compares every hash with the log; returns the number of events.

    Raises ColdFileDamaged, CannotArchive and FilesAway.
    """
    return verify_files(connection, archive.place, archive.folder, archive.manifest)


def move_place(connection: Connection, archive: ColdArchive, place: str) -> None:
    """Names another place for the files of an archive, once they are verified there."""
    moved = archive._replace(place=place)
    verify(connection, moved)
    connection.execute(MOVE, (place, archive.number))


def restore(connection: Connection, archive: ColdArchive) -> None:
    """Inserts the events of an archive into the database again and forgets it; its files stay.

    Raises ColdFileDamaged, CannotArchive and FilesAway; nothing has changed then.
    """
    verify(connection, archive)
    with connection.transaction(), connection.cursor() as cursor:
        for number, hash in connection.execute(FILES, (archive.number,)).fetchall():
            streams = fetch(ColdFile(archive.place, archive.folder, number, bytes(hash)))
            for stream, events in streams.items():
                told = [json.loads(event.body) for event in events]
                cursor.executemany(
                    INSERT,
                    [
                        (stream, seq, said["kind"], said["at"], event.hash, pack_body(said["kind"], event.body))
                        for seq, (said, event) in enumerate(zip(told, events, strict=True), 1)
                    ],
                )
        for forget in FORGET:
            connection.execute(forget, (archive.number,))
