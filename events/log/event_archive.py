"""Encrypted archive of the bytes of all published events, from which recovery restores a database.

A file begins with the id of its master key; files of earlier versions begin with the nonce.
"""

import re
import struct
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from psycopg import Connection

from events.cold.log_entries import stored_entries
from events.errors import CabildoError
from events.event import new_salt
from events.files.directory_store import DirectoryStore
from events.files.file_store import FileStore, VersionedFile
from events.log.tile_files import TileFiles
from events.merkle.errors import UnreadableText
from events.merkle.tiles import WIDTH, Tile, read_path, tiles_between
from events.sealing.master_keys import UNNAMED, MasterKeys

INFO = b"cabildo/archive/v1"
HEAD = b"cabildo/event-archive/v2 "
HEADED = re.compile(re.escape(HEAD) + b"([0-9a-f]{8})\n")
NONCE = 12
KEYS = "master-keys"  # the list of the keys that files may need
BUNDLES = "tile"
AT_ONCE = 32  # files that a rotation looks at in one step
FAST = 1  # zlib level: hashes and salts do not compress, and the keeper must be fast


class ArchiveUnreadable(CabildoError):
    """An archived bundle of events is missing, changed, or encrypted under another master key."""

    def __init__(self, path: str, key: str = "") -> None:
        needed = f": they need the master key {key}" if key else ""
        super().__init__(f"the archived events of {path} cannot be read{needed}")
        self.path = path


class ResealedFiles(NamedTuple):
    """A batch of a rotation of the master key."""

    changed: int  # files that are under the current key now
    lost: Sequence[str]  # paths of files that cannot be read


class Archive:
    """Event bytes by entry bundle, encrypted with AES-GCM under a key derived from the master key."""

    def __init__(self, place: Path | FileStore, keys: MasterKeys) -> None:
        self._files = TileFiles(DirectoryStore(place, mode=0o700) if isinstance(place, Path) else place)
        self._keys = keys

    def keep(self, connection: Connection, begin: int, end: int) -> None:
        """Stores the events of the bundles that are new or wider in a log of `end` events."""
        bundles = [tile for tile in tiles_between(begin, end) if tile.level is None]
        self._note_current_key()
        self._files.replace_all((tile.path, self._content(connection, tile)) for tile in bundles)
        for tile in bundles:
            self._forget_narrower(tile)

    def read(self, tile: Tile) -> list[bytes]:
        """Returns the events of a bundle; raises ArchiveUnreadable."""
        found = self._files.read_wider(tile)
        if found is None:
            raise ArchiveUnreadable(tile.path)
        return self._open(*found)[: tile.width]

    def needed_keys(self) -> frozenset[str]:
        """Returns the ids of the master keys that files may need, as a file of the archive lists them."""
        return self._noted_keys(self._files.read_version(KEYS))

    def count_by_key(self) -> Mapping[str, int]:
        """Returns the number of files under each master key; reads every file."""
        files = (self._files.read(path) for path in self._files.paths(BUNDLES))
        return Counter(_key_of(data) for data in files if data is not None)

    def reseal(self) -> Iterator[ResealedFiles]:
        """Encrypts all files under the current key that are under a replaced one; yields after each batch.

        Files that cannot be read stay as they are. A pass without such files removes the replaced keys from the list.
        """
        noted, replaced = self._files.read_version(KEYS), {*self._keys.replaced}
        needed, whole = self._noted_keys(noted), True
        if needed.isdisjoint(replaced):
            return
        paths = self._files.paths(BUNDLES)
        while batch := list(islice(paths, AT_ONCE)):
            found = [(path, self._reseal(path, replaced)) for path in batch]
            lost = [path for path, fresh in found if fresh is None]
            whole = whole and not lost
            yield ResealedFiles(sum(fresh is True for _, fresh in found), lost)
        if whole:
            self._note_keys((needed - replaced) | {self._keys.current_id}, noted)

    def _reseal(self, path: str, replaced: Set[str]) -> bool | None:
        """Returns whether a file was encrypted again; None for one that cannot be read."""
        present = self._files.read_version(path)
        if present is None or _key_of(present.data) not in replaced:  # None: a wider one took its place
            return False
        try:
            tile = read_path(path)
            fresh = self._encrypted(tile, self._decrypted(tile, present.data))
        except (ArchiveUnreadable, UnreadableText):
            return None
        return self._files.replace_if(path, fresh, present.version)

    def _noted_keys(self, noted: VersionedFile | None) -> frozenset[str]:
        """Returns the keys of the list; archives of earlier versions have none, and files without an id."""
        if noted is not None:
            return frozenset(noted.data.decode().split())
        return frozenset((UNNAMED,)) if next(self._files.paths(BUNDLES), None) else frozenset()

    def _note_current_key(self) -> None:
        """Adds the current key to the list before the first file under it is written."""
        while self._keys.current_id not in (needed := self._noted_keys(noted := self._files.read_version(KEYS))):
            self._note_keys(needed | {self._keys.current_id}, noted)

    def _note_keys(self, ids: Set[str], noted: VersionedFile | None) -> None:
        """Replaces the list, unless another process did meanwhile."""
        self._files.replace_if(KEYS, "".join(f"{id}\n" for id in sorted(ids)).encode(), noted and noted.version)

    def _content(self, connection: Connection, tile: Tile) -> bytes:
        begin = tile.number * WIDTH
        bodies = [entry.body or b"" for entry in stored_entries(connection, begin, begin + tile.width)]
        plain = struct.pack(f">{len(bodies)}I", *map(len, bodies)) + b"".join(bodies)
        return self._encrypted(tile, zlib.compress(plain, FAST))

    def _encrypted(self, tile: Tile, packed: bytes) -> bytes:
        head, nonce = HEAD + self._keys.current_id.encode() + b"\n", new_salt()[:NONCE]
        return head + nonce + _cipher(self._keys.current).encrypt(nonce, packed, head + _label(tile))

    def _decrypted(self, tile: Tile, data: bytes) -> bytes:
        """Returns the packed events of a bundle; raises ArchiveUnreadable."""
        id, found = _key_of(data), HEADED.match(data)
        head = found[0] if found else b""
        sealed, keys = data[len(head) :], self._keys.named(id)
        for key in keys:
            with suppress(InvalidTag, ValueError):
                return _cipher(key).decrypt(sealed[:NONCE], sealed[NONCE:], head + _label(tile))
        raise ArchiveUnreadable(tile.path, "" if keys else id)

    def _open(self, tile: Tile, data: bytes) -> list[bytes]:
        try:
            plain = zlib.decompress(self._decrypted(tile, data))
        except zlib.error as problem:
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


def _key_of(data: bytes) -> str:
    """Returns the id of a file's master key."""
    found = HEADED.match(data)
    return found[1].decode() if found else UNNAMED


def _cipher(key: bytes) -> AESGCM:
    return AESGCM(HKDF(SHA256(), 32, salt=None, info=INFO).derive(key))


def _label(tile: Tile) -> bytes:
    return INFO + b"\n" + tile.path.encode()
