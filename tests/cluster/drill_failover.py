"""The seconds of a failover of whole processes: a primary that freezes, one that vanishes, one that hands over."""

import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic
from typing import NamedTuple
from urllib.parse import quote

import httpx
import psycopg
import pytest

from deploy.bench.temporary_service import running_program
from deploy.local.processes import ServerProgram
from deploy.local.stores import EmbeddedRedis
from service.core.keeper_heartbeats import LOCK_NAME, keeper_key
from service.core.redis_connections import open_redis
from tests.service.conftest import Environ, variables
from tests.service.web.test_gunicorn import answers, serving
from tests.support.events.stalling_proxy import StallingProxy, stalling_proxy
from tests.support.replication import Replicated, frozen, replicated
from tests.support.running_program import PATIENCE, PROJECT, eventually
from tests.support.service.running_service import LOG_KEY
from tests.support.service.steady_clients import Asked, Mover, Reader, SteadyClient, Visitor, steady_clients
from workers.keeper.duties import DUTIES

REFUSED_WITHIN, MOVES_WITHIN, LED_WITHIN = 5.0, 10.0, 30.0  # seconds: the aims
MOVERS, READERS = 8, 4
VISITORS, THREADS = 60, 20  # more clients than two web processes have threads
KEEPER = "first"
MANY = {"CABILDO_MOST_GAMES": "1000000", "CABILDO_MOST_OPEN_TABLES": "1000000", "CABILDO_WEB_THREADS": str(THREADS)}
LED = [duty.name for duty in DUTIES if duty.led]
LOCKS = """
SELECT count(*) FROM unnest(%s::text[]) AS duty (name) JOIN pg_locks ON locktype = 'advisory' AND granted
    AND (classid::bigint << 32 | objid::bigint) = hashtextextended(%s || duty.name, 0)
"""
WAITS_FOR_STANDBY = "ALTER SYSTEM SET synchronous_standby_names = '*'"
SYNCHRONOUS = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"


class Cluster(NamedTuple):
    """A primary behind a proxy, its synchronous standby, and the service over both."""

    pair: Replicated
    proxy: StallingProxy
    url: str  # of the web server


Failure = Callable[[Cluster, ExitStack], None]


@pytest.fixture
def cluster(server_directory: Path, redis_server: EmbeddedRedis, tmp_path: Path) -> Iterator[Cluster]:
    """A web server of two processes and a keeper, which find the primary by themselves."""
    with replicated(server_directory / tmp_path.name) as pair, stalling_proxy(pair.primary.url()) as proxy:
        with psycopg.connect(pair.primary.url(), autocommit=True) as admin:
            admin.execute(WAITS_FOR_STANDBY)
            admin.execute("SELECT pg_reload_conf()")
            assert eventually(lambda: admin.execute(SYNCHRONOUS).fetchone() == (1,))
        hosts = f"{proxy.host},{quote(str(pair.standby.sockets), safe='')}"
        address = f"postgresql://postgres@/postgres?host={hosts}&port={proxy.port},5432"
        environ = variables(f"{address}&target_session_attrs=read-write", redis_server.url(), tmp_path) | LOG_KEY | MANY
        with (
            running_program(keeper(environ, tmp_path)),
            serving(without_key(environ), "service.app:create_app()", tmp_path / "web.log") as (_, url),
        ):
            assert eventually(lambda: answers(url))
            yield Cluster(pair, proxy, url)


def without_key(environ: Environ) -> Environ:
    """The variables of a web server, which does not sign the log."""
    return {name: value for name, value in environ.items() if name not in LOG_KEY}


def keeper(environ: Environ, directory: Path) -> ServerProgram:
    """The program of a keeper with all duties."""

    def beats() -> bool:
        with open_redis(environ["REDIS_URL"]) as client:
            return bool(client.exists(keeper_key(KEEPER)))

    return ServerProgram(
        name="keeper",
        command=(sys.executable, "-m", "deploy.cli", "keeper", "--name", KEEPER),
        log=directory / "keeper.log",
        ready=beats,
        environment={**os.environ, **environ},
        directory=PROJECT,
    )


def leads_all(admin: psycopg.Connection) -> bool:
    """Whether every duty that one keeper leads is led on this server."""
    return admin.execute(LOCKS, (LED, LOCK_NAME)).fetchone() == (len(LED),)


