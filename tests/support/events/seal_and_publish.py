"""Run as a program, with fail points in its environment: seal what waits and publish it."""

import sys
from pathlib import Path

from events.log.publisher import Publisher
from events.log.sealer import seal
from events.log.tile_files import TileFiles
from events.merkle.notes import SigningKey
from events.store.connections import connect

ORIGIN = "cabildo.example/log"
KEY = SigningKey.from_seed(ORIGIN, b"\x07" * 32)


def run(url: str, directory: Path) -> None:
    """One turn of the sealer and the publisher, as its process does it after a start."""
    files = TileFiles(directory)
    files.sweep()
    with connect(url) as connection:
        seal(connection, ORIGIN, [KEY])
        Publisher(ORIGIN, files).publish(connection)


if __name__ == "__main__":
    run(sys.argv[1], Path(sys.argv[2]))
