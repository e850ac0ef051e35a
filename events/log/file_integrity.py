"""Compares every file of a published log, and of the private event archive, with the log in the database."""

from collections.abc import Iterator
from itertools import groupby

from psycopg import Connection

from events.errors import CabildoError
from events.event_digest import digest
from events.log.event_archive import Archive
from events.log.integrity import ARCHIVES, TILES, Fault, Stretch
from events.log.leaves import BUNDLED, leaves
from events.log.publisher import Publisher
from events.log.tile_files import TileFiles
from events.merkle.tiles import WIDTH, Tile, read_path
from events.merkle.tree import HASH_SIZE

Files = list[tuple[str, Tile | None]]


class PublishedFiles:
    """The tiles and bundles of an origin, also narrow ones that wider ones replaced."""

    def __init__(self, connection: Connection, origin: str, files: TileFiles) -> None:
        self._connection = connection
        self._files = files
        self._publisher = Publisher(origin, files)

    def part(self, after: str) -> Iterator[Stretch]:
        """Yields the faults of the files, one stretch of the log after the other."""
        found = sorted(((path, _tile(path)) for path in self._paths()), key=_place)
        done = 0
        for place, same in groupby(found, _place):
            group = list(same)
            done += len(group)
            if place > after:
                yield Stretch(place, done, len(found), tuple(self._faults(group)))

    def _paths(self) -> Iterator[str]:
        return self._files.paths("tile")

    def _faults(self, group: Files) -> Iterator[Fault]:
        tiles = [(path, tile) for path, tile in group if tile is not None]
        for path, tile in group:
            if tile is None:
                yield Fault(TILES, f"{path} is no file of a log")
        if not tiles:
            return
        widest = max((tile for _, tile in tiles), key=lambda tile: tile.width)
        try:
            whole = self._publisher.content(self._connection, widest)
        except CabildoError as fault:
            yield Fault(TILES, f"{widest.path} cannot be held against the log: {fault}")
            return
        for path, tile in tiles:
            size = tile.width * (BUNDLED if tile.level is None else HASH_SIZE)
            if self._files.read(path) != whole[:size] or size > len(whole):
                yield Fault(TILES, f"{path} is not what the log holds")


class ArchivedFiles:
    """The private archive of published events."""

    def __init__(self, connection: Connection, archive: Archive, size: int) -> None:
        self._connection = connection
        self._archive = archive
        self._size = size

    def part(self, after: str) -> Iterator[Stretch]:
        """Yields the faults of the archive, bundle by bundle."""
        for begin in range(int(after or "0"), self._size, WIDTH):
            end = min(begin + WIDTH, self._size)
            faults = tuple(self._faults(Tile(None, begin // WIDTH, end - begin)))
            yield Stretch(str(end), end, self._size, faults)

    def _faults(self, tile: Tile) -> Iterator[Fault]:
        begin = tile.number * WIDTH
        try:
            bodies = self._archive.read(tile)
            logged = list(leaves(self._connection, begin, begin + tile.width))
        except CabildoError as fault:
            yield Fault(ARCHIVES, str(fault))
            return
        for leaf, body in zip(logged, bodies, strict=False):
            if digest(body) != leaf.event:
                yield Fault(ARCHIVES, f"the archive holds something else for event {leaf.seq} of {leaf.stream}")


def _tile(path: str) -> Tile | None:
    try:
        return read_path(path)
    except CabildoError:
        return None


def _place(found: tuple[str, Tile | None]) -> str:
    """Returns the place of a file: files of one place differ only in width."""
    path, tile = found
    return path if tile is None else tile._replace(width=WIDTH).path
