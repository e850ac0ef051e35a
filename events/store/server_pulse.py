"""Asks a PostgreSQL server for a sign of life, without logging in: any answer to the first packet is one."""

import socket
import struct
from pathlib import PurePosixPath
from threading import Lock
from time import monotonic
from typing import Final, NamedTuple

SSL_REQUEST: Final = struct.pack("!ii", 8, 80877103)  # the server answers one byte before it asks who connects
PROBE_SECONDS: Final = 2.0
FRESH: Final = 1.0  # seconds for which an answer counts
MOST_SERVERS: Final = 64


class ServerAddress(NamedTuple):
    """Where a connection leads: a directory of a Unix socket, or a host with its address when it is known."""

    host: str
    port: int


class Pulse:
    """Whether one server lives; the threads of a process ask once."""

    def __init__(self, address: ServerAddress) -> None:
        self._address = address
        self._asking = Lock()
        self._asked = -FRESH
        self._alive = True

    def beats(self) -> bool:
        """Returns whether the server gives a sign of life; another thread may be asking already."""
        with self._asking:
            if monotonic() - self._asked > FRESH:
                self._alive, self._asked = gives_sign(self._address), monotonic()
            return self._alive


_PULSES: Final[dict[ServerAddress, Pulse]] = {}


def is_alive(address: ServerAddress) -> bool:
    """Returns whether a server gave a sign of life within the last moments."""
    if len(_PULSES) > MOST_SERVERS:
        _PULSES.clear()
    return _PULSES.setdefault(address, Pulse(address)).beats()


def gives_sign(address: ServerAddress, within: float = PROBE_SECONDS) -> bool:
    """Connects anew and returns whether the server answers; a frozen one accepts and stays silent."""
    end = monotonic() + within
    try:
        with _connected(address, within) as probe:
            probe.settimeout(max(0.01, end - monotonic()))
            probe.sendall(SSL_REQUEST)
            return bool(probe.recv(1))
    except OSError:
        return False


def _connected(address: ServerAddress, within: float) -> socket.socket:
    if not address.host.startswith(("/", "@")):
        return socket.create_connection(address, within)
    probe = socket.socket(socket.AF_UNIX)
    probe.settimeout(within)
    try:
        probe.connect(str(PurePosixPath(address.host, f".s.PGSQL.{address.port}")))
    except OSError:
        probe.close()
        raise
    return probe
