"""Duties of the keeper for the public log: signs checkpoints and publishes the files."""

import time
from collections.abc import Iterator, Mapping, Sequence

import structlog
from psycopg import Connection

from events.log.branch import FILE as BRANCH
from events.log.branch import stored_branch
from events.log.publisher import AnotherHistoryPublished, Publisher
from events.log.receipts import receipt_keys, vouch, vouched_keys
from events.log.reconciliation import contradictions, note_publication, reconcile
from events.log.sealer import SealingStopped, is_due, log_standing, open_origin, origins, seal
from events.log.signing_decision import Verdict
from events.log.signing_gate import set_gate
from events.log.tile_files import TileFiles
from events.merkle.errors import BadKey, UnreadableText, UnverifiedNote
from events.merkle.notes import Note, SigningKey, VerifierKey
from events.merkle.policy import Party, Policy
from events.merkle.tiles import Tile
from service.key_settings import log_signing_seeds
from service.proof.log_sources import ask_sources, shown_by_peers
from service.proof.public_log import (
    EARLIER_KEYS,
    MOST_EARLIER,
    RECEIPT_KEYS,
    archive_of,
    files_of,
    first_origin,
    policy_of,
)
from service.proof.witness_client import WitnessClient
from service.settings import Settings

TIDIED = 50  # directories in one step
ASK_PEERS_AGAIN = 5.0  # seconds between two comparisons with the other keepers
WITNESS_AGAIN = 5.0  # seconds between two requests for cosignatures that are missing
log = structlog.get_logger("workers.keeper.log")


class SigningGate:
    """Asks once per connection whether this database may continue the log: a keeper that comes back asks again."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._passed: Connection | None = None

    def pass_through(self, connection: Connection, origin: str) -> None:
        """Raises SealingStopped unless this keeper may sign and publish here."""
        if self._passed is not connection:
            answer = reconcile(connection, origin, ask_sources(self._settings, origin))
            if answer.verdict is not Verdict.YES:
                raise SealingStopped(f"signing is off: {answer.reason}")
            self._passed = connection


class SealLog:
    """Signs a checkpoint of the log when a seal is due; holds the log's keys."""

    def __init__(self, settings: Settings, environ: Mapping[str, str]) -> None:
        self._settings = settings
        self._seeds = log_signing_seeds(environ)
        self._sealed = 0.0
        self._gate = SigningGate(settings)

    def __call__(self, connection: Connection) -> bool:
        found = log_standing(connection)
        origin = found.origin or first_origin(self._settings)
        self._gate.pass_through(connection, origin)
        if found.origin is None:
            open_origin(connection, origin, "the first")
        if found.sealed is None or is_due(found, time.monotonic() - self._sealed):
            sealed = seal(connection, origin, self._keys(origin))
            self._sealed = time.monotonic()
            log.info("sealed", origin=origin, size=sealed.size, root=sealed.root.hex())
        return False

    def _keys(self, origin: str) -> list[SigningKey]:
        return [SigningKey.from_seed(origin, seed) for seed in self._seeds]


