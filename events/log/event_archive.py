"""Encrypted archive of the bytes of all published events, from which recovery restores a database."""

import struct
import zlib
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from psycopg import Connection

from events.errors import CabildoError
from events.event import new_salt
from events.files.directory_store import DirectoryStore
from events.files.file_store import FileStore
from events.log.tile_files import TileFiles
from events.merkle.tiles import WIDTH, Tile, tiles_between

BODIES = """
SELECT (SELECT body FROM events WHERE stream = log.stream AND seq = log.seq)
FROM log WHERE idx >= %s AND idx < %s ORDER BY idx
"""
INFO = b"cabildo/archive/v1"
NONCE = 12
FAST = 1  # zlib level: hashes and salts do not compress, and the keeper must be fast


class ArchiveUnreadable(CabildoError):
    """An archived bundle of events is missing, changed, or encrypted under another master key."""

    def __init__(self, path: str) -> None:
        super().__init__(f"the archived events of {path} cannot be read")
        self.path = path


class Archive:
    """Event bytes by entry bundle, encrypted with AES-GCM under a key derived from the master key."""

    def __init__(self, place: Path | FileStore, master_key: bytes) -> None:
        self._files = TileFiles(DirectoryStore(place, mode=0o700) if isinstance(place, Path) else place)
        self._cipher = AESGCM(HKDF(SHA256(), 32, salt=None, info=INFO).derive(master_key))

    def keep(self, connection: Connection, begin: int, end: int) -> None:
        """Stores the events of the bundles that are new or wider in a log of `end` events."""
        bundles = [tile for tile in tiles_between(begin, end) if tile.level is None]
        self._files.replace_all((tile.path, self._content(connection, tile)) for tile in bundles)
        for tile in bundles:
            self._forget_narrower(tile)

    def read(self, tile: Tile) -> list[bytes]:
        """Returns the events of a bundle; raises ArchiveUnreadable."""
        found = self._files.read_wider(tile)
        if found is None:
            raise ArchiveUnreadable(tile.path)
        return self._open(*found)[: tile.width]

    def _content(self, connection: Connection, tile: Tile) -> bytes:
        begin = tile.number * WIDTH
        rows = connection.execute(BODIES, (begin, begin + tile.width), binary=True).fetchall()
        bodies = [body or b"" for (body,) in rows]
        nonce, plain = new_salt()[:NONCE], struct.pack(f">{len(bodies)}I", *map(len, bodies)) + b"".join(bodies)
        return nonce + self._cipher.encrypt(nonce, zlib.compress(plain, FAST), _label(tile))

    def _open(self, tile: Tile, data: bytes) -> list[bytes]:
        try:
            plain = zlib.decompress(self._cipher.decrypt(data[:NONCE], data[NONCE:], _label(tile)))
        except (InvalidTag, ValueError, zlib.error) as problem:
            raise ArchiveUnreadable(tile.path) from problem
        at, bodies = 4 * tile.width, []
        for number in range(tile.width):
            length = int.from_bytes(plain[4 * number : 4 * number + 4], "big")
            bodies.append(plain[at : at + length])
            at += length
        return bodies

    def _forget_narrower(self, tile: Tile) -> None:
        folder = tile._replace(width=1).path.removesuffix("1")
        for path in list(self._files.paths(folder)):
            if tile.width == WIDTH or int(path.removeprefix(folder)) < tile.width:
                self._files.remove(path)


def _label(tile: Tile) -> bytes:
    return INFO + b"\n" + tile.path.encode()
