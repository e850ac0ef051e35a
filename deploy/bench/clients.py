"""Cheap HTTP clients for measuring: prepared requests over persistent connections, a thread each, all answers timed."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

Work = Callable[["Wire", Callable[[], bool]], Iterator[float]]


class TimedAnswer(NamedTuple):
    """An answer of the server."""

    status: int
    body: bytes

    def document(self) -> Any:
        """Returns the body as JSON."""
        return json.loads(self.body)


class Wire:
    """A persistent connection to a web server."""

    def __init__(self, host: str, port: int) -> None:
        self._address = host, port
        self._open()

    def _open(self) -> None:
        self._socket = socket.create_connection(self._address)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._rest = b""

    def post(self, path: str, body: bytes = b"{}", token: str = "") -> TimedAnswer:
        """Sends a POST request and returns its answer. Raises ConnectionError."""
        self._socket.sendall(request(path, body, token))
        return self._read()

    def get(self, path: str) -> TimedAnswer:
        """Sends a GET request and returns its answer. Raises ConnectionError."""
        self._socket.sendall(f"GET {path} HTTP/1.1\r\nHost: bench\r\n\r\n".encode())
        return self._read()

    def _read(self) -> TimedAnswer:
        while b"\r\n\r\n" not in self._rest:
            self._receive()
        head, self._rest = self._rest.split(b"\r\n\r\n", 1)
        length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        while len(self._rest) < length:
            self._receive()
        body, self._rest = self._rest[:length], self._rest[length:]
        if b"connection: close" in head.lower():
            self._socket.close()
            self._open()
        return TimedAnswer(int(head[9:12]), body)

    def _receive(self) -> None:
        more = self._socket.recv(65_536)
        if not more:
            raise ConnectionError("the server closed the connection")
        self._rest += more

    def reopen(self) -> None:
        """Opens another connection, as the server closes one that is idle for long."""
        self.close()
        self._open()

    def close(self) -> None:
        """Closes the connection."""
        self._socket.close()


def request(path: str, body: bytes, token: str) -> bytes:
    """Returns the bytes of a POST request with JSON."""
    authorization = f"Authorization: Bearer {token}\r\n" if token else ""
    head = f"POST {path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n{authorization}"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


class Measured(NamedTuple):
    """The result of some clients together."""

    per_second: float
    p50: float  # milliseconds
    p99: float
    answers: float  # in all


def measure(address: tuple[str, int], works: list[Work], seconds: float) -> Measured:
    """Runs each work in a thread with its own connection. Returns the rate and times of all answers.

    Raises the first error of a thread.
    """
    times: list[list[float]] = [[] for _ in works]
    faults: list[BaseException] = []
    begin = threading.Barrier(len(works) + 1)
    over = threading.Event()

    def run(number: int, work: Work) -> None:
        wire = Wire(*address)
        try:
            begin.wait()
            times[number].extend(work(wire, over.is_set))
        except BaseException as fault:
            faults.append(fault)
            raise
        finally:
            wire.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(works)]
    for thread in threads:
        thread.start()
    begin.wait()
    begun = time.perf_counter()
    over.wait(seconds)
    over.set()
    for thread in threads:
        thread.join()
    spent = time.perf_counter() - begun
    if faults:
        raise faults[0]
    return summary([one for several in times for one in several], spent)


def summary(times: list[float], spent: float) -> Measured:
    """Returns rate, median and 99th percentile of single times."""
    ordered = sorted(times)
    return Measured(
        len(ordered) / spent,
        1000 * ordered[len(ordered) // 2],
        1000 * ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)],
        len(ordered),
    )


def timed(wire: Wire, path: str, body: bytes, token: str, status: int = 201) -> float:
    """Returns the seconds until a request is answered. Raises RuntimeError for another status."""
    begun = time.perf_counter()
    answer = wire.post(path, body, token)
    spent = time.perf_counter() - begun
    if answer.status != status:
        raise RuntimeError(f"{path}: {answer.status} {answer.body.decode()}")
    return spent