def freeze(cluster: Cluster, ending: ExitStack) -> None:
    """Stop every process of the primary; its kernel still acknowledges packets."""
    ending.enter_context(frozen(cluster.pair.primary))


def vanish(cluster: Cluster, _ending: ExitStack) -> None:
    """Let the host of the primary vanish without a reset."""
    cluster.proxy.vanish()


def hand_over(cluster: Cluster, _ending: ExitStack) -> None:
    """Shut the primary down in order: it ends all sessions, and its standby has everything."""
    postmaster = int((cluster.pair.primary.cluster / "postmaster.pid").read_text().splitlines()[0])
    os.kill(postmaster, signal.SIGINT)
    assert eventually(lambda: not (cluster.pair.primary.cluster / "postmaster.pid").exists())


@contextmanager
def asking(url: str) -> Iterator[list[SteadyClient]]:
    """Players who move and visitors who read."""
    movers = [Mover(url, f"mover {number}") for number in range(MOVERS)]
    paths = ("/", "/lobby", "/v1/games", *(mover.path for mover in movers))
    readers = [Reader(url, paths[start:] + paths[:start]) for start in range(READERS)]
    visitors = [Visitor(url, "/v1/games") for _ in range(VISITORS)]
    with steady_clients([*movers, *readers, *visitors]) as every:
        yield every


@pytest.mark.parametrize("failure", [freeze, vanish, hand_over], ids=lambda failure: failure.__name__)
def test_seconds_of_a_failover(
    cluster: Cluster, failure: Failure, record_property: Callable[[str, object], None]
) -> None:
    with (
        asking(cluster.url) as clients,
        psycopg.connect(cluster.pair.primary.url(), autocommit=True) as before,
        psycopg.connect(cluster.pair.standby.url(), autocommit=True) as after,
        ExitStack() as ending,
    ):
        assert eventually(lambda: leads_all(before))
        assert eventually(lambda: each(clients, monotonic() - PATIENCE, is_good))
        failed = monotonic()
        failure(cluster, ending)
        gone = monotonic()
        assert eventually(lambda: each(clients, failed, is_refused))
        asked = monotonic()
        cluster.pair.promote()
        promoted = monotonic()
        assert eventually(lambda: leads_all(after))
        led = monotonic() - promoted
        assert eventually(lambda: each(clients, promoted, is_good))
    during = [one for client in clients for one in client.answers if one.ended >= failed and one.begun < asked]
    refused = max(one.ended - max(one.begun, failed) for one in during)
    moves = max(first_good(client, promoted) for client in clients if client.writes) - promoted
    last = max((one.ended for client in clients for one in client.answers if is_refused(one.status)), default=promoted)
    record_property(
        "told",
        f"{failure.__name__}: {len(during)} requests of {len(clients)} clients answered within {refused:.1f} s; after "
        f"promotion all moved within {moves:.1f} s, last 503 {last - promoted:.1f} s, all duties led {led:.1f} s",
    )
    assert not [one for one in during if one.begun > gone and one.ended < asked and not is_refused(one.status)]
    assert strange(clients) == {}
    assert refused < REFUSED_WITHIN
    assert max(moves, last - promoted) < MOVES_WITHIN
    assert led < LED_WITHIN


def each(clients: list[SteadyClient], since: float, is_wanted: Callable[[int], bool]) -> bool:
    """Whether each client has three such answers to requests since then."""
    return all(client.count(since, is_wanted) >= 3 for client in clients)


def first_good(client: SteadyClient, since: float) -> float:
    """When the first good answer since then came."""
    return min(one.ended for one in client.answers if one.ended >= since and is_good(one.status))


def is_good(status: int) -> bool:
    """Whether a request did what was asked for."""
    return httpx.codes.is_success(status)


def is_refused(status: int) -> bool:
    """Whether the service asks to come again later."""
    return status == httpx.codes.SERVICE_UNAVAILABLE


def strange(clients: list[SteadyClient]) -> Mapping[int, Asked]:
    """Answers that are neither good nor a 503."""
    every = [one for client in clients for one in client.answers]
    return {one.status: one for one in every if not is_good(one.status) and not is_refused(one.status)}
