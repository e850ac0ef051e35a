"""Calls to other operators' servers: a server that drips, is silent or says too much costs one deadline."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from events.merkle.notes import MAX_NOTE
from service.proof.bounded_calls import Answer, Call, call_all

SECONDS = 1.0
ENDS_WITHIN = 60.0  # on a slow machine; without a deadline the dripping server takes some 1,000 s
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"


@contextmanager
def server(answer: Callable[[socket.socket], None]) -> Iterator[str]:
    """Answers each connection until the client leaves."""

    def serve() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listening.accept()
                threading.Thread(target=one, args=(connection,), daemon=True).start()

    def one(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.recv(65_536)
            answer(connection)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)
        thread.join()


def drip(connection: socket.socket) -> None:
    for octet in HEAD + b"X" * 10_000:
        connection.sendall(bytes([octet]))
        time.sleep(SECONDS / 10)


def say_too_much(connection: socket.socket) -> None:
    connection.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % (2 * MAX_NOTE) + b"x" * 2 * MAX_NOTE)


def answer_well(connection: socket.socket) -> None:
    connection.sendall(HEAD + b"Content-Length: 2\r\n\r\nok")


def test_bad_servers_cost_one_deadline_and_hide_no_good_one() -> None:
    began = time.monotonic()
    with server(drip) as dripping, server(say_too_much) as loud, server(answer_well) as good:
        calls = [Call(dripping), Call(loud), Call(good), Call("http://127.0.0.1:1"), Call("no address")]
        assert call_all(calls, SECONDS) == [None, None, Answer(200, "text/plain", b"ok"), None, None]
    assert time.monotonic() - began < ENDS_WITHIN
