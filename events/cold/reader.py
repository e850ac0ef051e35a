"""Reads archived streams: finds their file in the catalogue, fetches it within a deadline, keeps some in memory."""

import hashlib
import os
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Final, NamedTuple
from uuid import UUID

from cachetools import LRUCache
from psycopg import Connection

from events.cold.stream_files import ColdFileDamaged, StoredBytes, unpack_streams
from events.event import Head
from events.files.places import open_place

FIND: Final = """
SELECT cold.stream, cold.kind, cold.events, cold.head, archives.place, archives.folder, files.number, files.hash
FROM cold_streams AS cold
JOIN cold_archives AS archives ON archives.number = cold.archive
JOIN cold_files AS files ON files.archive = cold.archive AND files.number = cold.file
WHERE cold.stream = ANY(%s)
"""
MOST_REMEMBERED: Final = 64 << 20  # bytes of events in memory

Place = tuple[UUID, int]  # a stream and the number of an event in it
Streams = Mapping[UUID, Sequence[StoredBytes]]


class ColdFile(NamedTuple):
    """A file of archived streams, and its SHA-256."""

    place: str
    folder: str
    number: int
    hash: bytes

    @property
    def path(self) -> str:
        """The path of the file in its place."""
        return file_path(self.folder, self.number)


class ColdStream(NamedTuple):
    """An archived stream."""

    stream: UUID
    kind: str  # of its first event
    head: Head
    file: ColdFile


def file_path(folder: str, number: int) -> str:
    """Returns the path of a file of an archive."""
    return f"{folder}/{number:06}.streams"


def find_cold(connection: Connection, streams: Sequence[UUID]) -> dict[UUID, ColdStream]:
    """Returns those of the streams that are archived."""
    rows = connection.execute(FIND, (list(streams),), binary=True).fetchall()
    return {
        stream: ColdStream(stream, kind, Head(count, bytes(head)), ColdFile(place, folder, number, bytes(hash)))
        for stream, kind, count, head, place, folder, number, hash in rows
    }


def cold_events(connection: Connection, stream: UUID) -> Sequence[StoredBytes]:
    """Returns all events of an archived stream; none for a stream that is not archived.

    Raises FilesAway and ColdFileDamaged.
    """
    found = find_cold(connection, [stream]).get(stream)
    return load_cold(found) if found else ()


def cold_entries(
    connection: Connection, wanted: Sequence[Place], *, skip_damaged: bool = False
) -> dict[Place, StoredBytes]:
    """Returns those of the wanted events that are archived; each file is read once, however many events it holds.

    Raises FilesAway, and ColdFileDamaged unless damaged files are skipped.
    """
    by_stream: dict[UUID, list[int]] = {}
    for stream, seq in wanted:
        by_stream.setdefault(stream, []).append(seq)
    found: dict[Place, StoredBytes] = {}
    for cold in sorted(find_cold(connection, [*by_stream]).values(), key=lambda cold: cold.file):
        try:
            events = load_cold(cold)
        except ColdFileDamaged:
            if not skip_damaged:
                raise
            continue
        found |= {(cold.stream, seq): events[seq - 1] for seq in by_stream[cold.stream] if 0 < seq <= len(events)}
    return found


def load_cold(cold: ColdStream) -> Sequence[StoredBytes]:
    """Returns the events of an archived stream; raises FilesAway and ColdFileDamaged."""
    events = _REMEMBERED.streams(cold.file).get(cold.stream, ())
    if not events or (len(events), events[-1].hash) != cold.head:
        raise ColdFileDamaged(cold.file.path)
    return events


def fetch(file: ColdFile) -> Streams:
    """Reads a file and computes every hash in it again; raises FilesAway and ColdFileDamaged."""
    data = open_place(file.place).read(file.path)
    if data is None or hashlib.sha256(data).digest() != file.hash:
        raise ColdFileDamaged(file.path)
    return unpack_streams(data, file.path)


class RememberedFiles:
    """The files that were read last, as far as they fit; threads may share it."""

    def __init__(self, most: int = MOST_REMEMBERED) -> None:
        self._most = most
        self.forget()

    def streams(self, file: ColdFile) -> Streams:
        """Returns the streams of a file; two threads may fetch one at the same time."""
        with self._lock:
            found = self._files.get(file)
        if found is None:
            found = fetch(file)
            with self._lock:
                if _size(found) <= self._most:
                    self._files[file] = found
        return found

    @property
    def size(self) -> int:
        """Bytes of the events that are in memory."""
        with self._lock:
            return int(self._files.currsize)

    def forget(self) -> None:
        """Drops all files; after a fork, the lock too: a thread of the parent may have held it."""
        self._lock = Lock()
        self._files: LRUCache[ColdFile, Streams] = LRUCache(self._most, getsizeof=_size)


def _size(streams: Streams) -> int:
    return sum(len(event.body) for events in streams.values() for event in events)


_REMEMBERED = RememberedFiles()
os.register_at_fork(after_in_child=_REMEMBERED.forget)
