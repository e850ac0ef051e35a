"""Every wait for PostgreSQL ends: of a frozen server, a proxy that delivers nothing, and a session that hangs."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import cast

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg_pool import ConnectionPool, PoolTimeout

from deploy.bench.temporary_service import free_ports
from deploy.local.stores import EmbeddedPostgres
from events.errors import CommitOverdue, StoreSilent
from events.store.bounded_connection import (
    INTERVAL,
    SILENT_AFTER,
    AnswerOverdue,
    BoundedConnection,
    ServerSilent,
)
from events.store.connections import LEAST_WAIT, LIMITS, PoolLimits, Primary, connect, connect_to_lead, open_pool
from events.store.function_calls import call
from events.store.postgres import PostgresStore
from events.store.server_pulse import PROBE_SECONDS, ServerAddress, gives_sign
from tests.conftest import FAST, running
from tests.support.databases import CUT_OFF
from tests.support.events.examples import start_game
from tests.support.events.stalling_proxy import StallingProxy, stalling_proxy
from tests.support.replication import renamed
from tests.support.running_program import PATIENCE, eventually

SLOW_MACHINE = 20.0  # seconds, in which a test on a slow machine gets what takes 3 on others
WAIT, MANY = 3.0, 40  # seconds for a connection; requests


@pytest.fixture
def proxy(database: str) -> Iterator[StallingProxy]:
    """A proxy before the database of this test."""
    with stalling_proxy(database) as one:
        yield one


def test_a_request_waits_less_than_five_seconds_for_a_silent_server() -> None:
    assert SILENT_AFTER + PROBE_SECONDS + 2 * INTERVAL < 5
    assert LIMITS.wait < 5


def execute(connection: psycopg.Connection) -> None:
    connection.execute("SELECT 1")


def call_function(connection: psycopg.Connection) -> None:
    call(connection, "SELECT %s::text", ("now",))


@pytest.mark.parametrize("ask", [execute, call_function])
def test_a_statement_to_a_silent_server_is_given_up(
    proxy: StallingProxy, ask: Callable[[psycopg.Connection], None]
) -> None:
    connection = cast(BoundedConnection, connect(proxy.url))
    ask(connection)
    proxy.stall()
    begun = monotonic()
    with pytest.raises(ServerSilent):
        ask(connection)
    assert monotonic() - begun < SLOW_MACHINE
    assert (connection.closed, connection.is_given_up) == (True, True)


def test_a_pipeline_to_a_silent_server_is_given_up(proxy: StallingProxy) -> None:
    connection = connect(proxy.url)
    proxy.stall()
    with pytest.raises(ServerSilent), connection.pipeline():
        connection.execute("SELECT 1")


def test_a_slow_statement_of_a_living_server_is_waited_for(proxy: StallingProxy) -> None:
    with connect(proxy.url) as connection:
        row = connection.execute("SELECT pg_sleep(%s), 7", (SILENT_AFTER + PROBE_SECONDS + 1,)).fetchone()
    assert row is not None
    assert row[1] == 7


def test_a_living_server_answers_within_the_limit_or_is_given_up(database: str) -> None:
    with open_pool(database, limits=PoolLimits(answer=3.0)) as pool:
        with pool.connection() as connection, pytest.raises(psycopg.errors.QueryCanceled):
            connection.execute("SELECT pg_sleep(600)")
        with pool.connection() as connection:
            connection.execute("SET statement_timeout = 0")  # as during a commit, which no timeout of the server ends
            with pytest.raises(AnswerOverdue):
                connection.execute("SELECT pg_sleep(600)")
            assert not cast(BoundedConnection, connection).is_given_up


def test_a_pool_lets_go_of_every_connection_to_a_silent_server(proxy: StallingProxy) -> None:
    with open_pool(proxy.url, size=4) as pool:
        taken = [pool.getconn() for _ in range(4)]
        for connection in taken:
            pool.putconn(connection)
        proxy.stall()
        with pytest.raises(ServerSilent), pool.connection() as connection:
            connection.execute("SELECT 1")
        assert eventually(lambda: all(connection.closed for connection in taken))
        proxy.flow()
        assert eventually(lambda: answers(pool))


def answers(pool: ConnectionPool[psycopg.Connection]) -> bool:
    try:
        with pool.connection() as connection:
            return connection.execute("SELECT 1").fetchone() == (1,)
    except psycopg.OperationalError:
        return False


def test_no_wait_for_a_connection_outlasts_the_limit(proxy: StallingProxy) -> None:
    proxy.stall()
    begun = monotonic()
    with open_pool(proxy.url, limits=PoolLimits(wait=1.0)) as pool, pytest.raises(PoolTimeout), pool.connection():
        pass
    assert monotonic() - begun < SLOW_MACHINE


def test_requests_wait_once_for_a_server_that_is_away_and_not_each_anew(proxy: StallingProxy) -> None:
    proxy.stall()
    with open_pool(proxy.url, limits=PoolLimits(wait=WAIT)) as pool:
        begun = monotonic()
        for _ in range(MANY):
            with pytest.raises(PoolTimeout):
                pool.getconn()
        assert monotonic() - begun < MANY * WAIT / 2
        proxy.flow()
        assert eventually(lambda: answers(pool))


def test_a_request_waits_its_whole_time_again_once_the_server_is_back(proxy: StallingProxy) -> None:
    proxy.stall()
    with open_pool(proxy.url, size=1, limits=PoolLimits(wait=WAIT)) as pool:
        with pytest.raises(PoolTimeout):
            pool.getconn()
        proxy.flow()
        assert eventually(lambda: answers(pool))
        connection = pool.getconn()
        with ThreadPoolExecutor(1) as threads:
            waiting = threads.submit(pool.getconn, PATIENCE)
            with pytest.raises(TimeoutError):
                waiting.result(10 * LEAST_WAIT)
            pool.putconn(connection)
            pool.putconn(waiting.result(PATIENCE))


def test_the_store_names_a_write_without_answer_and_a_silent_read(proxy: StallingProxy) -> None:
    with open_pool(proxy.url) as pool:
        store = PostgresStore(pool)
        start_game(store)
        proxy.stall()
        with pytest.raises(CommitOverdue):
            start_game(store)
        with pytest.raises(StoreSilent):
            start_game(store)


def test_only_a_server_that_answers_gives_a_sign_of_life(proxy: StallingProxy) -> None:
    address = ServerAddress(proxy.host, proxy.port)
    assert gives_sign(address)
    proxy.stall()
    assert not gives_sign(address, 0.5)
    assert not gives_sign(ServerAddress("127.0.0.1", 1))
    assert not gives_sign(ServerAddress("/nowhere", 5432))


def test_threads_share_one_sign_of_life(proxy: StallingProxy) -> None:
    connections = [connect(proxy.url) for _ in range(4)]
    proxy.stall()
    given_up: list[float] = []

    def wait(connection: psycopg.Connection) -> None:
        begun = monotonic()
        with pytest.raises(ServerSilent):
            connection.execute("SELECT 1")
        given_up.append(monotonic() - begun)

    threads = [threading.Thread(target=wait, args=(connection,)) for connection in connections]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SLOW_MACHINE)
    assert len(given_up) == 4


def test_the_host_that_answered_is_tried_first(database: str, proxy: StallingProxy) -> None:
    port = proxy.port
    primary = Primary(f"host=127.0.0.1,localhost port=1,{port} dbname=x user=postgres target_session_attrs=read-write")
    assert "host=127.0.0.1,localhost" in primary.conninfo()
    name = proxy.url.rpartition("/")[2]
    both = f"host=127.0.0.1,localhost port=1,{port} dbname={name} user=postgres target_session_attrs=read-write"
    primary = Primary(both)
    with psycopg.connect(primary.conninfo()) as connection:
        primary.remember(connection)
    assert f"port={port},1" in primary.conninfo()
    assert "host=localhost,127.0.0.1" in primary.conninfo()


def test_what_a_connection_string_says_counts_before_the_defaults() -> None:
    assert "connect_timeout=9" in Primary("postgresql://a/b?connect_timeout=9").conninfo()
    assert "tcp_user_timeout=6000" in Primary("postgresql://a/b?connect_timeout=9").conninfo()


TOLD = "SELECT current_setting(name) FROM unnest(%s::text[]) WITH ORDINALITY AS asked (name, place) ORDER BY place"
NETWORK_SETTINGS = ("tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_keepalives_count", "tcp_user_timeout")
TIMEOUTS = (
    "idle_session_timeout",
    "idle_in_transaction_session_timeout",
    "transaction_timeout",
    "lock_timeout",
    "statement_timeout",
    "default_transaction_isolation",
)


def told(connection: psycopg.Connection, names: Sequence[str]) -> list[str]:
    """The settings of the server's side of a connection."""
    return [value for (value,) in connection.execute(TOLD, (list(names),))]


