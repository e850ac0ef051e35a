"""A TCP proxy before a PostgreSQL server that can stop forwarding: it acknowledges, and delivers nothing."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import quote

from psycopg.conninfo import conninfo_to_dict

CHUNK = 65_536
UNANSWERED = 0.5  # seconds without an answer of this machine's own kernel: the queue of connections is full


class StallingProxy:
    """Passes bytes between clients and a server until it stalls."""

    def __init__(self, url: str) -> None:
        given = conninfo_to_dict(url)
        self._server = f"{given['host']}/.s.PGSQL.{given.get('port', 5432)}"
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.host = "127.0.0.1"
        self._flows = threading.Event()
        self._flows.set()
        self._ended = threading.Event()
        self._vanished = threading.Event()
        self._open: list[socket.socket] = []
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/{quote(str(given['dbname']))}"
        threading.Thread(target=self._accept, daemon=True).start()

    def stall(self) -> None:
        """Deliver nothing from now on."""
        self._flows.clear()

    def flow(self) -> None:
        """Deliver what was kept back, and all that follows."""
        self._flows.set()

    def vanish(self) -> None:
        """Deliver nothing, and leave attempts to connect without any answer, as a host does that has lost its power."""
        self._vanished.set()
        self.stall()
        self._listening.listen(0)
        is_full = False
        while not is_full:
            waiting = socket.socket()
            waiting.settimeout(UNANSWERED)
            self._open.append(waiting)
            try:
                waiting.connect((self.host, self.port))
            except TimeoutError:
                is_full = True

    def close(self) -> None:
        """End all connections."""
        self._ended.set()
        self._flows.set()
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)  # wakes the thread in accept()
        self._listening.close()
        for end in self._open:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            if self._vanished.is_set():
                self._open.append(client)
                return
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(self._server)
            except OSError:  # it was shut down
                server.close()
                client.close()
                continue
            self._open += [client, server]
            for source, target in ((client, server), (server, client)):
                threading.Thread(target=self._carry, args=(source, target), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while piece := source.recv(CHUNK):
                self._flows.wait()
                if self._ended.is_set():
                    break
                target.sendall(piece)
        with suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)


@contextmanager
def stalling_proxy(url: str) -> Iterator[StallingProxy]:
    """A proxy before a server for a while."""
    proxy = StallingProxy(url)
    try:
        yield proxy
    finally:
        proxy.close()
