"""An export that a client does not read: it counts as a stream, holds no connection, and its file goes with it."""

import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import httpx
import pytest
from flask import Flask

from tests.service.conftest import Environ
from tests.service.players.test_export import EXPORT
from tests.service.web.test_gunicorn import answers, serving
from tests.support.running_program import PATIENCE, eventually
from tests.support.service.players import Person
from tests.support.service.raw_connection import RawConnection

ROWS: Final = 24_000  # of random texts, which do not compress: more than the buffers of a connection hold
LONG_NOTIFICATIONS: Final = """
INSERT INTO news (player, number, stream, seq, what)
SELECT %s, number, gen_random_uuid(), 1, (SELECT string_agg(md5(random()::text || number || part), '')
    FROM generate_series(1, 16) AS part) FROM generate_series(1, %s) AS number
"""
ONE: Final = {"CABILDO_STREAMS_PER_ACCOUNT": "1", "CABILDO_WORKERS": "1"}
HELD: Final = 16_384  # bytes


@pytest.fixture
def guest(app: Flask) -> Person:
    """A player without a password, with a long export."""
    guest = Person(app.test_client(), "Guest of the export")
    with app.extensions["cabildo"].stores.pool.connection() as connection:
        connection.execute(LONG_NOTIFICATIONS, (guest.id, ROWS))
    return guest


@pytest.fixture
def url(environ: Environ, tmp_path: Path) -> Iterator[tuple[int, str]]:
    """A web server that takes one stream of an account, and its process."""
    with serving({**environ, **ONE}, "service.app:create_app()", tmp_path / "log") as (process, url):
        assert eventually(lambda: answers(url))
        yield process.pid, url


def test_unread_export_is_one_stream_and_leaves_no_file(url: tuple[int, str], guest: Person) -> None:
    pid, address = url
    bearer = {"Authorization": f"Bearer {guest.token}"}

    def ask() -> int:
        return httpx.get(f"{address}{EXPORT}", headers=bearer, timeout=PATIENCE).status_code

    before = deleted_files(pid)
    unread = RawConnection(address)
    unread.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, HELD)
    unread.send(f"GET {EXPORT} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {guest.token}\r\n\r\n".encode())
    assert len(unread.socket.recv(HELD)) > 0
    assert deleted_files(pid) > before
    assert httpx.get(f"{address}/v1/me", headers=bearer, timeout=PATIENCE).status_code == 200
    assert ask() == 429
    unread.socket.close()
    assert eventually(lambda: ask() == 200)
    assert eventually(lambda: deleted_files(pid) == before)


def deleted_files(pid: int) -> int:
    """Returns how many removed files the processes of a server hold open: exports that are being sent."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    names = []
    for file in (file for child in children for file in Path(f"/proc/{child}/fd").iterdir()):
        with suppress(FileNotFoundError):  # closed meanwhile
            names.append(str(file.readlink()))
    return sum(name.startswith("/") and name.endswith("(deleted)") for name in names)
