"""The public log of this service: its origin, files and policy, and the receipts that promise inclusion."""

import time
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID

from psycopg import Connection
from psycopg_pool import ConnectionPool

from events.event import Head
from events.files.file_store import FilesAway, FileStore
from events.files.places import open_place
from events.json_types import JsonObject
from events.log.event_archive import Archive
from events.log.publisher import CHECKPOINT, WITNESSED
from events.log.receipts import Receipt, receipt_keys
from events.log.sealer import current_origin
from events.log.tile_files import TileFiles
from events.merkle.checkpoint import Checkpoint
from events.merkle.notes import Note, SigningKey
from events.merkle.policy import Policy
from service.core.sealing.key_rotation import MasterKeyMissing
from service.settings import Settings

LOG = "log"
RECEIPT_KEYS = "receipt-keys"  # the published file
EARLIER_KEYS = "earlier-receipt-keys."  # with a number: of the logs that went on as this one, the newest first
MOST_EARLIER = 20
PROMISED_WITHIN = 10  # seconds from an accepted move to a published checkpoint that includes it
ORIGIN_KNOWN_FOR = 2.0  # seconds; a new origin is rare
KEY_KNOWN_FOR = 30.0  # seconds; so is a new key of receipts
AWAY_FOR = 30.0  # seconds after which files that could not be reached are asked for again
NO_WITNESSES = Policy((), {}, {}, None)


def first_origin(settings: Settings) -> str:
    """Returns the first origin of the log: its public address without the scheme."""
    address = urlsplit(settings.public_url)
    return f"{address.netloc}{address.path.rstrip('/')}/{LOG}"


def origin_of(connection: Connection, settings: Settings) -> str:
    """Returns the current origin of the log."""
    return current_origin(connection) or first_origin(settings)


def files_of(settings: Settings, origin: str) -> TileFiles:
    """Returns the published files of an origin, in the directory `log` or `log/NAME`."""
    return files_below(settings, origin.rpartition(f"/{LOG}")[2].strip("/"))


def files_below(settings: Settings, name: str = "") -> TileFiles:
    """Returns the files of the log, or of the renamed log NAME below it."""
    return TileFiles(_place(settings.log_store, settings.data_dir / "public" / LOG, name))


def shown_in(files: TileFiles) -> int:
    """Returns the number of events in the published log."""
    data = files.read(CHECKPOINT)
    return 0 if data is None else Checkpoint.parse(Note.parse(data).text).size


def archive_of(settings: Settings) -> Archive:
    """Returns the private archive of published events, for recovery."""
    return Archive(_place(settings.archive_store, settings.data_dir / "archive"), settings.master_keys)


def _place(store: str, own: Path, name: str = "") -> Path | FileStore:
    """Returns a directory or a bucket that the settings name, or else this node's own directory."""
    if store and not store.startswith("/"):
        return open_place(f"{store.rstrip('/')}/{name}".rstrip("/"))
    return (Path(store) if store else own) / name


def check_archive(settings: Settings) -> None:
    """Raises MasterKeyMissing when archived events need a key that this process was not given.

    An archive that cannot be reached now is not checked; its keys are named when it is read.
    """
    try:
        needed = archive_of(settings).needed_keys()
    except FilesAway:
        return
    for id in needed:
        if not settings.master_keys.named(id):
            raise MasterKeyMissing("the archive of events", id)


def policy_of(settings: Settings) -> Policy:
    """Returns the operator's witnesses and quorum; no witnesses without a policy file."""
    return Policy.parse(settings.log_policy.read_bytes()) if settings.log_policy else NO_WITNESSES


class OwnLog:
    """The origin and the newest public tree of the log, as a web process reads them."""

    def __init__(self, settings: Settings, pool: ConnectionPool) -> None:
        self._settings = settings
        self._pool = pool
        self._origin = ""
        self._asked = 0.0
        self._tree: JsonObject | None = None
        self._ask_again = 0.0
        self._newest = WITNESSED if policy_of(settings).quorum else CHECKPOINT

    def origin(self) -> str:
        """Returns the origin, cached for a short time."""
        if not self._origin or time.monotonic() - self._asked > ORIGIN_KNOWN_FOR:
            with self._pool.connection() as connection:
                self._origin, self._asked = origin_of(connection, self._settings), time.monotonic()
        return self._origin

    def newest_tree(self) -> JsonObject | None:
        """Returns the newest published tree, witnessed when the policy has a quorum; None before the first.

        While the files cannot be reached, it is the newest that this process knows: no move waits for them.
        """
        if time.monotonic() < self._ask_again:
            return self._tree
        try:
            data = files_of(self._settings, self.origin()).read(self._newest)
        except FilesAway:
            self._ask_again = time.monotonic() + AWAY_FOR
            return self._tree
        if data is None:
            return None
        published = Checkpoint.parse(Note.parse(data).text)
        self._tree = {"size": published.size, "root": published.root.hex()} if published.size else None
        return self._tree


class Receipts:
    """Signs receipts in a web process, which holds no key of the log."""

    def __init__(self, settings: Settings, log: OwnLog) -> None:
        self._settings = settings
        self._log = log
        self._key: SigningKey | None = None
        self._asked = 0.0

    def sign(self, stream: UUID, event: Head, head: Head, at: int) -> str:
        """Returns the signed receipt of an event, for a head and a time in microseconds."""
        origin = self._log.origin()
        is_old = time.monotonic() - self._asked > KEY_KNOWN_FOR
        if self._key is None or is_old or self._key.name != f"{origin}/receipts":
            self._key, self._asked = self._newest_key(origin), time.monotonic()
        return str(receipt(origin, stream, event, head, at).signed(self._key))

    def _newest_key(self, origin: str) -> SigningKey:
        """Returns the key that the log vouches for; the one so far while the files cannot be reached."""
        try:
            vouched = files_of(self._settings, origin).read(RECEIPT_KEYS)
        except FilesAway:
            if self._key is not None and self._key.name == f"{origin}/receipts":
                return self._key
            vouched = None
        return signing_receipt_key(self._settings, origin, vouched)


def signing_receipt_key(settings: Settings, origin: str, vouched: bytes | None) -> SigningKey:
    """Returns the key that signs receipts: the first known one that the log vouches for in its published file.

    While one master key replaces another, the keeper publishes the new one's receipt key after its next start.
    """
    known = receipt_keys(origin, settings.master_keys)
    lines = (vouched or b"").decode().splitlines()
    return next((key for key in known if str(key.verifier) in lines), known[0])


def receipt(origin: str, stream: UUID, event: Head, head: Head, at: int) -> Receipt:
    """Returns the promise to include a stored event in the log."""
    return Receipt(origin, stream, event.seq, event.hash, head.seq, head.hash, at, PROMISED_WITHIN)
