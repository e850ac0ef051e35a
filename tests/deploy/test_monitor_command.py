"""`cabildo monitor` against published files that an ordinary web server serves."""

import base64
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from psycopg import Connection

from deploy.cli import main
from events.log.publisher import Publisher
from events.log.sealer import open_origin, seal
from events.log.tile_files import TileFiles
from events.merkle.checkpoint import Checkpoint
from events.merkle.notes import SigningKey
from events.store.connections import connect
from tests.support.events.filled_store import record, stream_of
from tests.support.running_program import PATIENCE, PROJECT

ORIGIN = "cabildo.example/log"
KEY = SigningKey.from_seed(ORIGIN, b"\x07" * 32)


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *values: Any) -> None:
        """Say nothing."""


@pytest.fixture
def connection(database: str) -> Iterator[Connection]:
    with connect(database) as service:
        open_origin(service, ORIGIN, "the first")
        yield service


@pytest.fixture
def files(tmp_path: Path) -> TileFiles:
    return TileFiles(tmp_path / "log")


@pytest.fixture
def url(files: TileFiles) -> Iterator[str]:
    Path(files.name).mkdir()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=files.name)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def test_an_address_without_a_log_is_told_with_where_logs_mostly_are(url: str, tmp_path: Path) -> None:
    done = look(f"{url}/elsewhere", tmp_path)
    assert done.exit_code == 1
    assert f"there is no {url}/elsewhere/checkpoint; the address of a log mostly ends in /log" in done.output


def arguments(url: str, directory: Path) -> list[str]:
    policy = directory / "policy"
    policy.write_text(f"log {KEY.verifier}\nquorum none\n")
    return ["monitor", url, "--policy", str(policy), "--memory", str(directory / "memory")]


def look(url: str, directory: Path) -> Result:
    return CliRunner().invoke(main, [*arguments(url, directory), "--once"])


def publish(connection: Connection, files: TileFiles, stream: int, count: int) -> None:
    record(connection, stream_of(stream), count)
    seal(connection, ORIGIN, [KEY])
    Publisher(ORIGIN, files).publish(connection)


def test_a_published_log_is_followed_and_a_forked_one_is_caught(
    connection: Connection, files: TileFiles, url: str, tmp_path: Path
) -> None:
    for stream, count in ((1, 250), (2, 30)):
        publish(connection, files, stream, count)
        done = look(url, tmp_path)
        assert (done.exit_code, f"{count} new, not witnessed" in done.output) == (0, True), done.output
    files.replace("checkpoint", str(Checkpoint(ORIGIN, 280, b"\x01" * 32).signed(KEY)).encode())
    done = look(url, tmp_path)
    assert (done.exit_code, "MISBEHAVES (fork)" in done.output) == (10, True)
    kept = sorted(path.name for path in (tmp_path / "memory").glob("*.note"))
    assert kept == ["evidence-1.note", "evidence-2.note"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda one: str(one))
def test_a_signal_ends_it_between_two_checks(
    connection: Connection, files: TileFiles, url: str, tmp_path: Path, number: signal.Signals
) -> None:
    publish(connection, files, 1, 3)
    command = (sys.executable, "-m", "deploy.cli", *arguments(url, tmp_path), "--every", "1000")
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as monitoring:
        assert monitoring.stdout is not None
        assert "3 new" in monitoring.stdout.readline()
        monitoring.send_signal(number)
        assert monitoring.wait(PATIENCE) == 0
        assert monitoring.stdout.read() == "stopped\n"


def test_a_log_that_cannot_be_reached_is_no_misbehaviour(tmp_path: Path) -> None:
    assert look("http://127.0.0.1:9", tmp_path).exit_code == 1


def test_a_checkpoint_of_a_stranger_is_refused(files: TileFiles, url: str, tmp_path: Path) -> None:
    stranger = SigningKey.from_seed(ORIGIN, base64.b64decode("AQ" + "A" * 41 + "="))
    files.replace("checkpoint", str(Checkpoint(ORIGIN, 0, b"\x01" * 32).signed(stranger)).encode())
    done = look(url, tmp_path)
    assert (done.exit_code, "no known key" in done.output) == (1, True)
