"""Narrow tiles are removed once a full one replaced them; readers fall back to the full one."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from psycopg import Connection

import tests.support.events.seal_and_publish as program
from events.log.integrity import Audit
from events.log.monitor import FileMissing, Monitor
from events.log.publisher import Publisher
from events.log.sealer import open_origin
from events.log.tile_files import TileFiles
from events.merkle.policy import Policy
from events.merkle.tiles import Tile
from events.store.connections import connect
from events.store.failpoints import VARIABLE
from tests.support.events.filled_store import record, stream_of

POLICY = Policy.parse(f"log {program.KEY.verifier}\nquorum none\n".encode())
FULL, NARROW = {"tile/0/000", "tile/entries/000"}, {"tile/0/000.p/200", "tile/entries/000.p/200"}
NEWEST = {"tile/0/001.p/44", "tile/1/000.p/1", "tile/entries/001.p/44"}


@pytest.fixture
def connection(database: str, tmp_path: Path) -> Iterator[Connection]:
    """A log of 200 published events, and 100 that are not published."""
    with connect(database) as connection:
        open_origin(connection, program.ORIGIN, "the first")
        record(connection, stream_of(1), 200)
        program.run(database, tmp_path)
        record(connection, stream_of(2), 100)
        yield connection


def tiles(directory: Path) -> set[str]:
    return {str(path.relative_to(directory)) for path in (directory / "tile").rglob("*") if path.is_file()}


def test_full_tile_replaces_its_narrow_ones(connection: Connection, database: str, tmp_path: Path) -> None:
    assert tiles(tmp_path) >= NARROW
    program.run(database, tmp_path)
    assert tiles(tmp_path) == FULL | NEWEST
    assert not (tmp_path / "tile" / "0" / "000.p").exists()
    audit = Audit(connection, program.ORIGIN, TileFiles(tmp_path), [program.KEY.verifier])
    assert [fault for step in audit.run() for fault in step.faults] == []


@pytest.mark.parametrize("removed", [1, 2])
def test_crash_between_removals_leaves_a_whole_log(
    connection: Connection, database: str, tmp_path: Path, removed: int
) -> None:
    command = [sys.executable, "-m", program.__name__, database, str(tmp_path)]
    environment = os.environ | {VARIABLE: "narrow_tiles.before_removal=kill"}
    assert subprocess.run(command, env=environment, capture_output=True, timeout=60, check=False).returncode != 0
    assert tiles(tmp_path) > FULL
    assert tiles(tmp_path) & NARROW
    program.run(database, tmp_path)  # publishes nothing more
    files = TileFiles(tmp_path)
    for tile in list(files.tiles_with_narrower())[:removed]:
        assert files.remove_narrower(tile)
    assert len(tiles(tmp_path) & NARROW) == 2 - removed
    assert {tile.path for tile in files.tiles_with_narrower()} <= FULL


def test_narrow_tile_that_differs_from_the_full_one_stays(
    connection: Connection, database: str, tmp_path: Path
) -> None:
    (tmp_path / "tile/0/000.p/199").write_bytes(b"evidence")
    program.run(database, tmp_path)
    assert tiles(tmp_path) == FULL | NEWEST | {"tile/0/000.p/199"}


def test_proofs_of_an_older_size_read_the_full_tile(connection: Connection, database: str, tmp_path: Path) -> None:
    narrow = (tmp_path / Tile(0, 0, 200).path).read_bytes()
    program.run(database, tmp_path)
    assert TileFiles(tmp_path).hashes(Tile(0, 0, 200)) == narrow
    assert Publisher(program.ORIGIN, TileFiles(tmp_path)).tree(200).node(0, 199)


def test_monitor_with_an_older_checkpoint_reads_the_full_bundle(
    connection: Connection, database: str, tmp_path: Path
) -> None:
    older = (tmp_path / "checkpoint").read_bytes()
    program.run(database, tmp_path)
    asked: list[str] = []

    def fetch(path: str) -> bytes:
        asked.append(path)
        data = older if path == "checkpoint" else TileFiles(tmp_path).read(path)
        if data is None:
            raise FileMissing(path)
        return data

    monitor = Monitor(tmp_path / "seen.sqlite", POLICY)
    assert monitor.check(fetch).new == 200
    assert asked == ["checkpoint", "tile/entries/000.p/200", "tile/entries/000"]
    monitor.close()