class PublishLog:
    """Writes the public files up to the newest seal, and asks witnesses to cosign."""

    def __init__(self, settings: Settings, environ: Mapping[str, str]) -> None:
        self._settings = settings
        self._seeds = log_signing_seeds(environ)
        self._policy = policy_of(settings)
        self._has_quorum = self._policy.quorum is not None
        self._gate = SigningGate(settings)
        self._peers_asked = 0.0
        self._publishers: dict[str, Publisher] = {}
        self._published: tuple[str, int] | None = None
        self._witnessed, self._asked = False, 0.0
        self._left: Iterator[tuple[TileFiles, Tile]] = iter(())

    def __call__(self, connection: Connection) -> bool:
        found = log_standing(connection)
        if found.origin is None or found.sealed is None:
            return False
        self._gate.pass_through(connection, found.origin)
        publisher = self._publishers.get(found.origin) or self._start(connection, found.origin)
        if (found.origin, found.sealed) != self._published:
            self._publish(connection, found.origin, publisher)
            self._published, self._witnessed, self._asked = (found.origin, found.sealed), False, 0.0
        self._witness_again(connection, publisher)
        return self._tidy()

    def _publish(self, connection: Connection, origin: str, publisher: Publisher) -> None:
        """Publishes, unless a peer or a file shows another history: then the gate is closed."""
        try:
            self._compare_with_peers(connection, origin)
            shown = publisher.publish(connection)
        except AnotherHistoryPublished as contradiction:
            set_gate(connection, is_open=False, reason=str(contradiction))
            raise
        if shown is not None:
            note_publication(connection, origin, publisher.files.identity(), shown.size)

    def _compare_with_peers(self, connection: Connection, origin: str) -> None:
        if self._settings.log_peers and time.monotonic() - self._peers_asked > ASK_PEERS_AGAIN:
            if against := contradictions(connection, origin, shown_by_peers(self._settings, origin)):
                raise AnotherHistoryPublished("; ".join(against))
            self._peers_asked = time.monotonic()

    def _witness_again(self, connection: Connection, publisher: Publisher) -> None:
        if self._has_quorum and not self._witnessed and time.monotonic() - self._asked > WITNESS_AGAIN:
            self._asked = time.monotonic()
            self._witnessed = publisher.witness_again(connection)
            if not self._witnessed:
                log.warning("published checkpoint lacks cosignatures")

    def _tidy(self) -> bool:
        """Removes some narrow tiles that a crash or an earlier version left; returns whether more may be left."""
        for _ in range(TIDIED):
            left = next(self._left, None)
            if left is None:
                return False
            files, tile = left
            if not files.remove_narrower(tile):
                log.error("narrow tiles differ from the full one", tile=tile.path)
        return True

    def _start(self, connection: Connection, origin: str) -> Publisher:
        """Removes files that a crash left, publishes policy and receipt keys of a log, and returns its publisher."""
        files, policy = files_of(self._settings, origin), self._policy
        files.sweep()
        self._left = ((files, tile) for tile in files.tiles_with_narrower())
        keys = [SigningKey.from_seed(origin, seed) for seed in self._seeds]
        logs = (*(Party(key.verifier, None) for key in keys), *_retired(files, keys))
        own = Policy(logs, policy.witnesses, policy.groups, policy.quorum)

        def is_witnessed(note: Note) -> bool:
            return own.quorum is not None and own.judge(note).quorum

        files.replace("policy", str(own).encode("utf-8", "surrogateescape"))
        receipts = [key.verifier for key in receipt_keys(origin, self._settings.master_keys)]
        receipts += _retired_receipt_keys(files, own, receipts)
        files.replace(RECEIPT_KEYS, str(vouch(origin, receipts, keys[0])).encode())
        self._publish_earlier_keys(connection, files, keys)
        self._publish_branch(connection, files, keys)
        archive = archive_of(self._settings)
        self._publishers[origin] = Publisher(origin, files, WitnessClient(policy), is_witnessed, archive)
        return self._publishers[origin]

    def _publish_earlier_keys(self, connection: Connection, files: TileFiles, keys: Sequence[SigningKey]) -> None:
        """Lets the log's key vouch for the receipt keys of earlier logs: players keep receipts of their time."""
        earlier = [origin for origin in reversed(origins(connection)) if origin != keys[0].name]
        for number, origin in enumerate(earlier[:MOST_EARLIER]):
            receipts = [key.verifier for key in receipt_keys(origin, self._settings.master_keys)]
            files.replace(f"{EARLIER_KEYS}{number}", str(vouch(origin, receipts, keys[0])).encode())

    def _publish_branch(self, connection: Connection, files: TileFiles, keys: Sequence[SigningKey]) -> None:
        """Publishes the signed statement by which the log goes on from one that lost events, below both names."""
        branch = stored_branch(connection, keys[0].name)
        if branch is not None:
            older = (SigningKey.from_seed(branch.old, seed) for seed in self._seeds)
            note = str(branch.signed((*keys, *older))).encode()
            for place in (files, files_of(self._settings, branch.old)):
                place.replace(BRANCH, note)


def _retired(files: TileFiles, keys: Sequence[SigningKey]) -> Sequence[Party]:
    """Returns replaced keys that the log's last policy names: bundles of old games hold trees signed by them."""
    before, current = files.read("policy"), [key.verifier for key in keys]
    parties = () if before is None else Policy.parse(before).logs
    return [party for party in parties if party.key.name == current[0].name and party.key not in current]


def _retired_receipt_keys(files: TileFiles, own: Policy, current: Sequence[VerifierKey]) -> Sequence[VerifierKey]:
    """Returns the keys of earlier master keys that the log vouched for: players keep receipts signed by them."""
    before = files.read(RECEIPT_KEYS)
    if before is None:
        return ()
    try:
        vouched = vouched_keys(Note.parse(before), [party.key for party in own.logs])
    except (BadKey, UnreadableText, UnverifiedNote) as problem:
        log.warning("published receipt keys not kept", reason=str(problem))
        return ()
    return [key for key in vouched if key not in current]
