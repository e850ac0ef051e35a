"""The gate before the log: open where the log goes on, closed where it would contradict what the world has seen."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import Connection

from events.files.directory_store import DirectoryStore
from events.files.file_store import VersionedFile
from events.log import signing_gate
from events.log.event_archive import Archive, ArchiveUnreadable
from events.log.integrity import Audit
from events.log.publisher import CHECKPOINT, AnotherHistoryPublished, Publisher, PublishingRaced, no_cosignatures
from events.log.reconciliation import CheckpointSource, Shown, SourceAnswers, note_publication, reconcile
from events.log.recovery import CannotRecover, recover
from events.log.sealer import newest_seal, open_origin, seal
from events.log.signing_decision import Verdict
from events.log.tile_files import TileFiles
from events.merkle.checkpoint import Checkpoint
from events.merkle.notes import COSIGNATURE, Note, SigningKey
from events.merkle.tiles import Tile
from events.merkle.tree import EMPTY_ROOT
from events.sealing.master_keys import MasterKeys, key_id
from events.store.connections import connect
from tests.support.events.filled_store import ignoring_guards, record, stream_of

ORIGIN = "cabildo.example/log"
WITNESS = SigningKey.from_seed("witness.example", b"\x08" * 32, COSIGNATURE)
STORE = "the store of this keeper"
KEY = SigningKey.from_seed(ORIGIN, b"\x07" * 32)


@pytest.fixture
def connection(database: str) -> Iterator[Connection]:
    with connect(database) as service:
        open_origin(service, ORIGIN, "the first")
        yield service


@pytest.fixture
def files(tmp_path: Path) -> TileFiles:
    return TileFiles(tmp_path / "log")


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path / "archive", MasterKeys(b"m" * 32))


def shown(files: TileFiles, **witnesses: bytes | None) -> SourceAnswers:
    own = Shown(CheckpointSource.OWN, "our own file", files.read(CHECKPOINT) or b"")
    return SourceAnswers(
        (own, *(Shown(CheckpointSource.WITNESS, name, data) for name, data in witnesses.items())), STORE
    )


def play_on(connection: Connection, files: TileFiles, archive: Archive, stream: int, count: int) -> None:
    record(connection, stream_of(stream), count)
    seal(connection, ORIGIN, [KEY])
    published = Publisher(ORIGIN, files, no_cosignatures, None, archive).publish(connection)
    assert published is not None
    note_publication(connection, ORIGIN, STORE, published.size)


def refusal(connection: Connection, answers: SourceAnswers) -> str:
    """Why the keeper may not sign; nothing when it may."""
    answer = reconcile(connection, ORIGIN, answers)
    return "" if answer.verdict is Verdict.YES else answer.reason.partition(". ")[0]


def as_found_elsewhere(connection: Connection) -> None:
    """Leaves the gate as a restored or promoted database finds it."""
    connection.execute(signing_gate.WRITE, ("another cluster", True, "reconciled"))


def test_a_new_log_opens_by_itself_and_stays_open(connection: Connection, files: TileFiles, archive: Archive) -> None:
    as_found_elsewhere(connection)
    assert not signing_gate.is_open(connection)
    assert refusal(connection, shown(files)) == ""
    assert signing_gate.is_open(connection)
    play_on(connection, files, archive, 1, 5)
    assert refusal(connection, shown(files)) == ""
    assert signing_gate.gate_state(connection) == signing_gate.State(
        signing_gate.cluster(connection), True, "reconciled: nothing was sealed or published yet"
    )


def test_what_the_world_has_seen_beyond_us_closes_it(
    connection: Connection, files: TileFiles, archive: Archive
) -> None:
    play_on(connection, files, archive, 1, 5)
    ahead = str(Checkpoint(ORIGIN, 9, b"\x01" * 32).signed(KEY)).encode()
    assert refusal(connection, shown(files, W=ahead)) == "W shows 9 events and the log holds 5"
    assert not signing_gate.is_open(connection)
    other = str(Checkpoint(ORIGIN, 3, b"\x01" * 32).signed(KEY)).encode()
    assert refusal(connection, shown(files, W=other)) == "W shows another history of 3 events"
    assert refusal(connection, shown(files)) == ""


def test_a_cluster_that_is_not_known_wants_everybody_asked(
    connection: Connection, files: TileFiles, archive: Archive
) -> None:
    play_on(connection, files, archive, 1, 5)
    as_found_elsewhere(connection)
    assert not signing_gate.is_open(connection)
    assert refusal(connection, shown(files, W=None)) == "W cannot be asked"
    assert refusal(connection, SourceAnswers((Shown(CheckpointSource.OWN, "our own file", b""),), STORE)) == (
        "our own file has no checkpoint"
    )
    assert refusal(connection, shown(files, W=files.read(CHECKPOINT))) == ""
    assert refusal(connection, shown(files, W=None)) == ""  # known now: a witness may be away


def test_own_files_that_know_less_than_the_database_are_a_doubt(
    connection: Connection, files: TileFiles, archive: Archive, tmp_path: Path
) -> None:
    play_on(connection, files, archive, 1, 5)
    stale = files.read(CHECKPOINT) or b""
    play_on(connection, files, archive, 2, 5)
    as_found_elsewhere(connection)
    older = SourceAnswers((Shown(CheckpointSource.OWN, "our own file", stale),), STORE)
    told = "our own file shows 5 events, and the database knows of 10 that were published"
    assert refusal(connection, older) == told
    connection.execute("UPDATE publications SET size = 5")
    assert refusal(connection, older) == ""  # the keeper was killed between seal and publication


def test_own_files_alone_do_not_suffice_once_another_keeper_published(
    connection: Connection, files: TileFiles, archive: Archive
) -> None:
    play_on(connection, files, archive, 1, 5)
    note_publication(connection, ORIGIN, "another keeper", 3)
    as_found_elsewhere(connection)
    assert refusal(connection, shown(files)) == "another keeper published too, and cannot be asked"
    peer = Shown(CheckpointSource.PEER, "peer B", files.read(CHECKPOINT))
    assert refusal(connection, SourceAnswers((*shown(files).shown, peer), STORE)) == ""


def test_an_earlier_version_that_noted_nothing_goes_on_where_it_was(
    connection: Connection, database: str, files: TileFiles, archive: Archive
) -> None:
    play_on(connection, files, archive, 1, 5)
    answers = shown(files)
    record(connection, stream_of(2), 5)
    seal(connection, ORIGIN, [KEY])  # and killed before it published
    with ignoring_guards(database) as administrator:
        administrator.execute("DELETE FROM publications")
    server = "/".join(signing_gate.cluster(connection).split("/")[:2])
    connection.execute(signing_gate.WRITE, (f"{server}/before its restart", True, "reconciled"))
    assert refusal(connection, answers) == ""
    as_found_elsewhere(connection)
    assert "shows 5 events, and the database knows of 10" in refusal(connection, answers)


def test_no_checkpoint_is_published_over_another_history(
    connection: Connection, database: str, files: TileFiles, archive: Archive
) -> None:
    for stream in (1, 2):
        play_on(connection, files, archive, stream, 5)
    before = {path: files.read(path) for path in files.paths("")}
    lose(database, 5)
    record(connection, stream_of(3), 90)
    seal(connection, ORIGIN, [KEY])
    with pytest.raises(AnotherHistoryPublished, match=r"checkpoint in .* is of another history"):
        Publisher(ORIGIN, files, no_cosignatures, None, archive).publish(connection)
    assert {path: files.read(path) for path in files.paths("")} == before


class SlowerStore(DirectoryStore):
    """A store in which another keeper publishes whenever this one has looked."""

    written = 0

    def read_version(self, path: str) -> VersionedFile | None:
        found, text = super().read_version(path), str(Checkpoint(ORIGIN, 0, EMPTY_ROOT))
        self.written += 1
        note = Note(text, (KEY.sign(text), WITNESS.sign(text, self.written)))
        self.replace_all([(path, str(note).encode())])
        return found


def test_a_keeper_that_is_always_late_says_so(connection: Connection, tmp_path: Path) -> None:
    seal(connection, ORIGIN, [KEY])
    with pytest.raises(PublishingRaced, match="other keepers write claim"):
        Publisher(ORIGIN, TileFiles(SlowerStore(tmp_path / "log"))).publish(connection)


def lose(database: str, from_index: int) -> None:
    """Changes the database as a restore to an earlier time does."""
    with ignoring_guards(database) as administrator:
        administrator.execute("DELETE FROM checkpoints WHERE size > %s", (from_index,))
        lost = "DELETE FROM events USING log WHERE events.stream = log.stream AND events.seq = log.seq AND idx >= %s"
        administrator.execute(lost, (from_index,))
        administrator.execute("DELETE FROM log WHERE idx >= %s", (from_index,))


def test_what_was_lost_is_adopted_from_the_archive_in_its_old_order(
    connection: Connection, database: str, files: TileFiles, archive: Archive
) -> None:
    for stream, count in ((1, 200), (2, 100), (3, 7)):
        play_on(connection, files, archive, stream, count)
    before = newest_seal(connection, ORIGIN)
    lose(database, 200)
    assert refusal(connection, shown(files)) == "our own file shows 307 events and the log holds 200"
    assert recover(connection, files, archive) == 107
    assert newest_seal(connection, ORIGIN) == before
    assert refusal(connection, shown(files)) == ""
    play_on(connection, files, archive, 4, 10)
    audit = Audit(connection, ORIGIN, files, [KEY.verifier])
    assert [fault for step in audit.run() for fault in step.faults] == []


def test_events_that_wait_in_the_outbox_find_their_old_place(
    connection: Connection, database: str, files: TileFiles, archive: Archive
) -> None:
    for stream, count in ((1, 3), (2, 4)):
        play_on(connection, files, archive, stream, count)
    with ignoring_guards(database) as administrator:
        administrator.execute("DELETE FROM checkpoints WHERE size > 3")
        administrator.execute("DELETE FROM log WHERE idx >= 3")
        again = (
            "INSERT INTO outbox (stream, seq, hash) SELECT stream, seq, hash FROM events WHERE stream = %s ORDER BY seq"
        )
        administrator.execute(again, (stream_of(2),))
    reconcile(connection, ORIGIN, shown(files))
    assert recover(connection, files, archive) == 4
    assert connection.execute("SELECT count(*) FROM outbox").fetchone() == (0,)


def test_a_stream_written_again_after_the_restore_cannot_be_recovered(
    connection: Connection, database: str, files: TileFiles, archive: Archive
) -> None:
    play_on(connection, files, archive, 1, 3)
    lose(database, 1)
    record(connection, stream_of(2), 1)
    with ignoring_guards(database) as administrator:
        administrator.execute("DELETE FROM log WHERE idx >= 1")
        moved = "INSERT INTO events SELECT %s, 2, kind, at, hash, body FROM events WHERE stream = %s"
        administrator.execute(moved, (stream_of(1), stream_of(2)))
    reconcile(connection, ORIGIN, shown(files))
    with pytest.raises(CannotRecover, match=r"event 2 of .* was written again"):
        recover(connection, files, archive)
    assert connection.execute("SELECT count(*) FROM log").fetchone() == (1,)


def test_nothing_is_adopted_while_the_gate_is_open(
    connection: Connection, database: str, files: TileFiles, archive: Archive
) -> None:
    reconcile(connection, ORIGIN, shown(files))
    play_on(connection, files, archive, 1, 3)
    lose(database, 1)
    with pytest.raises(psycopg.Error, match="nothing is adopted"):
        recover(connection, files, archive)


def test_a_changed_archive_or_another_key_is_refused(
    connection: Connection, files: TileFiles, archive: Archive, tmp_path: Path
) -> None:
    play_on(connection, files, archive, 1, 3)
    assert len(archive.read(Tile(None, 0, 2))) == 2
    with pytest.raises(ArchiveUnreadable, match=f"they need the master key {key_id(b'm' * 32)}"):
        Archive(tmp_path / "archive", MasterKeys(b"n" * 32)).read(Tile(None, 0, 3))
    with pytest.raises(ArchiveUnreadable):
        archive.read(Tile(None, 0, 4))
    path = tmp_path / "archive" / Tile(None, 0, 3).path
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ArchiveUnreadable):
        archive.read(Tile(None, 0, 3))
