"""A published log as outsiders read it: a judge that shares no code with ours and, where Go is at hand, Go's own."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from cabildo_client import verify_standalone

from events.log.publisher import CHECKPOINT, Publisher
from events.log.sealer import open_origin, seal
from events.log.tile_files import TileFiles
from events.merkle.notes import SigningKey
from events.merkle.tiles import Tile, TiledTree, read_bundle
from events.merkle.tree import consistency_proof, inclusion_proof
from events.store.connections import connect
from tests.support.events.filled_store import record, stream_of

ORIGIN = "cabildo.example/log"
KEY = SigningKey.from_seed(ORIGIN, b"\x07" * 32)
SIZES = (200, 700)
GO = shutil.which("go")
VENDORED = "src/cmd/vendor/golang.org"  # with x/mod/sumdb: every Go has it among the sources of its own command
PROGRAM = Path(__file__).parents[1] / "merkle" / "outsider" / "main.go"


@pytest.fixture
def log(database: str, tmp_path: Path) -> TileFiles:
    """A log of two full tiles and a partial one; its first checkpoint is kept beside it."""
    files = TileFiles(tmp_path / "log")
    with connect(database) as connection:
        open_origin(connection, ORIGIN, "the first")
        for number, size in enumerate(SIZES):
            record(connection, stream_of(number), size - sum(SIZES[:number]))
            seal(connection, ORIGIN, [KEY])
            Publisher(ORIGIN, files).publish(connection)
            (tmp_path / f"checkpoint-{size}").write_bytes(files.read(CHECKPOINT) or b"")
    return files


def entries(log: TileFiles) -> Iterator[bytes]:
    for first in range(0, SIZES[1], 256):
        tile = Tile(None, first // 256, min(256, SIZES[1] - first))
        yield from read_bundle(log.read(tile.path) or b"", tile.width)


def test_a_second_judge_accepts_every_entry_and_the_growth(log: TileFiles) -> None:
    old, new = ((Path(log.name).parent / f"checkpoint-{size}").read_text() for size in SIZES)
    policy = verify_standalone.LogPolicy(f"log {KEY.verifier}\nquorum none\n".encode())
    notes = [verify_standalone.SignedNote(text) for text in (old, new)]
    for note in notes:
        policy.judge(note)
    (_, small, old_root), (_, size, root) = (note.checkpoint() for note in notes)
    assert (small, size) == SIZES
    tree = TiledTree(size, lambda tile: log.hashes(tile) or b"")
    for index, entry in enumerate(entries(log)):
        proof = list(inclusion_proof(index, size, tree.node))
        assert verify_standalone.included(index, size, verify_standalone.sha(b"\x00", entry), proof) == root
    growth = list(consistency_proof(small, size, tree.node))
    assert verify_standalone.grown(small, size, [old_root], growth) == (old_root, root)
    if GO is not None and (sources := sources_of(GO)).exists():
        accepts_in_go(GO, sources, log)


def sources_of(go: str) -> Path:
    """Where a Go keeps golang.org/x for itself."""
    root = subprocess.run([go, "env", "GOROOT"], capture_output=True, text=True, timeout=60, check=True).stdout.strip()
    return Path(root, VENDORED)


def accepts_in_go(go: str, sources: Path, log: TileFiles) -> None:
    """golang.org/x/mod/sumdb, unmodified: notes, tiles, inclusion and consistency; and it refuses a spoilt tile."""
    judge, path = Path(log.name).parent / "judge", Path(log.name).parent / "go"
    (path / "src").mkdir(parents=True)
    (path / "src" / "golang.org").symlink_to(sources)
    environ = {**os.environ, "GO111MODULE": "off", "GOPATH": str(path), "CGO_ENABLED": "0"}
    subprocess.run([go, "build", "-o", judge, PROGRAM], env=environ, check=True, timeout=120)
    command: list[str | Path] = [
        judge,
        Path(log.name),
        str(KEY.verifier),
        *(Path(log.name).parent / f"checkpoint-{n}" for n in SIZES),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, f"{SIZES[1]}\n"), done.stderr
    tile = Tile(0, 1).path
    log.replace(tile, bytes(32) + (log.read(tile) or b"")[32:])
    assert subprocess.run(command, capture_output=True, timeout=60, check=False).returncode == 1
