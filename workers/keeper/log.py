"""Duties of the keeper for the public log: signs checkpoints and publishes the files."""

import time
from collections.abc import Iterator, Mapping, Sequence

import structlog
from psycopg import Connection

from events.log import signing_gate
from events.log.publisher import CHECKPOINT, Publisher
from events.log.receipts import receipt_key, vouch
from events.log.sealer import SealingStopped, is_due, log_standing, open_origin, seal
from events.log.tile_files import TileFiles
from events.merkle.notes import Note, SigningKey
from events.merkle.policy import Party, Policy
from events.merkle.tiles import Tile
from service.proof.public_log import archive_of, files_of, first_origin, policy_of
from service.proof.witness_client import WitnessClient, shown_to
from service.settings import Settings, log_signing_seeds

TIDIED = 50  # directories in one step
WITNESS_AGAIN = 5.0  # seconds between two requests for cosignatures that are missing
log = structlog.get_logger("workers.keeper.log")


def published_checkpoints(settings: Settings, origin: str) -> signing_gate.NewestCheckpoints:
    """Returns the newest checkpoints outside the database: the published one, and those the witnesses saw."""
    own = files_of(settings, origin).read(CHECKPOINT) or b""
    return {"our own file": own, **shown_to(policy_of(settings), origin)}


class SealLog:
    """Signs a checkpoint of the log when a seal is due; holds the log's keys."""

    def __init__(self, settings: Settings, environ: Mapping[str, str]) -> None:
        self._settings = settings
        self._seeds = log_signing_seeds(environ)
        self._sealed = 0.0
        self._passed: Connection | None = None

    def __call__(self, connection: Connection) -> bool:
        found = log_standing(connection)
        origin = found.origin or first_origin(self._settings)
        self._pass_the_gate(connection, origin)
        if found.origin is None:
            open_origin(connection, origin, "the first")
        if found.sealed is None or is_due(found, time.monotonic() - self._sealed):
            sealed = seal(connection, origin, self._keys(origin))
            self._sealed = time.monotonic()
            log.info("sealed", origin=origin, size=sealed.size, root=sealed.root.hex())
        return False

    def _pass_the_gate(self, connection: Connection, origin: str) -> None:
        """Checks once per connection that this database may continue the log. Raises SealingStopped."""
        if self._passed is not connection:
            doubts = signing_gate.open_if_safe(connection, origin, published_checkpoints(self._settings, origin))
            if doubts:
                raise SealingStopped("signing is off: " + "; ".join(doubt.sentence for doubt in doubts))
            self._passed = connection

    def _keys(self, origin: str) -> list[SigningKey]:
        return [SigningKey.from_seed(origin, seed) for seed in self._seeds]


class PublishLog:
    """Writes the public files up to the newest seal, and asks witnesses to cosign."""

    def __init__(self, settings: Settings, environ: Mapping[str, str]) -> None:
        self._settings = settings
        self._seeds = log_signing_seeds(environ)
        self._policy = policy_of(settings)
        self._has_quorum = self._policy.quorum is not None
        self._publishers: dict[str, Publisher] = {}
        self._published: tuple[str, int] | None = None
        self._witnessed, self._asked = False, 0.0
        self._left: Iterator[tuple[TileFiles, Tile]] = iter(())

    def __call__(self, connection: Connection) -> bool:
        found = log_standing(connection)
        if found.origin is None or found.sealed is None:
            return False
        publisher = self._publishers.get(found.origin) or self._start(found.origin)
        if (found.origin, found.sealed) != self._published:
            publisher.publish(connection)
            self._published, self._witnessed, self._asked = (found.origin, found.sealed), False, 0.0
        self._witness_again(connection, publisher)
        return self._tidy()

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

    def _start(self, origin: str) -> Publisher:
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
        receipts = receipt_key(origin, self._settings.master_key).verifier
        files.replace("receipt-keys", str(vouch(origin, [receipts], keys[0])).encode())
        archive = archive_of(self._settings)
        self._publishers[origin] = Publisher(origin, files, WitnessClient(policy), is_witnessed, archive)
        return self._publishers[origin]


def _retired(files: TileFiles, keys: Sequence[SigningKey]) -> Sequence[Party]:
    """Returns replaced keys that the log's last policy names: bundles of old games hold trees signed by them."""
    before, current = files.read("policy"), [key.verifier for key in keys]
    parties = () if before is None else Policy.parse(before).logs
    return [party for party in parties if party.key.name == current[0].name and party.key not in current]
