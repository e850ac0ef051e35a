"""Connections to PostgreSQL: the narrow role of the service, short transactions, low latency, bounded waits.

Through a pooler such as PgBouncer no state of a session is set, for it would stay for the next client: the role of the
login is set for good there, by ALTER ROLE. Every connection proves its role before it is used.

A connection string may hold several hosts (`host=a,b`) with `target_session_attrs=read-write`: the primary is searched,
and tried first as long as it answers. What the string itself says of timeouts counts before these defaults.
"""

import select
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from time import monotonic
from typing import Final, NamedTuple

from psycopg import Connection, Error
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import ConnectionPool

from events.errors import DirectAddressNeeded, PoolerRefused
from events.store.bounded_connection import SILENT_AFTER, BoundedConnection
from events.store.server_pulse import PROBE_SECONDS
from events.store.session_settings import network_settings, set_always, set_defaults

Connect = Callable[[], Connection]

SERVICE_ROLE = "cabildo_service"
TRANSACTION_TIMEOUT_SINCE = 170_000
NETWORK: Final[Mapping[str, int]] = {  # a host that vanishes is noticed within 10 seconds
    "connect_timeout": 2,  # for each host
    "keepalives_idle": 3,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 6000,  # milliseconds
}
WHO = "SELECT pg_backend_pid(), current_user"
ISOLATION: Final = {"default_transaction_isolation": "read committed"}
IDLE_IN_TRANSACTION: Final = {"idle_in_transaction_session_timeout": "30s"}
LONGEST_TRANSACTION: Final = {"transaction_timeout": "300s"}
LOCK_WAIT: Final = {"lock_timeout": "5s"}  # a hung process may hold the lock of a row
LONGEST_IDLE = 20  # seconds; a frozen keeper lets go of its locks
RETRY_AFTER = 0.5  # seconds
LEAST_WAIT = 0.05  # seconds for a connection while the server is known to be away
FORGOTTEN_AFTER = 10.0  # seconds without an attempt to connect, after which nobody knows whether it still is
SPARE = 1.0  # seconds by which a slow statement ends before the client gives it up


class PoolLimits(NamedTuple):
    """How long the threads of a process wait for PostgreSQL, in seconds."""

    wait: float = 4.0  # for a connection
    answer: float = 10.0  # for the end of a statement or a commit
    reconnect: float = 2.0  # attempts to replace one lost connection


LIMITS: Final = PoolLimits()


class Primary:
    """The hosts of a connection string, the one that answered last first."""

    def __init__(self, url: str) -> None:
        given = conninfo_to_dict(url)
        self._given = {**NETWORK, **given}
        self._found: tuple[str, str] | None = None

    def conninfo(self) -> str:
        """Returns the connection string, with the defaults of the network."""
        hosts, ports = _listed(self._given.get("host")), _listed(self._given.get("port"))
        if self._found is None or len(hosts) < 2 or "hostaddr" in self._given:
            return make_conninfo("", **self._given)
        pairs = [*zip(hosts, ports if len(ports) == len(hosts) else (ports or ["5432"]) * len(hosts), strict=True)]
        pairs.sort(key=lambda pair: pair != self._found)
        host, port = (",".join(part) for part in zip(*pairs, strict=True))
        return make_conninfo("", **{**self._given, "host": host, "port": port})

    def remember(self, connection: Connection) -> None:
        """Notes where a connection led."""
        self._found = connection.info.host, str(connection.info.port)


def _listed(given: str | int | None) -> list[str]:
    return str(given).split(",") if given is not None else []


class ServerOutage:
    """Since when a server has been away: all requests of a process wait for it once, and not each of them anew.

    Otherwise requests would take the threads of the process, and further ones would wait for a thread as well.
    """

    def __init__(self, wait: float) -> None:
        self._wait = wait
        self._since: float | None = None
        self._attempted_at = 0.0

    def note_attempt(self) -> None:
        """Notes an attempt to connect: the server is away until one succeeds."""
        now = monotonic()
        if self._since is None or now - self._attempted_at > FORGOTTEN_AFTER:
            self._since = now
        self._attempted_at = now

    def note_silence(self) -> None:
        """Notes that the server gave no sign of life for as long as it takes to notice."""
        self._attempted_at = monotonic()
        self._since = self._attempted_at - SILENT_AFTER - PROBE_SECONDS

    def end(self) -> None:
        """Notes that there is a connection."""
        self._since = None

    def bound(self, seconds: float) -> float:
        """Returns how long a request waits for a connection that would wait so long for a server that is there."""
        since, now = self._since, monotonic()
        if since is None or now - self._attempted_at > FORGOTTEN_AFTER:
            return seconds
        return min(seconds, max(LEAST_WAIT, since + self._wait - now))


