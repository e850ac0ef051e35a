"""A bad network between a client and a service: a TCP proxy that cuts connections and loses answers."""

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

AT_ONCE = struct.pack("ii", 1, 0)  # closing resets the connection
BUFFER = 65_536


class Wire:
    """Passes bytes to a service and back until the test cuts it."""

    def __init__(self, url: str) -> None:
        at = urlsplit(url)
        assert at.hostname is not None
        assert at.port is not None
        self._service = (at.hostname, at.port)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._answers = 0
        self.loses = 0  # every so-manieth piece of an answer, and its connection with it
        self.cuts = 0
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Reset every connection there is."""
        with self._lock:
            cut, self._open = self._open, set()
            self.cuts += bool(cut)
        for end in cut:
            reset(end)

    def close(self) -> None:
        """Take the wire away."""
        self._listening.shutdown(socket.SHUT_RDWR)  # wakes the thread in accept()
        self._listening.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            service = socket.create_connection(self._service)
            with self._lock:
                self._open |= {client, service}
            threading.Thread(target=self._carry, args=(client, service, False), daemon=True).start()
            threading.Thread(target=self._carry, args=(service, client, True), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket, answers: bool) -> None:
        with suppress(OSError):
            while piece := source.recv(BUFFER):
                if answers and self._is_lost():
                    break
                target.sendall(piece)
        with self._lock:
            self._open -= {source, target}
        reset(source)
        reset(target)

    def _is_lost(self) -> bool:
        with self._lock:
            self._answers += 1
            lost = bool(self.loses) and self._answers % self.loses == 0
            self.cuts += lost
        return lost


def reset(end: socket.socket) -> None:
    """Close a socket without a farewell."""
    with suppress(OSError):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
        end.shutdown(socket.SHUT_RDWR)
    end.close()


@contextmanager
def wire(url: str, loses: int = 0) -> Iterator[Wire]:
    """A wire to a service for a while."""
    laid = Wire(url)
    laid.loses = loses
    try:
        yield laid
    finally:
        laid.close()
