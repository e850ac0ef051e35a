"""A wire between client and server that can be cut at the worst moment."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from psycopg.conninfo import conninfo_to_dict

CHUNK = 65_536


class Wire:
    """Passes bytes between a client and a PostgreSQL server until it has to drop the next answer."""

    def __init__(self, server: str) -> None:
        self._server = server
        self.swallow_answers = threading.Event()
        self.swallowed = threading.Event()

    def serve(self, listener: socket.socket) -> None:
        """Take connections until the listener is closed."""
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(self._server)
            threading.Thread(target=self._pass_on, args=(client, server), daemon=True).start()
            threading.Thread(target=self._answer, args=(server, client), daemon=True).start()

    def _pass_on(self, client: socket.socket, server: socket.socket) -> None:
        with server, suppress(OSError):
            while data := _receive(client):
                server.sendall(data)
            server.shutdown(socket.SHUT_RDWR)

    def _answer(self, server: socket.socket, client: socket.socket) -> None:
        with client, suppress(OSError):
            while data := _receive(server):
                if self.swallow_answers.is_set():
                    self.swallowed.set()
                    break
                client.sendall(data)
            client.shutdown(socket.SHUT_RDWR)


def _receive(end: socket.socket) -> bytes:
    try:
        return end.recv(CHUNK)
    except OSError:
        return b""


@contextmanager
def wire(database: str, directory: Path) -> Iterator[tuple[Wire, str]]:
    """A wire to a database, and the address at which it is reached through the wire."""
    target = conninfo_to_dict(database)
    between = Wire(f"{target['host']}/.s.PGSQL.5432")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(directory / ".s.PGSQL.5432"))
        listener.listen()
        threading.Thread(target=between.serve, args=(listener,), daemon=True).start()
        yield between, f"postgresql://{target['user']}@/{target['dbname']}?host={quote(str(directory), safe='')}"
        listener.shutdown(socket.SHUT_RDWR)
