"""A log as static files (C2SP tlog-tiles): names and contents of tiles, and proofs read from them."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from events.merkle.errors import UnreadableText
from events.merkle.tree import HASH_SIZE, Tree

WIDTH = 256
HEIGHT = 8  # levels of the tree in one tile
MAX_ENTRY = 65_535
_LEVELS = 63 // HEIGHT + 1

_NAME = re.compile(
    r"tile/(?P<level>entries|0|[1-9][0-9]?)/(?P<number>(?:x[0-9]{3}/)*[0-9]{3})(?:\.p/(?P<width>[1-9][0-9]{0,2}))?",
    re.ASCII,
)


class Tile(NamedTuple):
    """A tile of hashes, or a bundle of entries (level None); narrower than 256 while it is the last of its level."""

    level: int | None
    number: int
    width: int = WIDTH

    @property
    def path(self) -> str:
        """The tile's path below the log's prefix: 1234067 is x001/x234/067."""
        digits = f"{self.number:03d}"
        digits = digits.zfill(-len(digits) % 3 + len(digits))
        groups = [digits[at : at + 3] for at in range(0, len(digits), 3)]
        number = "".join(f"x{group}/" for group in groups[:-1]) + groups[-1]
        level = "entries" if self.level is None else self.level
        return f"tile/{level}/{number}" + ("" if self.width == WIDTH else f".p/{self.width}")


def read_path(path: str) -> Tile:
    """Parses the path of a tile; raises UnreadableText for any other form."""
    found = _NAME.fullmatch(path)
    if not found:
        raise UnreadableText("tile path", f"{path[:100]!r} is not one")
    level = None if found["level"] == "entries" else int(found["level"])
    number = int(found["number"].replace("x", "").replace("/", ""))
    tile = Tile(level, number, int(found["width"] or WIDTH))
    if tile.path != path or (level or 0) > 63 or tile.width > WIDTH or number >= 2**63:
        raise UnreadableText("tile path", f"{path[:100]!r} is not one")
    return tile


def tiles_between(old: int, size: int) -> Iterator[Tile]:
    """Yields the tiles and bundles that are new or wider at `size` leaves; bundles first, then level by level."""
    levels = (None, *range(_LEVELS))
    for level in levels:
        had, has = (count >> HEIGHT * (level or 0) for count in (old, size))
        if had == has:
            return
        for number in range(had // WIDTH, -(-has // WIDTH)):
            yield Tile(level, number, min(WIDTH, has - number * WIDTH))


def tile_with(level: int, number: int, size: int) -> Tile:
    """Returns the tile that holds node `number` of tile level `level` in a tree of `size` leaves."""
    has = size >> HEIGHT * level
    first = number // WIDTH * WIDTH
    return Tile(level, number // WIDTH, min(WIDTH, has - first))


class TiledTree:
    """A tree of a known size read tile by tile; the proofs read its `node`."""

    def __init__(self, size: int, fetch: Callable[[Tile], bytes]) -> None:
        self._size = size
        self._fetch = fetch
        self._read: dict[Tile, Tree] = {}

    def node(self, level: int, number: int) -> bytes:
        tile_level, inner = divmod(level, HEIGHT)
        tile = tile_with(tile_level, number << inner, self._size)
        return self._tree(tile).node(inner, number - (tile.number << HEIGHT - inner))

    def _tree(self, tile: Tile) -> Tree:
        if tile not in self._read:
            self._read[tile] = Tree(read_hashes(self._fetch(tile), tile.width))
        return self._read[tile]


def read_hashes(data: bytes, width: int) -> list[bytes]:
    """Returns the hashes of a tile that must hold exactly `width` of them."""
    if len(data) != width * HASH_SIZE:
        raise UnreadableText("tile", f"{len(data)} bytes instead of {width * HASH_SIZE}")
    return [data[at : at + HASH_SIZE] for at in range(0, len(data), HASH_SIZE)]


def write_bundle(entries: Sequence[bytes]) -> bytes:
    """Returns entries, each after its length in two bytes."""
    if any(len(entry) > MAX_ENTRY for entry in entries):
        raise UnreadableText("entry bundle", f"an entry is longer than {MAX_ENTRY} bytes")
    return b"".join(len(entry).to_bytes(2, "big") + entry for entry in entries)


def read_bundle(data: bytes, width: int) -> list[bytes]:
    """Returns the entries of a bundle that must hold exactly `width` of them."""
    entries, at = [], 0
    while at < len(data):
        begin = at + 2
        at = begin + int.from_bytes(data[at:begin], "big")
        entries.append(data[begin:at])
    if at != len(data) or len(entries) != width:
        raise UnreadableText("entry bundle", f"does not hold exactly {width} entries")
    return entries
