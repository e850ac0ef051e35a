"""Writes whole streams into files with a manifest, and verifies the written copy against the log of the database."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.body_packing import unpack_body
from events.canonical import canonical
from events.cold.reader import ColdFile, fetch, file_path
from events.cold.stream_files import ColdFileDamaged, pack_streams
from events.errors import CabildoError
from events.event import START, Head
from events.event_digest import digest
from events.files.places import open_place

FORMAT: Final = "cabildo/cold/v1"
MANIFEST: Final = "manifest.json"
FILE_SIZE: Final = 1 << 20  # bytes of events in a file, before they are compressed; one stream may be larger
STORED: Final = """
SELECT kind, events.hash, body, log.hash, idx FROM events LEFT JOIN log USING (stream, seq)
WHERE stream = %s ORDER BY seq
"""
LOGGED: Final = "SELECT hash FROM log WHERE stream = %s ORDER BY seq"


class CannotArchive(CabildoError):
    """The events of a stream are not what the log says, or changed while they were archived; nothing was removed."""


class PackedStream(NamedTuple):
    """A stream in a file of an archive."""

    stream: UUID
    kind: str
    head: Head
    file: int


class WrittenArchive(NamedTuple):
    """The files of an archive as they were written."""

    place: str
    folder: str
    month: str
    streams: Sequence[PackedStream]
    files: Sequence[bytes]  # SHA-256 of each
    size: int  # bytes
    log_end: int
    manifest: bytes

    @property
    def events(self) -> int:
        """The number of all events."""
        return sum(stream.head.seq for stream in self.streams)


class StoredStream(NamedTuple):
    """The events of a stream in the database, compared with the log."""

    stream: UUID
    kind: str
    head: Head
    bodies: Sequence[bytes]
    log_end: int


def write_archive(
    connection: Connection, place: str, folder: str, month: str, streams: Sequence[UUID]
) -> WrittenArchive:
    """Writes streams into the files of a new folder, and a manifest that names each by its hash.

    Raises CannotArchive for a stream that is not wholly in the log as it is stored. Raises FilesAway.
    """
    files, packed, size, log_end = list[bytes](), list[PackedStream](), 0, 0
    for number, group in enumerate(_groups(connection, streams)):
        data = pack_streams({one.stream: one.bodies for one in group})
        open_place(place).keep_all([(file_path(folder, number), data)])
        files.append(hashlib.sha256(data).digest())
        packed += [PackedStream(one.stream, one.kind, one.head, number) for one in group]
        size, log_end = size + len(data), max(log_end, *(one.log_end for one in group))
    manifest = canonical(
        {
            "format": FORMAT,
            "month": month,
            "streams": len(packed),
            "events": sum(one.head.seq for one in packed),
            "log_end": log_end,
            "files": [hash.hex() for hash in files],
        }
    )
    open_place(place).keep_all([(f"{folder}/{MANIFEST}", manifest)])
    return WrittenArchive(place, folder, month, packed, files, size, log_end, hashlib.sha256(manifest).digest())


def verify_archive(connection: Connection, archive: WrittenArchive) -> None:
    """Reads the written files back and compares every hash, computed anew, with the log.

    Raises ColdFileDamaged, CannotArchive and FilesAway.
    """
    verify_files(connection, archive.place, archive.folder, archive.manifest)
    count = sum(len(fetch(ColdFile(archive.place, archive.folder, *file))) for file in enumerate(archive.files))
    if count != len(archive.streams):
        raise CannotArchive("the files hold other streams than were archived")


def verify_files(connection: Connection, place: str, folder: str, manifest: bytes) -> int:
    """Verifies the files of an archive by its manifest; returns the number of events."""
    path = f"{folder}/{MANIFEST}"
    data = open_place(place).read(path)
    if data is None or hashlib.sha256(data).digest() != manifest:
        raise ColdFileDamaged(path)
    told, events = json.loads(data), 0
    for number, hash in enumerate(told["files"]):
        for stream, found in fetch(ColdFile(place, folder, number, bytes.fromhex(hash))).items():
            logged = [bytes(row[0]) for row in connection.execute(LOGGED, (stream,))]
            if [event.hash for event in found] != logged:
                raise CannotArchive("the archived events of {stream} are not those of the log", stream=stream)
            events += len(found)
    return events


def _groups(connection: Connection, streams: Sequence[UUID]) -> Iterator[list[StoredStream]]:
    """Yields the streams in groups of a file each."""
    group, size = list[StoredStream](), 0
    for stream in sorted(streams):
        stored = _stored(connection, stream)
        group.append(stored)
        size += sum(map(len, stored.bodies))
        if size >= FILE_SIZE:
            yield group
            group, size = [], 0
    if group:
        yield group


def _stored(connection: Connection, stream: UUID) -> StoredStream:
    rows = [
        (kind, hash, unpack_body(body), logged, idx)
        for kind, hash, body, logged, idx in connection.execute(STORED, (stream,), binary=True)
    ]
    for seq, (_, hash, body, logged, _) in enumerate(rows, 1):
        if hash != logged or digest(body) != hash:
            raise CannotArchive("event {seq} of {stream} is not the one that the log names", seq=seq, stream=stream)
    if not rows:
        raise CannotArchive("{stream} has no events", stream=stream)
    head = Head(len(rows), rows[-1][1]) if rows else START
    return StoredStream(stream, rows[0][0], head, [row[2] for row in rows], max(row[4] for row in rows) + 1)
