"""A pooler in transaction mode, as PgBouncer is one: each transaction runs in another session of the server."""

import random
import select
import socket
import struct
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final
from urllib.parse import quote

from psycopg.conninfo import conninfo_to_dict

SESSIONS: Final = 3
NEGOTIATION: Final = (80877103, 80877104)  # requests for TLS and GSSAPI
PROTOCOL: Final = 196608
CHUNK: Final = 65_536
IDLE: Final = b"I"
BUSY: Final = b"?"


class Session:
    """A session of the server that clients take in turns."""

    def __init__(self, path: str, user: str, database: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        words = b"".join(part.encode() + b"\0" for part in ("user", user, "database", database)) + b"\0"
        self.socket.sendall(struct.pack("!ii", len(words) + 8, PROTOCOL) + words)
        self.status = b""  # what it says of itself to every client
        messages = Messages()
        while True:
            for kind, whole in messages.fed(self.socket.recv(CHUNK)):
                self.status += whole if kind == b"S" else b""
                if kind == b"Z":
                    return


class Messages:
    """Cuts a flow of bytes into messages."""

    def __init__(self) -> None:
        self._rest = b""

    def fed(self, data: bytes) -> Iterator[tuple[bytes, bytes]]:
        """Yields the kind and the bytes of each message that is whole."""
        self._rest += data
        while len(self._rest) >= 5:
            length = 1 + int.from_bytes(self._rest[1:5], "big")
            if len(self._rest) < length:
                return
            whole, self._rest = self._rest[:length], self._rest[length:]
            yield whole[:1], whole


class TransactionPooler:
    """Lends sessions of one login to clients, one transaction at a time."""

    def __init__(self, url: str, user: str) -> None:
        given = conninfo_to_dict(url)
        path, database = f"{given['host']}/.s.PGSQL.5432", str(given["dbname"])
        self._sessions = [Session(path, user, database) for _ in range(SESSIONS)]
        self._free = deque(self._sessions)
        self._changed = threading.Condition()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._clients: list[socket.socket] = []
        self.url = f"postgresql://{user}@127.0.0.1:{self._listening.getsockname()[1]}/{quote(database)}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """End all sessions and clients."""
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for end in (*self._clients, *(session.socket for session in self._sessions)):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            self._clients.append(client)
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with suppress(OSError, ValueError):
            self._greet(client)
            messages = Messages()
            while data := client.recv(CHUNK):
                self._run_transaction(client, messages, data)
        with suppress(OSError):
            client.shutdown(socket.SHUT_RDWR)

    def _greet(self, client: socket.socket) -> None:
        while True:
            length, code = struct.unpack("!ii", client.recv(8, socket.MSG_WAITALL))
            if code in NEGOTIATION:
                client.sendall(b"N")
                continue
            client.recv(length - 8, socket.MSG_WAITALL)
            key = b"K" + struct.pack("!iii", 12, random.randrange(1 << 30, 1 << 31), 7)
            client.sendall(b"R" + struct.pack("!ii", 8, 0) + self._sessions[0].status + key + b"Z\0\0\0\5I")
            return

    def _run_transaction(self, client: socket.socket, messages: Messages, data: bytes) -> None:
        """Pass messages between a client and a session until its transaction has ended."""
        with self._changed:
            self._changed.wait_for(lambda: self._free)
            session = self._free.popleft()
        try:
            asked, status = self._pass_on(session, messages, data), BUSY
            answers = Messages()
            while asked or status != IDLE:
                ready, _, _ = select.select([client, session.socket], [], [])
                if client in ready:
                    more = client.recv(CHUNK)
                    if not more:
                        raise ValueError
                    asked, status = asked + self._pass_on(session, messages, more), BUSY
                if session.socket in ready:
                    answer = session.socket.recv(CHUNK)
                    client.sendall(answer)
                    for kind, whole in answers.fed(answer):
                        if kind == b"Z":
                            asked, status = asked - 1, whole[5:]
        finally:
            with self._changed:
                self._free.append(session)
                self._changed.notify()

    def _pass_on(self, session: Session, messages: Messages, data: bytes) -> int:
        """Send whole messages on; returns how many of them the session answers with its readiness."""
        asked = 0
        for kind, whole in messages.fed(data):
            if kind == b"X":
                raise ValueError
            asked += kind in (b"Q", b"S")
            session.socket.sendall(whole)
        return asked


@contextmanager
def transaction_pooler(url: str, user: str) -> Iterator[TransactionPooler]:
    """A pooler before a server for a while."""
    pooler = TransactionPooler(url, user)
    try:
        yield pooler
    finally:
        pooler.close()
