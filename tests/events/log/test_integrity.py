"""The database against its own published log: whatever an administrator changes is found and named."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from psycopg import Connection

from events.log.integrity import BEGINNING, CLASSES, FIRST_EXIT, Audit, Fault, Mark, gravest
from events.log.publisher import Publisher
from events.log.sealer import open_origin, seal
from events.log.tile_files import TileFiles
from events.merkle.notes import SigningKey
from events.merkle.tiles import Tile
from events.store.connections import connect
from tests.support.events.filled_store import COMMITMENT, aborted, ignoring_guards, record, stream_of

ORIGIN = "cabildo.example/log"
KEY = SigningKey.from_seed(ORIGIN, b"\x07" * 32)
SIZE = 530


@pytest.fixture
def files(tmp_path: Path) -> TileFiles:
    return TileFiles(tmp_path / "log")


@pytest.fixture
def connection(database: str, files: TileFiles) -> Iterator[Connection]:
    """A log of two full tiles and a partial one; the last games are not published yet."""
    with connect(database) as service:
        open_origin(service, ORIGIN, "the first")
        for number, count in enumerate((200, 200, 120, 6)):
            record(service, stream_of(number), count, last=aborted())
            seal(service, ORIGIN, [KEY])
            Publisher(ORIGIN, files).publish(service)
        record(service, stream_of(9), 4)
        yield service


def audited(connection: Connection, files: TileFiles, mark: Mark = BEGINNING) -> list[Fault]:
    return [fault for step in Audit(connection, ORIGIN, files, [KEY.verifier]).run(mark) for fault in step.faults]


def test_an_untouched_database_is_without_fault(connection: Connection, files: TileFiles) -> None:
    assert audited(connection, files) == []


def test_an_audit_goes_on_from_any_mark(connection: Connection, files: TileFiles) -> None:
    marks = [step.mark for step in Audit(connection, ORIGIN, files, [KEY.verifier]).run()]
    assert [mark.size for mark in marks] == [256, 512, SIZE, SIZE]
    for mark in marks:
        assert audited(connection, files, mark) == []


SECOND = f"stream = '{stream_of(1)}' AND seq = 7"
CHANGES = [
    ("event", f"UPDATE events SET body = body || ' '::bytea WHERE {SECOND}", "no event"),
    ("event", f"UPDATE events SET hash = sha256('x') WHERE {SECOND}", "hash"),
    ("event", f"UPDATE events SET kind = 'moved' WHERE {SECOND}", "columns"),
    ("event", f"UPDATE events SET at = at + 1 WHERE {SECOND}", "columns"),
    ("event", f"DELETE FROM events WHERE {SECOND}", "is gone"),
    ("event", f"UPDATE log SET hash = sha256('x') WHERE {SECOND}", "hash"),
    ("log", f"DELETE FROM log WHERE {SECOND}", "log index 206 is missing"),
    ("checkpoint", "UPDATE checkpoints SET root = sha256('x') WHERE size = 400", "size 400"),
    ("log", f"UPDATE log SET leaf = sha256('x') WHERE {SECOND}", "log index 206: the leaf"),
    ("log", "UPDATE log SET idx = 100000 WHERE idx = 20", "log index 20 is missing"),
    ("checkpoint", "UPDATE checkpoints SET edge = sha256('x') WHERE size = 400", "another edge"),
    ("checkpoint", "UPDATE checkpoints SET note = replace(note, '400', '401') WHERE size = 400", "size 400"),
]


@pytest.mark.parametrize(("kind", "change", "says"), CHANGES)
def test_a_changed_row_is_found_and_named(
    database: str, connection: Connection, files: TileFiles, kind: str, change: str, says: str
) -> None:
    with ignoring_guards(database) as administrator:
        administrator.execute(change.encode())
    found = audited(connection, files)
    assert gravest(found) == FIRST_EXIT + CLASSES.index(kind)
    named = [fault.sentence for fault in found if fault.kind == kind]
    assert any(says in sentence for sentence in named), found
    if kind == "event":
        assert f"event 7 of {stream_of(1)}" in named[0]


REWRITE = """
DO $$
DECLARE
    head bytea := '\\x' || repeat('00', 32);
    act record;
