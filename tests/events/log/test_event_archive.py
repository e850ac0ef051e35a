"""The archive of events: a file for each bundle, under the master key whose id it carries."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from psycopg import Connection

from events.log import event_archive
from events.log.event_archive import Archive, ArchiveUnreadable
from events.log.publisher import Publisher, no_cosignatures
from events.log.sealer import open_origin, seal
from events.log.tile_files import TileFiles
from events.merkle.notes import SigningKey
from events.merkle.tiles import Tile
from events.sealing.master_keys import MasterKeys, key_id
from events.store.connections import connect
from tests.support.events.filled_store import record, stream_of

ORIGIN = "cabildo.example/log"
KEY = SigningKey.from_seed(ORIGIN, b"\x07" * 32)
OLD, NEW = b"o" * 32, b"n" * 32
BEFORE, ROTATING, AFTER = MasterKeys(OLD), MasterKeys(NEW, previous=OLD), MasterKeys(NEW)
PAIR = Tile(None, 0, 2)
BEFORE_KEY_IDS = bytes.fromhex(  # two events under the master key "ooo...", as versions with one master key wrote them
    "851e41fc51e65d18bc523ef07484068d98b1f8bec7d1625a89fc1512dc58a4d69dad1c4152a9a82d749171ee79085a7feec782f117ed8d"
)
FIRST_WITH_KEY_ID = bytes.fromhex(  # the same events, as the first version with ids of keys wrote them
    "636162696c646f2f6576656e742d617263686976652f76322039396364333134320a22c7bbade6a72ef0e09b3b6aa2fc00ce3f5e4e65e42cc6"
    "de4c14a50ddba25a8259058d4820ee880383c65abd4448e0b4af54734c2d7497"
)


@pytest.fixture
def connection(database: str) -> Iterator[Connection]:
    with connect(database) as service:
        open_origin(service, ORIGIN, "the first")
        yield service


def play_on(connection: Connection, place: Path, keys: MasterKeys, stream: int, count: int) -> None:
    record(connection, stream_of(stream), count)
    seal(connection, ORIGIN, [KEY])
    archive = Archive(place / "archive", keys)
    Publisher(ORIGIN, TileFiles(place / "log"), no_cosignatures, None, archive).publish(connection)


def put(place: Path, tile: Tile, data: bytes) -> Path:
    path = place / tile.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def test_the_archive_keeps_one_file_for_each_bundle(connection: Connection, tmp_path: Path) -> None:
    for stream, count in ((1, 3), (2, 200), (3, 60)):
        play_on(connection, tmp_path, BEFORE, stream, count)
    tiles = tmp_path / "archive" / "tile"
    kept = sorted(str(path.relative_to(tiles)) for path in tiles.rglob("*") if path.is_file())
    assert kept == ["entries/000", "entries/001.p/7"]


@pytest.mark.parametrize("stored", [BEFORE_KEY_IDS, FIRST_WITH_KEY_ID])
def test_an_archived_bundle_of_an_earlier_version_is_read(stored: bytes, tmp_path: Path) -> None:
    put(tmp_path, PAIR, stored)
    for keys in (BEFORE, ROTATING):
        assert Archive(tmp_path, keys).read(PAIR) == [b"first", b"second"]
    with pytest.raises(ArchiveUnreadable):
        Archive(tmp_path, AFTER).read(PAIR)


def test_a_rotation_encrypts_every_archived_bundle_again(connection: Connection, tmp_path: Path) -> None:
    play_on(connection, tmp_path, BEFORE, 1, 300)
    archive = Archive(tmp_path / "archive", ROTATING)
    tiles = [Tile(None, 0), Tile(None, 1, 44)]
    stored = [archive.read(tile) for tile in tiles]
    assert archive.count_by_key() == {key_id(OLD): 2}
    assert archive.needed_keys() == {key_id(OLD)}
    assert sum(batch.changed for batch in archive.reseal()) == 2
    assert archive.count_by_key() == {key_id(NEW): 2}
    assert archive.needed_keys() == {key_id(NEW)}
    assert [Archive(tmp_path / "archive", AFTER).read(tile) for tile in tiles] == stored
    assert [*archive.reseal()] == []


def test_a_rotation_goes_on_while_events_are_published(connection: Connection, tmp_path: Path) -> None:
    play_on(connection, tmp_path, BEFORE, 1, 300)
    archive = Archive(tmp_path / "archive", ROTATING)
    rotation = archive.reseal()
    next(rotation)
    play_on(connection, tmp_path, ROTATING, 2, 300)  # the second bundle is full now, a third one begins
    assert [*rotation] == []
    assert archive.needed_keys() == {key_id(OLD), key_id(NEW)}  # another process wrote meanwhile: one more pass
    assert [batch.changed for batch in archive.reseal()] == [0]
    after = Archive(tmp_path / "archive", AFTER)
    assert after.count_by_key() == {key_id(NEW): 3}
    assert after.needed_keys() == {key_id(NEW)}
    assert len(after.read(Tile(None, 1)) + after.read(Tile(None, 2, 88))) == 344


def test_a_stopped_rotation_of_the_archive_begins_again(
    connection: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_archive, "AT_ONCE", 1)
    play_on(connection, tmp_path, BEFORE, 1, 300)
    archive = Archive(tmp_path / "archive", ROTATING)
    assert next(archive.reseal()).changed == 1
    assert archive.count_by_key() == {key_id(OLD): 1, key_id(NEW): 1}
    assert archive.needed_keys() == {key_id(OLD)}  # until a whole pass found nothing to keep it for
    assert [batch.changed for batch in archive.reseal()] == [0, 1]
    assert archive.needed_keys() == {key_id(NEW)}


def test_a_file_that_cannot_be_read_stays_and_is_named(tmp_path: Path) -> None:
    damaged = put(tmp_path, PAIR, FIRST_WITH_KEY_ID[:-1])
    put(tmp_path, PAIR._replace(number=1), b"nonsense")
    put(tmp_path, PAIR._replace(width=3), FIRST_WITH_KEY_ID)  # of another tile
    archive = Archive(tmp_path, ROTATING)
    (tmp_path / "master-keys").write_text(f"{key_id(OLD)}\n")
    lost = [path for batch in archive.reseal() for path in batch.lost]
    assert sorted(lost) == ["tile/entries/000.p/2", "tile/entries/000.p/3", "tile/entries/001.p/2"]
    assert damaged.read_bytes() == FIRST_WITH_KEY_ID[:-1]
    assert key_id(OLD) in archive.needed_keys()