class BoundedPool(ConnectionPool[Connection]):
    """A pool that lets go of all connections to a server that was silent on one of them."""

    def __init__(self, url: str, size: int, limits: PoolLimits) -> None:
        self._primary = Primary(url)
        self._limits = limits
        self._let_go_at = 0.0
        self._outage = ServerOutage(limits.wait)
        super().__init__(
            self._conninfo,
            connection_class=BoundedConnection,
            min_size=1,
            max_size=size,
            configure=self._prepare,
            timeout=limits.wait,
            reconnect_timeout=limits.reconnect,
            open=True,
        )

    def getconn(self, timeout: float | None = None) -> Connection:
        """Returns a connection that the server did not close while nobody used it. Raises PoolTimeout.

        All of them may be closed at once; the library would wait a second and more after each.
        """
        ends_at = monotonic() + self._outage.bound(self.timeout if timeout is None else timeout)
        while True:
            connection = super().getconn(ends_at - monotonic())
            try:
                check_idle(connection)
            except Error:
                self.putconn(connection)
            else:
                self._outage.end()
                return connection

    def putconn(self, conn: Connection) -> None:
        """Takes a connection back."""
        super().putconn(conn)
        if isinstance(conn, BoundedConnection) and conn.is_given_up and conn.opened_at > self._let_go_at:
            self._let_go_at = monotonic()
            self._outage.note_silence()
            self.drain()

    def _conninfo(self) -> str:
        self._outage.note_attempt()
        return self._primary.conninfo()

    def _prepare(self, connection: Connection) -> None:
        configure(connection)
        if not is_through_pooler(connection):
            longest = {"statement_timeout": f"{int(1000 * max(1.0, self._limits.answer - SPARE))}ms"}
            set_defaults(connection, LOCK_WAIT | longest)
        if isinstance(connection, BoundedConnection):
            connection.answer_within, connection.opened_at = self._limits.answer, monotonic()
        self._primary.remember(connection)
        self._outage.end()


def configure(connection: Connection) -> None:
    """Sets role and transaction mode of a fresh connection: no right to change events, no open transaction.

    Raises PoolerRefused when it leads through a pooler to a login that has another role.
    """
    connection.autocommit = True
    if is_through_pooler(connection):
        connection.prepare_threshold = None  # the next transaction may run in another session of the server
    else:
        set_always(connection, {"role": SERVICE_ROLE, **ISOLATION})
        known = connection.info.server_version >= TRANSACTION_TIMEOUT_SINCE
        timeouts = IDLE_IN_TRANSACTION | (LONGEST_TRANSACTION if known else {})
        set_defaults(connection, {**timeouts, **network_settings(connection, NETWORK)})
    _, role = connection.execute(WHO).fetchone() or (0, "")
    if role != SERVICE_ROLE:
        connection.close()
        raise PoolerRefused(role, SERVICE_ROLE)


def is_through_pooler(connection: Connection) -> bool:
    """Returns whether another program answers for the server: it names no session of the server as ours."""
    backend, _ = connection.execute(WHO).fetchone() or (0, "")
    return bool(backend != connection.info.backend_pid)


def connect_as_given(url: str) -> Connection:
    """Returns a single connection of the role that the connection string names, for administration."""
    return BoundedConnection.connect(Primary(url).conninfo(), autocommit=True)


def connect(url: str) -> Connection:
    """Returns a single connection, for listening and for processes with one thread."""
    connection = connect_as_given(url)
    configure(connection)
    return connection


def connect_to_lead(url: str) -> Connection:
    """Returns a connection whose locks the server takes back when this process shows no sign of life."""
    connection = connect(url)
    check_is_direct(connection)
    idle = ("idle_session_timeout", "idle_in_transaction_session_timeout")
    set_defaults(connection, dict.fromkeys(idle, f"{LONGEST_IDLE}s"))
    return connection


def check_is_direct(connection: Connection) -> None:
    """Raises DirectAddressNeeded for a connection through a pooler, which keeps no lock of a session."""
    if is_through_pooler(connection):
        connection.close()
        raise DirectAddressNeeded


def open_pool(url: str, size: int = 8, limits: PoolLimits = LIMITS) -> ConnectionPool[Connection]:
    """Returns the connection pool that the threads of a process share."""
    return BoundedPool(url, size, limits)


@contextmanager
def snapshot(connection: Connection) -> Iterator[None]:
    """All that is read meanwhile is as it was at one moment."""
    with connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def check_idle(connection: Connection) -> None:
    """Checks a connection only when bytes are waiting: a connection closed by the server has some."""
    waiting = select.poll()  # select() knows no descriptor above 1023
    waiting.register(connection, select.POLLIN)
    if waiting.poll(0):
        ConnectionPool.check_connection(connection)
