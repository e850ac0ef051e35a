"""Creates bundles, and verifies those that clients send."""

from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.event import received
from events.log.bundle_builder import Fetch, Prover, bundle_of, open_prover
from events.log.publisher import CHECKPOINT, WITNESSED
from events.log.receipts import receipt_key
from events.log.tile_files import PublishedDiffers, TileFiles
from events.merkle.checkpoint import Checkpoint
from events.merkle.errors import UnreadableText
from events.merkle.notes import Note
from events.merkle.policy import Policy
from events.merkle.tiles import Tile, read_path
from events.store.postgres import read
from projections.games.rules_versions import rules_after
from projections.rules.tables_hash import rules_data
from projections.verify.archive import MAGIC, ArchiveReport, unpacked_size, verify_archive
from projections.verify.bundle import BundleReport, verify
from projections.verify.checks.case import Contents
from projections.verify.editions import editions, tournament_of
from service.core.errors import TooMuchToVerify
from service.proof.public_log import files_of, origin_of, public_directory, receipt
from service.settings import Settings

LARGEST_HERE: Final = 16 * 2**20  # bytes unpacked; verified while the client waits
TEXTS: Final = frozenset((CHECKPOINT, WITNESSED, "policy", "receipt-keys", "frozen"))


class PublishedFile(NamedTuple):
    """A file of the public log."""

    data: bytes
    is_text: bool
    is_witnessed: bool | None = None  # of a checkpoint: whether the policy's quorum of witnesses cosigned it


def bundle(connection: Connection, settings: Settings, game: UUID, version: int) -> bytes:
    """Returns a game up to a version with its proofs from the published log, and a receipt for its newest event.

    Until the log includes that event, the receipt is the service's only binding statement about it.
    """
    with connection.transaction():
        made = bundle_of(connection, game, version, _prover(connection, settings))
        keys = files_of(settings, origin := origin_of(connection, settings)).read("receipt-keys")
    first, last = received(made.events[0]), received(made.events[-1])
    if "game" in first.data:
        made = replace(made, rules=rules_data(str(first.data["game"]), rules_after(last)))
    if keys is not None:
        signed = receipt(origin, game, last.head, last.head, last.at).signed(receipt_key(origin, settings.master_key))
        made = replace(made, receipt_keys=(Note.parse(keys),), receipts=(signed,))
    return made.encode()


def published_file(settings: Settings, path: str) -> PublishedFile | None:
    """Returns a file by its path below the address of the log; None for one that the log does not have."""
    name, separator, rest = path.partition("/")
    if separator and name != "tile" and name.isascii() and name.isalnum():  # a renamed log
        return _published(TileFiles(public_directory(settings) / name), rest)
    return _published(TileFiles(public_directory(settings)), path)


def _published(files: TileFiles, path: str) -> PublishedFile | None:
    try:
        data = files.read(path if path in TEXTS else read_path(path).path)
    except UnreadableText:
        return None
    if data is None:
        return None
    is_checkpoint = path in (CHECKPOINT, WITNESSED)
    return PublishedFile(data, path in TEXTS, files.read(WITNESSED) == data if is_checkpoint else None)


def own_policy(connection: Connection, settings: Settings) -> Policy | None:
    """Returns the policy that this service publishes; None before the first publication."""
    data = files_of(settings, origin_of(connection, settings)).read("policy")
    return None if data is None else Policy.parse(data)


def judge(connection: Connection, settings: Settings, data: bytes) -> BundleReport | ArchiveReport:
    """Verifies a bundle or an archive under the service's own policy; raises TooMuchToVerify for a large archive.

    A client that does not trust the service runs the verifier at home.
    """
    policy = own_policy(connection, settings)
    if not data.startswith(MAGIC):
        return verify(data, policy)
    if (size := unpacked_size(data)) > LARGEST_HERE:
        raise TooMuchToVerify(size, LARGEST_HERE)
    return verify_archive(data, policy, partial(_editions_here, connection))


def _editions_here(connection: Connection, contents: Contents) -> int:
    """Returns the number of issued editions of a tournament's archive; 0 for games without a tournament."""
    shown = tournament_of(contents.games)
    own = tuple(read(connection, shown[0].stream)) if shown else ()
    if len(own) < len(shown) or any(one.hash != its.hash for one, its in zip(own, shown, strict=False)):
        return 0  # the archive of another service
    return editions(event.kind for event in own)


def _prover(connection: Connection, settings: Settings) -> Prover | None:
    files = files_of(settings, origin_of(connection, settings))
    shown = files.read(CHECKPOINT)
    if shown is None:
        return None
    return open_prover(connection, Checkpoint.parse(Note.parse(shown).text).size, fetch_from(files))


def fetch_from(files: TileFiles) -> Fetch:
    """Returns a reader of published tiles; raises PublishedDiffers for a missing one."""

    def fetch(tile: Tile) -> bytes:
        data = files.hashes(tile)
        if data is None:
            raise PublishedDiffers(tile.path)
        return data

    return fetch
