"""The sealer ends at every point of its work, killed or told of a failure that was none; then it goes on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tests.support.events.seal_and_publish as program
from events.log.leaves import leaves
from events.log.publisher import CHECKPOINT
from events.log.sealer import newest_seal, open_origin
from events.log.tile_files import TileFiles
from events.merkle.notes import Note
from events.merkle.policy import Policy
from events.merkle.tiles import Tile, read_bundle, tiles_between
from events.merkle.tree import Tree, leaf_hash
from events.store.connections import connect
from events.store.failpoints import NAMES, VARIABLE
from tests.support.events.filled_store import record, stream_of

IN_A_BUCKET = ("publish.before_put", "publish.after_put")  # tests/workers/keeper/test_forks.py passes them
POINTS = sorted(name for name in NAMES if name.startswith(("seal.", "publish.")) and name not in IN_A_BUCKET)
POLICY = Policy.parse(f"log {program.KEY.verifier}\nquorum none\n".encode())


def ended(url: str, directory: Path, point: str, action: str) -> bool:
    """Whether a process with this fail point switched on came to a bad end."""
    command = [sys.executable, "-m", program.__name__, url, str(directory)]
    environment = os.environ | {VARIABLE: f"{point}={action}"}
    done = subprocess.run(command, env=environment, capture_output=True, timeout=60, check=False)
    return done.returncode != 0


@pytest.mark.parametrize("action", ["kill", "lost"])
@pytest.mark.parametrize("point", POINTS)
def test_a_bad_end_anywhere_leaves_nothing_false_and_nothing_undone(
    database: str, tmp_path: Path, point: str, action: str
) -> None:
    with connect(database) as connection:
        open_origin(connection, program.ORIGIN, "the first")
        record(connection, stream_of(1), 2)
        program.run(database, tmp_path)
        record(connection, stream_of(2), 3)
        stopped = 0
        while stopped < 6 and ended(database, tmp_path, point, action):  # some points are passed once for each file
            stopped += 1
            assert_whole(tmp_path)
        assert stopped
        program.run(database, tmp_path)
        assert assert_whole(tmp_path) == 5
        sealed = newest_seal(connection, program.ORIGIN)
        assert sealed is not None
        assert sealed.root == Tree(leaf.hash for leaf in leaves(connection, 0, 5)).root()
        assert not list(tmp_path.rglob(".new-*"))


def assert_whole(directory: Path) -> int:
    """Verifies the published tree from its files alone. Returns its size."""
    files = TileFiles(directory)
    checkpoint = POLICY.judge(Note.parse(files.read(CHECKPOINT) or b"")).checkpoint
    tree = Tree(leaf_hash(entry) for entry in entries(files, checkpoint.size))
    assert tree.root() == checkpoint.root
    for tile in tiles_between(0, checkpoint.size):
        assert files.read(tile.path) is not None
    return checkpoint.size


def entries(files: TileFiles, size: int) -> list[bytes]:
    return [
        entry
        for tile in tiles_between(0, size)
        if tile.level is None
        for entry in read_bundle(files.read(Tile(None, tile.number, tile.width).path) or b"", tile.width)
    ]
