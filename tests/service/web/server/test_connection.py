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


def test_headers_are_sent_together_with_the_body(ends: tuple[TimedSocket, socket.socket]) -> None:
    server, client = ends
    server.begin_answer()
    server.sendall(b"headers ")
    client.setblocking(False)
    with pytest.raises(BlockingIOError):
        client.recv(100)
    client.setblocking(True)
    server.sendall(b"body")
    assert client.recv(100) == b"headers body"
    server.sendall(b" and more")
    assert client.recv(100) == b" and more"


def test_headers_without_a_body_are_sent_at_the_end(ends: tuple[TimedSocket, socket.socket]) -> None:
    server, client = ends
    server.begin_answer()
    server.sendall(b"headers")
    server.send_held()
    assert client.recv(100) == b"headers"
    server.send_held()
    server.sendall(b"at once")
    assert client.recv(100) == b"at once"


def test_headers_of_a_stream_are_sent_before_it_is_lent(ends: tuple[TimedSocket, socket.socket]) -> None:
    server, client = ends
    server.begin_answer()
    server.sendall(b"headers")
    server.lend(lambda _sock, _give_back: None)
    assert client.recv(100) == b"headers"


def test_large_bodies_follow_their_headers_without_a_copy(ends: tuple[TimedSocket, socket.socket]) -> None:
    server, client = ends
    server.begin_answer()
    server.sendall(b"headers")
    sending = threading.Thread(target=server.sendall, args=(MEGABYTE,))
    sending.start()
    received = bytearray()
    while len(received) < len(b"headers") + len(MEGABYTE):
        received += client.recv(2**20)
    sending.join(PATIENCE)
    assert received == b"headers" + MEGABYTE
