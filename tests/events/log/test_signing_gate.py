"""The gate before the log: open where the log goes on, closed where it would contradict what the world has seen."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import Connection

from events.log import signing_gate
from events.log.event_archive import Archive, ArchiveUnreadable
from events.log.integrity import Audit
from events.log.publisher import CHECKPOINT, Publisher, no_cosignatures
from events.log.recovery import CannotRecover, recover
from events.log.sealer import newest_seal, open_origin, seal
from events.log.tile_files import TileFiles
from events.merkle.checkpoint import Checkpoint
from events.merkle.notes import SigningKey
from events.merkle.tiles import Tile
from events.store.connections import connect
from tests.support.events.filled_store import ignoring_guards, record, stream_of

ORIGIN = "cabildo.example/log"
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
    return Archive(tmp_path / "archive", b"m" * 32)


def shown(files: TileFiles, **others: bytes | None) -> signing_gate.NewestCheckpoints:
    return {"our own file": files.read(CHECKPOINT) or b"", **others}


def play_on(connection: Connection, files: TileFiles, archive: Archive, stream: int, count: int) -> None:
    record(connection, stream_of(stream), count)
    seal(connection, ORIGIN, [KEY])
    Publisher(ORIGIN, files, no_cosignatures, None, archive).publish(connection)


def sentences(doubts: list[signing_gate.SigningDoubt]) -> list[str]:
    return [doubt.sentence for doubt in doubts]


def test_a_new_log_opens_by_itself_and_stays_open(connection: Connection, files: TileFiles, archive: Archive) -> None:
    assert not signing_gate.is_open(connection)
    assert signing_gate.open_if_safe(connection, ORIGIN, shown(files)) == []
    assert signing_gate.is_open(connection)
    play_on(connection, files, archive, 1, 5)
    assert signing_gate.open_if_safe(connection, ORIGIN, shown(files)) == []
    assert signing_gate.gate_state(connection) == signing_gate.State(
        signing_gate.cluster(connection), True, "reconciled"
    )


def test_what_the_world_has_seen_beyond_us_closes_it(
    connection: Connection, files: TileFiles, archive: Archive
) -> None:
    play_on(connection, files, archive, 1, 5)
    ahead = str(Checkpoint(ORIGIN, 9, b"\x01" * 32).signed(KEY)).encode()
    assert sentences(signing_gate.open_if_safe(connection, ORIGIN, shown(files, W=ahead))) == [
        "W shows 9 events and the log holds 5"
    ]
    assert not signing_gate.is_open(connection)
    other = str(Checkpoint(ORIGIN, 3, b"\x01" * 32).signed(KEY)).encode()
    assert sentences(signing_gate.open_if_safe(connection, ORIGIN, shown(files, W=other))) == [
        "W shows another history of 3 events"
    ]
    assert signing_gate.open_if_safe(connection, ORIGIN, shown(files)) == []


def test_a_cluster_that_is_not_known_wants_everybody_asked(
    connection: Connection, files: TileFiles, archive: Archive
) -> None:
    play_on(connection, files, archive, 1, 5)
    connection.execute(
        signing_gate.WRITE, ("another cluster", True, "reconciled")
    )  # as a restored or promoted one finds it
    assert not signing_gate.is_open(connection)
    assert sentences(signing_gate.open_if_safe(connection, ORIGIN, shown(files, W=None))) == ["W cannot be asked"]
    assert sentences(signing_gate.open_if_safe(connection, ORIGIN, {"our own file": b""})) == [
        "our own file has no checkpoint"
    ]
    assert signing_gate.open_if_safe(connection, ORIGIN, shown(files, W=files.read(CHECKPOINT))) == []
    assert signing_gate.open_if_safe(connection, ORIGIN, shown(files, W=None)) == []  # known now: a witness may be away


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
    assert sentences(signing_gate.open_if_safe(connection, ORIGIN, shown(files))) == [
        "our own file shows 307 events and the log holds 200"
    ]
    assert recover(connection, files, archive) == 107
    assert newest_seal(connection, ORIGIN) == before
    assert signing_gate.open_if_safe(connection, ORIGIN, shown(files)) == []
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
    signing_gate.open_if_safe(connection, ORIGIN, shown(files))
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
    signing_gate.open_if_safe(connection, ORIGIN, shown(files))
    with pytest.raises(CannotRecover, match=r"event 2 of .* was written again"):
        recover(connection, files, archive)
    assert connection.execute("SELECT count(*) FROM log").fetchone() == (1,)


def test_nothing_is_adopted_while_the_gate_is_open(
    connection: Connection, database: str, files: TileFiles, archive: Archive
) -> None:
    signing_gate.open_if_safe(connection, ORIGIN, shown(files))
    play_on(connection, files, archive, 1, 3)
    lose(database, 1)
    with pytest.raises(psycopg.Error, match="nothing is adopted"):
        recover(connection, files, archive)


def test_a_changed_archive_or_another_key_is_refused(
    connection: Connection, files: TileFiles, archive: Archive, tmp_path: Path
) -> None:
    play_on(connection, files, archive, 1, 3)
    assert len(archive.read(Tile(None, 0, 2))) == 2
    with pytest.raises(ArchiveUnreadable):
        Archive(tmp_path / "archive", b"n" * 32).read(Tile(None, 0, 3))
    with pytest.raises(ArchiveUnreadable):
        archive.read(Tile(None, 0, 4))
    path = tmp_path / "archive" / Tile(None, 0, 3).path
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ArchiveUnreadable):
        archive.read(Tile(None, 0, 3))


def test_the_archive_keeps_one_file_for_each_bundle(
    connection: Connection, files: TileFiles, archive: Archive, tmp_path: Path
) -> None:
    for stream, count in ((1, 3), (2, 200), (3, 60)):
        play_on(connection, files, archive, stream, count)
    kept = sorted(str(p.relative_to(tmp_path / "archive")) for p in (tmp_path / "archive").rglob("*") if p.is_file())
    assert kept == ["tile/entries/000", "tile/entries/001.p/7"]
