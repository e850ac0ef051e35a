"""A connection on which a test sends what no well-behaved client would."""

import json
import socket
from typing import Any, NamedTuple

from tests.support.running_program import PATIENCE


class RawAnswer(NamedTuple):
    """An answer as it came."""

    status: int
    headers: dict[str, str]
    body: bytes

    def problem(self) -> str:
        """The name of the problem that it tells."""
        document: dict[str, Any] = json.loads(self.body)
        return str(document["type"]).rpartition("#")[2]


class RawConnection:
    """A connection to a web server."""

    def __init__(self, url: str) -> None:
        host, _, port = url.removeprefix("http://").partition(":")
        self.socket = socket.create_connection((host, int(port)), timeout=PATIENCE)
        self._unread = b""

    def send(self, data: bytes) -> None:
        """Send bytes."""
        self.socket.sendall(data)

    def answer(self) -> RawAnswer:
        """Read one answer with a declared length; a 1xx has none."""
        while b"\r\n\r\n" not in self._unread:
            self._read()
        head, _, self._unread = self._unread.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        length = int(headers.get("content-length", "0"))
        while len(self._unread) < length:
            self._read()
        body, self._unread = self._unread[:length], self._unread[length:]
        return RawAnswer(int(first.split()[1]), headers, body)

    def _read(self) -> None:
        data = self.socket.recv(65_536)
        if not data:
            raise EOFError(self._unread)
        self._unread += data

    def ends(self) -> bytes:
        """Wait until the server hangs up; what it still said."""
        try:
            while True:
                self._read()
        except (EOFError, ConnectionError):
            return self._unread

    def close(self) -> None:
        """Hang up."""
        self.socket.close()
