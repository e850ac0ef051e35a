"""An answer waits for its reader, but not for ever."""

import socket
import threading
from collections.abc import Iterator

import pytest

from service.web.server import connection
from service.web.server.connection import TimedSocket
from tests.support.running_program import PATIENCE

MEGABYTE = bytes(2**20)


@pytest.fixture
def ends() -> Iterator[tuple[TimedSocket, socket.socket]]:
    """The server's end of a connection, and the client's."""
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.create_connection(listener.getsockname(), timeout=PATIENCE) as client,
        listener.accept()[0] as server,
    ):
        yield TimedSocket(server), client


def send(server: TimedSocket, piece: bytes, times: int) -> None:
    for _ in range(times):
        server.sendall(piece)


def test_a_client_that_does_not_read_ends_the_answer(
    ends: tuple[TimedSocket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LONGEST_WAIT", 0.2)
    monkeypatch.setattr(connection, "SLOWEST_READER", 2**30)
    server, _ = ends
    with pytest.raises(BrokenPipeError):
        send(server, MEGABYTE, 100)


def test_small_pieces_win_no_time(ends: tuple[TimedSocket, socket.socket], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "LONGEST_WAIT", 0.5)
    monkeypatch.setattr(connection, "SLOWEST_READER", 2**30)
    server, client = ends
    reading = threading.Timer(0.3, lambda: client.recv(2**20))  # makes room for some of the pieces
    reading.start()
    with pytest.raises(BrokenPipeError):
        send(server, bytes(1_000), 200_000)
    reading.join()


def test_a_client_that_reads_gets_all_of_a_large_answer(ends: tuple[TimedSocket, socket.socket]) -> None:
    server, client = ends
    sending = threading.Thread(target=server.sendall, args=(20 * MEGABYTE,))
    sending.start()
    received = 0
    while received < 20 * len(MEGABYTE):
        received += len(client.recv(2**20))
    sending.join(PATIENCE)
    assert not sending.is_alive()