def test_the_servers_side_has_the_values_of_the_connection_string(
    server_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (port,) = free_ports(1)
    monkeypatch.setenv("PGPORT", str(port))  # of all connections here
    settings = {**FAST, "listen_addresses": "127.0.0.1", "port": str(port)}  # sockets of a file have no such values
    server = EmbeddedPostgres(server_directory / "network", settings)
    with running(renamed(server), server_directory):
        with psycopg.connect(server.url(), autocommit=True) as admin:
            admin.execute("CREATE ROLE cabildo_service")
        address = "host=127.0.0.1 user=postgres dbname=postgres"
        with connect(address) as connection:
            assert told(connection, NETWORK_SETTINGS) == ["3", "2", "3", "6000"]
        with connect(f"{address} keepalives_idle=30 keepalives_count=4 tcp_user_timeout=40000") as connection:
            assert told(connection, NETWORK_SETTINGS) == ["30", "2", "4", "40000"]


def test_timeouts_of_the_connection_string_are_kept(database: str) -> None:
    options = "-c idle_in_transaction_session_timeout=90s --transaction-timeout=4min -clock_timeout=7s"
    given = make_conninfo(database, options=options + " -c idle_session_timeout=50s -c statement_timeout=33s")
    with connect(given) as connection:
        assert told(connection, TIMEOUTS) == ["50s", "90s", "4min", "7s", "33s", "read committed"]
    with connect_to_lead(given) as connection:
        assert told(connection, TIMEOUTS[:2]) == ["50s", "90s"]
    with connect_to_lead(database) as connection:
        assert told(connection, TIMEOUTS[:2]) == ["20s", "20s"]
    for address, expected in (
        (database, ["0", "30s", "5min", "5s", "9s"]),
        (given, ["50s", "90s", "4min", "7s", "33s"]),
    ):
        with open_pool(address) as pool, pool.connection() as connection:
            assert told(connection, TIMEOUTS[:5]) == expected


def test_a_pool_serves_at_once_after_all_its_connections_were_closed(database: str) -> None:
    with open_pool(database) as pool:
        held = [pool.getconn() for _ in range(pool.max_size)]
        for connection in held:
            pool.putconn(connection)
        with psycopg.connect(database, autocommit=True) as admin:
            admin.execute(CUT_OFF)
        with pool.connection() as connection:
            execute(connection)
