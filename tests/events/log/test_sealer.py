"""Sealing and publishing: one size has one root, a crash anywhere only repeats work, and nothing false is signed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import Connection

from events.files.file_store import PublishedDiffers
from events.kinds import KINDS
from events.log.leaves import BrokenLog, entries, leaf_hashes, leaves, log_index, log_size, pages
from events.log.publisher import CHECKPOINT, WITNESSED, Publisher, no_cosignatures
from events.log.sealer import (
    SEAL_LEAVES,
    LogStanding,
    SealingStopped,
    current_origin,
    is_due,
    log_standing,
    newest_seal,
    open_origin,
    seal,
    seal_covering,
)
from events.log.tile_files import TileFiles
from events.merkle.checkpoint import open_checkpoint
from events.merkle.notes import COSIGNATURE, Note, SigningKey
from events.merkle.policy import Policy
from events.merkle.tiles import WIDTH, Tile, TiledTree, read_bundle, tiles_between, write_bundle
from events.merkle.tree import Tree, inclusion_proof, root_of, verify_inclusion
from events.store.connections import connect
from events.store.postgres import APPEND
from tests.support.events.filled_store import aborted, ignoring_guards, record, stream_of

ORIGIN = "cabildo.example/log"
KEY = SigningKey.from_seed(ORIGIN, b"\x07" * 32)
WITNESS = SigningKey.from_seed("witness.example", b"\x08" * 32, COSIGNATURE)
POLICY = Policy.parse(f"log {KEY.verifier}\nwitness W {WITNESS.verifier}\nquorum W\n".encode())


@pytest.fixture
def connection(database: str) -> Iterator[Connection]:
    with connect(database) as service:
        open_origin(service, ORIGIN, "the first")
        yield service


@pytest.fixture
def files(tmp_path: Path) -> TileFiles:
    return TileFiles(tmp_path / "log")


def test_an_empty_log_is_sealed_and_published(connection: Connection, files: TileFiles) -> None:
    assert current_origin(connection) == ORIGIN
    assert seal(connection, ORIGIN, [KEY]).size == 0
    shown = Publisher(ORIGIN, files).publish(connection)
    assert shown is not None
    assert (shown.origin, shown.size) == (ORIGIN, 0)


def test_each_seal_grows_out_of_the_one_before(connection: Connection) -> None:
    sizes = []
    for number, count in enumerate((1, 3, 260, 0)):
        if count:
            record(connection, stream_of(number), count)
        sealed = seal(connection, ORIGIN, [KEY])
        tree = Tree(leaf.hash for leaf in leaves(connection, 0, sealed.size))
        assert sealed.root == tree.root()
        assert open_checkpoint(sealed.note, [KEY.verifier]).root == tree.root()
        sizes.append(sealed.size)
    assert sizes == [1, 4, 264, 264]


def test_published_tiles_prove_every_event(connection: Connection, files: TileFiles) -> None:
    publisher = Publisher(ORIGIN, files)
    recorded = []
    for number, count in enumerate((1, 254, 1, 344)):  # sizes 1, 255, 256, 600
        recorded += record(connection, stream_of(number), count)
        sealed = seal(connection, ORIGIN, [KEY])
        publisher.publish(connection)
    tiled = TiledTree(600, lambda tile: files.read(tile.path) or b"")
    assert root_of(600, tiled.node) == sealed.root
    assert publisher.published() == open_checkpoint(sealed.note, [KEY.verifier])
    for event in (recorded[at] for at in (0, 255, 256, 599)):
        index = log_index(connection, event.stream, event.seq)
        assert index is not None
        (leaf,) = leaves(connection, index, index + 1)
        verify_inclusion(index, 600, leaf.hash, inclusion_proof(index, 600, tiled.node), sealed.root)
    kept = {str(path.relative_to(Path(files.name))) for path in Path(files.name).rglob("*") if path.is_file()}
    for size in (1, 255, 256, 600):  # every published size keeps its tiles, or the full ones that hold them
        places = [{tile.path, tile._replace(width=WIDTH).path} for tile in tiles_between(0, size)]
        assert [place for place in places if not place & kept] == []
    assert read_bundle(files.read(Tile(None, 2, 88).path) or b"", 88)[-1][-32:] == recorded[-1].hash


def test_seals_are_due_by_time_by_number_and_at_once_at_barriers(connection: Connection) -> None:
    def due(sealed: int, seconds: float) -> bool:
        return is_due(log_standing(connection)._replace(sealed=sealed), seconds)

    assert not due(0, 3600)
    record(connection, stream_of(1), 3)
    assert [due(0, seconds) for seconds in (0.5, 2.5)] == [False, True]
    record(connection, stream_of(2), 2, last=aborted())
    assert due(0, 0)
    assert due(3, 0)
    assert not due(5, 3600)
    record(connection, stream_of(3), SEAL_LEAVES)
    assert [due(5, seconds) for seconds in (0.9, 1.1)] == [False, True]


def test_a_barrier_is_not_waited_for_where_a_restore_took_it_away(connection: Connection, database: str) -> None:
    record(connection, stream_of(1), 4, last=aborted())
    assert log_standing(connection) == LogStanding(ORIGIN, None, 4, barrier=4)
    with ignoring_guards(database) as administrator:
        administrator.execute("DELETE FROM log WHERE idx = 3")  # as in a database of before the barrier
    assert log_standing(connection) == LogStanding(ORIGIN, None, 3, barrier=0)


def test_ends_of_commitments_games_and_rounds_are_barriers(connection: Connection) -> None:
    for number, kind in enumerate(kind.name for kind in KINDS):
        connection.execute(APPEND, (UUID(int=number), 1, b"", kind, 0, bytes(32), b"{}"))
    marked = connection.execute("SELECT kind FROM outbox JOIN events USING (stream, seq) WHERE barrier").fetchall()
    ends = ("commitments_closed", "game_aborted", "game_ended", "round_closed", "seed_revealed", "tournament_closed")
    assert tuple(sorted(kind for (kind,) in marked)) == ends


def test_the_checkpoint_for_a_proof_is_the_first_that_covers_it(connection: Connection) -> None:
    for number in range(3):
        record(connection, stream_of(number), 2)
        seal(connection, ORIGIN, [KEY])
    covering = [seal_covering(connection, ORIGIN, index) for index in range(7)]
    assert [found.size if found else None for found in covering] == [2, 2, 4, 4, 6, 6, None]


def test_one_size_is_never_sealed_with_two_roots(connection: Connection, database: str) -> None:
    record(connection, stream_of(1), 3)
    first = seal(connection, ORIGIN, [KEY])
    assert seal(connection, ORIGIN, [KEY]) == first
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("UPDATE checkpoints SET size = 2")  # nor by mistake
    with ignoring_guards(database) as administrator:
        administrator.execute("UPDATE checkpoints SET edge = overlay(edge placing 'x' from 1)")
    with pytest.raises(SealingStopped):
        seal(connection, ORIGIN, [KEY])


def test_a_key_of_another_name_signs_nothing(connection: Connection) -> None:
    for keys in ([], [SigningKey.generate("other.example/log")]):
        with pytest.raises(SealingStopped):
            seal(connection, ORIGIN, keys)
    assert newest_seal(connection, ORIGIN) is None


def test_two_keys_sign_while_one_replaces_the_other(connection: Connection) -> None:
    new = SigningKey.from_seed(ORIGIN, b"\x09" * 32)
    note = seal(connection, ORIGIN, [KEY, new]).note
    for key in (KEY, new):
        assert open_checkpoint(note, [key.verifier]).size == 0


def test_new_origin_publishes_the_whole_log_and_freezes_the_old(connection: Connection, tmp_path: Path) -> None:
    record(connection, stream_of(1), 3)
    old = seal(connection, ORIGIN, [KEY])
    open_origin(connection, ORIGIN + "/2", "the key was stolen")
    record(connection, stream_of(2), 2)
    key = SigningKey.generate(ORIGIN + "/2")
    assert current_origin(connection) == key.name
    new = seal(connection, key.name, [key])
    shown = Publisher(key.name, TileFiles(tmp_path / "2")).publish(connection)
    assert (new.size, shown and shown.size) == (5, 5)
    assert newest_seal(connection, ORIGIN) == old


def cosigners(note: Note, _proof: object) -> list[Any]:
    return [WITNESS.sign(note.text, 1_800_000_000)]


def is_witnessed(note: Note) -> bool:
    return POLICY.judge(note).quorum


def test_a_checkpoint_is_published_with_its_cosignatures(connection: Connection, files: TileFiles) -> None:
    record(connection, stream_of(1), 3)
    seal(connection, ORIGIN, [KEY])
    Publisher(ORIGIN, files, cosigners, is_witnessed).publish(connection)
    shown = files.read(CHECKPOINT)
    assert shown is not None
    assert POLICY.judge(Note.parse(shown)).quorum
    assert files.read(WITNESSED) == shown


def test_without_quorum_the_last_witnessed_checkpoint_stays(connection: Connection, files: TileFiles) -> None:
    record(connection, stream_of(1), 3)
    seal(connection, ORIGIN, [KEY])
    Publisher(ORIGIN, files, cosigners, is_witnessed).publish(connection)
    witnessed = files.read(WITNESSED)
    record(connection, stream_of(2), 3)
    seal(connection, ORIGIN, [KEY])
    silent = Publisher(ORIGIN, files, no_cosignatures, is_witnessed)
    silent.publish(connection)
    assert files.read(WITNESSED) == witnessed != files.read(CHECKPOINT)
    assert not silent.witness_again(connection)
    assert Publisher(ORIGIN, files, cosigners, is_witnessed).witness_again(connection)
    assert files.read(WITNESSED) == files.read(CHECKPOINT) != witnessed


def test_lost_files_are_published_again(connection: Connection, files: TileFiles, tmp_path: Path) -> None:
    for number in range(70):
        record(connection, stream_of(number), 5)
        seal(connection, ORIGIN, [KEY])
        Publisher(ORIGIN, files).publish(connection)
    again = TileFiles(tmp_path / "again")
    Publisher(ORIGIN, again).publish(connection)
    for path in (CHECKPOINT, *(tile.path for tile in tiles_between(0, 350))):
        assert again.read(path) == files.read(path)


def test_a_published_file_is_never_overwritten_with_something_else(files: TileFiles) -> None:
    files.keep_all([("tile/0/000.p/1", b"x" * 32)])
    files.keep_all([("tile/0/000.p/1", b"x" * 32)])
    with pytest.raises(PublishedDiffers):
        files.keep_all([("tile/0/000.p/1", b"y" * 32)])


def test_a_changed_leaf_or_a_hole_stops_the_sealer(connection: Connection, database: str) -> None:
    record(connection, stream_of(1), 5)
    with ignoring_guards(database) as administrator:
        administrator.execute("UPDATE log SET hash = sha256('other') WHERE idx = 3")
    with pytest.raises(BrokenLog, match="log index 3"):
        seal(connection, ORIGIN, [KEY])
    with ignoring_guards(database) as administrator:
        administrator.execute("DELETE FROM log WHERE idx = 2")
    with pytest.raises(BrokenLog, match="log index 2: is missing"):
        seal(connection, ORIGIN, [KEY])
    assert newest_seal(connection, ORIGIN) is None
    assert log_size(connection) == 5


def test_a_differing_file_stops_its_group_and_leaves_no_files(tmp_path: Path) -> None:
    files = TileFiles(tmp_path)
    files.replace("tile/0/001", b"old")
    with pytest.raises(PublishedDiffers, match="tile/0/001"):
        files.keep_all([("tile/0/000", b"new"), ("tile/0/001", b"new")])
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["001"]
    assert files.read("tile/0/001") == b"old"


def test_leaves_read_by_pages_are_the_leaves(
    connection: Connection, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(connection, stream_of(1), 5)
    known, sizes = list(leaves(connection, 0, 5)), (1, 2, 3, 4, 5, 100)
    for size in sizes:
        monkeypatch.setattr("events.log.leaves.PAGE_SIZE", size)
        for begin, end in ((0, 5), (0, 9), (2, 4), (5, 9), (3, 3)):
            assert list(leaf_hashes(connection, begin, end)) == [leaf.hash for leaf in known[begin:end]]
            found = list(pages(connection, begin, end))
            assert b"".join(hashes for hashes, _ in found) == b"".join(leaf.hash for leaf in known[begin:end])
            bundled = [entry for _, bundle in found for entry in entries(bundle)]
            assert bundled == [leaf.entry for leaf in known[begin:end]]
            assert b"".join(bundle for _, bundle in found) == write_bundle(bundled)
    with ignoring_guards(database) as administrator:
        administrator.execute("DELETE FROM log WHERE idx = 2")
    for size in sizes:
        monkeypatch.setattr("events.log.leaves.PAGE_SIZE", size)
        for read in (leaf_hashes, pages):
            with pytest.raises(BrokenLog, match="log index 2: is missing"):
                list(read(connection, 0, 5))


def test_an_event_hash_of_another_length_is_no_leaf(connection: Connection, database: str) -> None:
    record(connection, stream_of(1), 3)
    with ignoring_guards(database) as administrator:
        administrator.execute("UPDATE log SET hash = hash || 'x' WHERE idx = 1")
        administrator.execute(
            "UPDATE log SET leaf = sha256('\\x0001'::bytea || uuid_send(stream) || int8send(seq) || hash) WHERE idx = 1"
        )
    for read in (leaf_hashes, pages):
        with pytest.raises(BrokenLog, match="log index 1"):
            list(read(connection, 0, 3))