BEGIN
    FOR act IN SELECT * FROM events WHERE stream = '%(stream)s' ORDER BY seq LOOP
        act.body := convert_to(regexp_replace(regexp_replace(convert_from(act.body, 'UTF8'),
            '"prev":"[0-9a-f]+"', '"prev":"' || encode(head, 'hex') || '"'), '%(old)s', '%(new)s'), 'UTF8');
        head := sha256('cabildo/event/v1'::bytea || '\\x0a'::bytea || act.body);
        UPDATE events SET body = act.body, hash = head WHERE stream = act.stream AND seq = act.seq;
        UPDATE log SET hash = head,
            leaf = sha256('\\x0001'::bytea || uuid_send(act.stream) || int8send(act.seq) || head)
            WHERE stream = act.stream AND seq = act.seq;
    END LOOP;
END $$
"""


def test_a_history_rewritten_and_chained_anew_is_found(database: str, connection: Connection, files: TileFiles) -> None:
    """Every hash in the database is valid again; only the published files still show the original events."""
    change = {"stream": stream_of(1), "old": COMMITMENT, "new": "22" * 32}
    with ignoring_guards(database) as administrator:
        administrator.execute((REWRITE % change).encode())
    found = audited(connection, files)
    assert gravest(found) == FIRST_EXIT
    assert found[0].sentence == f"event 1 of {stream_of(1)} is not the one that was published at log index 200"
    assert len(found) == 200


def flip(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1])


def cut(data: bytes) -> bytes:
    return data[:-1]


@pytest.mark.parametrize("spoil", [flip, cut])
@pytest.mark.parametrize("tile", [Tile(0, 0), Tile(0, 2, 14), Tile(None, 1), Tile(None, 2, 14), Tile(1, 0, 2)])
def test_a_spoilt_file_is_found(
    connection: Connection, files: TileFiles, tile: Tile, spoil: Callable[[bytes], bytes]
) -> None:
    files.replace(tile.path, spoil(files.read(tile.path) or b""))
    found = audited(connection, files)
    assert found
    assert any(fault.kind == "tile" and tile.path.partition("/")[2] != "" for fault in found), found


def test_lost_files_and_an_invented_checkpoint_are_found(connection: Connection, files: TileFiles) -> None:
    (Path(files.name) / Tile(0, 1).path).unlink()
    (Path(files.name) / Tile(None, 0).path).unlink()
    shown = files.read("checkpoint") or b""
    files.replace("checkpoint", shown.replace(b"\n526\n", b"\n527\n"))
    kinds = {fault.kind for fault in audited(connection, files)}
    assert kinds == {"tile", "checkpoint"}


def test_a_shorter_log_than_was_published_is_found(database: str, connection: Connection, files: TileFiles) -> None:
    with ignoring_guards(database) as administrator:
        administrator.execute("DELETE FROM log WHERE idx >= 520")
    found = audited(connection, files)
    assert Fault("log", "526 events were published, and the log holds 520") in found


def test_an_event_that_never_reached_the_log_is_found(database: str, connection: Connection, files: TileFiles) -> None:
    with ignoring_guards(database) as administrator:
        administrator.execute(
            "INSERT INTO events SELECT stream, 5, kind, at, hash, body FROM events WHERE stream = %s AND seq = 4",
            (stream_of(9),),
        )
    assert audited(connection, files) == [
        Fault("lost", f"event 5 of {stream_of(9)} is neither in the log nor waiting for it")
    ]


def test_a_checkpoint_under_another_key_is_found(connection: Connection, files: TileFiles) -> None:
    other = SigningKey.from_seed(ORIGIN, b"\x08" * 32).verifier
    found = [fault for step in Audit(connection, ORIGIN, files, [other]).run() for fault in step.faults]
    assert {fault.kind for fault in found} == {"checkpoint"}
