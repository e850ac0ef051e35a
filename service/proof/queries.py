"""Creates bundles, and verifies those that clients send."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg_pool import ConnectionPool

from events.event import received
from events.files.file_store import PublishedDiffers
from events.log.branch import FILE as BRANCH
from events.log.bundle import Bundle
from events.log.bundle_builder import Fetch, Prover, bundle_of, open_prover
from events.log.leaves import log_index
from events.log.publisher import CHECKPOINT, WITNESSED
from events.log.reconciliation import CLAIM
from events.log.sealer import size_sealed_before
from events.log.tile_files import TileFiles
from events.merkle.checkpoint import Checkpoint
from events.merkle.errors import UnreadableText
from events.merkle.notes import Note
from events.merkle.tiles import WIDTH, Tile, read_bundle, read_path, write_bundle
from events.merkle.tree import HASH_SIZE
from projections.games.rules_versions import rules_after
from projections.rules.tables_hash import rules_data
from service.proof.errors import LogFilesMissing
from service.proof.public_log import (
    EARLIER_KEYS,
    MOST_EARLIER,
    RECEIPT_KEYS,
    files_below,
    files_of,
    origin_of,
    receipt,
    signing_receipt_key,
)
from service.settings import Settings

PUBLISHED_WITHIN: Final = 60.0  # seconds after a seal, in which every node sees its files
TEXTS: Final = frozenset((CHECKPOINT, WITNESSED, CLAIM, "policy", RECEIPT_KEYS, "frozen", BRANCH))


class PublishedFile(NamedTuple):
    """A file of the public log."""

    data: bytes
    is_text: bool
    is_witnessed: bool | None = None  # of a checkpoint: whether the policy's quorum of witnesses cosigned it


class ProvedGame(NamedTuple):
    """A game with its proofs, as the database and the published log have them, before the service signs."""

    made: Bundle
    origin: str


def proved_game(connection: Connection, settings: Settings, game: UUID, version: int) -> ProvedGame:
    """Returns a game up to a version with its proofs from the published log.

    Raises LogFilesMissing when the files of this node end before an event that was sealed a while ago.
    """
    with connection.transaction():
        made = bundle_of(connection, game, version, _prover(connection, settings))
        origin = origin_of(connection, settings)
        index = None if made.proof else log_index(connection, game, version)
        if index is not None and index < size_sealed_before(connection, origin, PUBLISHED_WITHIN):
            raise LogFilesMissing
        return ProvedGame(made, origin)


def signed_bundle(settings: Settings, game: UUID, proved: ProvedGame) -> bytes:
    """Returns the bundle of a game with a receipt for its newest event; needs no connection.

    Until the log includes that event, the receipt is the service's only binding statement about it.
    """
    made, origin = proved
    keys = files_of(settings, origin).read(RECEIPT_KEYS)
    first, last = received(made.events[0]), received(made.events[-1])
    if "game" in first.data:
        made = replace(made, rules=rules_data(str(first.data["game"]), rules_after(last)))
    if keys is not None:
        key = signing_receipt_key(settings, origin, keys)
        signed = receipt(origin, game, last.head, last.head, last.at).signed(key)
        notes = (Note.parse(keys), *earlier_receipt_keys(files_of(settings, origin)))
        made = replace(made, receipt_keys=notes, receipts=(signed,))
    return made.encode()


def earlier_receipt_keys(files: TileFiles) -> Iterator[Note]:
    """Yields the receipt keys of the logs that went on as this one: players keep receipts of their time."""
    for number in range(MOST_EARLIER):
        keys = files.read(f"{EARLIER_KEYS}{number}")
        if keys is None:
            return
        yield Note.parse(keys)


def bundle(pool: ConnectionPool, settings: Settings, game: UUID, version: int) -> bytes:
    """Returns the bundle of a game up to a version; holds a connection only while it reads."""
    with pool.connection() as connection:
        proved = proved_game(connection, settings, game, version)
    return signed_bundle(settings, game, proved)


def published_file(settings: Settings, path: str) -> PublishedFile | None:
    """Returns a file by its path below the address of the log; None for one that the log does not have."""
    name, separator, rest = path.partition("/")
    if separator and name != "tile" and name.isascii() and name.isalnum():  # a renamed log
        return _published(files_below(settings, name), rest)
    return _published(files_below(settings), path)


def _published(files: TileFiles, path: str) -> PublishedFile | None:
    try:
        data = files.read(path) if path in TEXTS else _tile_bytes(files, read_path(path))
    except UnreadableText:
        return None
    if data is None:
        return None
    is_checkpoint = path in (CHECKPOINT, WITNESSED)
    return PublishedFile(data, path in TEXTS, files.read(WITNESSED) == data if is_checkpoint else None)


def _tile_bytes(files: TileFiles, tile: Tile) -> bytes | None:
    """Returns a tile; a narrow one that was removed is cut from the full one, which holds it."""
    data = files.read(tile.path)
    if data is not None or tile.width == WIDTH or (full := files.read(tile._replace(width=WIDTH).path)) is None:
        return data
    if tile.level is None:
        return write_bundle(read_bundle(full, WIDTH)[: tile.width])
    return full[: tile.width * HASH_SIZE]


def _prover(connection: Connection, settings: Settings) -> Prover | None:
    files = files_of(settings, origin_of(connection, settings))
    published = files.read(CHECKPOINT)
    if published is None:
        return None
    return open_prover(connection, Checkpoint.parse(Note.parse(published).text).size, fetch_from(files))


def fetch_from(files: TileFiles) -> Fetch:
    """Returns a reader of published tiles; raises PublishedDiffers for a missing one."""

    def fetch(tile: Tile) -> bytes:
        data = files.hashes(tile)
        if data is None:
            raise PublishedDiffers(tile.path)
        return data

    return fetch
