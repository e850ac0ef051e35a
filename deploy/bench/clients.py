"""Clients that cost little themselves: prepared requests over kept connections, one thread each, every answer timed."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

Work = Callable[["Wire", Callable[[], bool]], Iterator[float]]


class TimedAnswer(NamedTuple):
    """What came back."""

    status: int
    body: bytes

    def document(self) -> Any:
        """The answer as JSON."""
        return json.loads(self.body)


class Wire:
    """One kept connection to a web server."""

    def __init__(self, host: str, port: int) -> None:
        self._address = host, port
        self._open()

    def _open(self) -> None:
        self._socket = socket.create_connection(self._address)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._rest = b""

    def post(self, path: str, body: bytes = b"{}", token: str = "") -> TimedAnswer:
        """Send a request and read its answer."""
        self._socket.sendall(request(path, body, token))
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

    def close(self) -> None:
        """Hang up."""
        self._socket.close()


def request(path: str, body: bytes, token: str) -> bytes:
    """The bytes of a POST of JSON."""
    authorization = f"Authorization: Bearer {token}\r\n" if token else ""
    head = f"POST {path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n{authorization}"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


class Measured(NamedTuple):
    """What some clients reached together."""

    per_second: float
    p50: float  # milliseconds
    p99: float


def measure(address: tuple[str, int], works: list[Work], seconds: float) -> Measured:
    """Let each work run in a thread over a wire of its own; each yields the time of every answer that counts."""
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
    """Rate, median and 99th percentile of single times."""
    ordered = sorted(times)
    return Measured(
        len(ordered) / spent,
        1000 * ordered[len(ordered) // 2],
        1000 * ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)],
    )


def timed(wire: Wire, path: str, body: bytes, token: str, status: int = 201) -> float:
    """The seconds until the answer of a request that succeeds."""
    begun = time.perf_counter()
    answer = wire.post(path, body, token)
    spent = time.perf_counter() - begun
    if answer.status != status:
        raise RuntimeError(f"{path}: {answer.status} {answer.body.decode()}")
    return spent
