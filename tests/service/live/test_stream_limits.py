"""How many streams may be open: of a network, of an account, in all; and room for other requests. Over real servers."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final

import httpx
import psutil
import pytest
import redis
from flask.testing import FlaskClient

from projections.rules.catalogue import LANGUAGES
from service import settings
from service.core.errors import StreamsFull, TooManyStreams
from service.live import stream_limits
from service.live.stream_limits import LEASE, StreamLimits
from tests.service.conftest import Environ
from tests.service.live.test_streams import two_at_a_table
from tests.service.web.test_gunicorn import answers, serving
from tests.support.running_program import PATIENCE, eventually
from tests.support.service.players import problem
from tests.support.service.raw_connection import RawConnection
from tests.support.service.shared_fixtures import client, environ

__all__ = ["client", "environ"]  # shared by the tests of this module
SERVICE: Final = "service.app:create_app()"
NDJSON: Final = {"Accept": "application/x-ndjson"}
Serve = Callable[..., AbstractContextManager[str]]


@pytest.fixture(autouse=True)
def _none_are_open(environ: Environ) -> None:
    """Forgets the streams of servers that earlier tests killed; they would expire some seconds later."""
    with redis.Redis.from_url(environ["REDIS_URL"]) as client:
        for key in client.scan_iter(f"{stream_limits.NAME}*"):
            client.delete(key)


@pytest.fixture
def serve(environ: Environ, tmp_path: Path) -> Serve:
    """Runs a web server with some settings; gives its address."""

    @contextmanager
    def running(**changed: str) -> Iterator[str]:
        with serving({**environ, **changed}, SERVICE, tmp_path / "log") as (_, url):
            assert eventually(lambda: answers(url))
            yield url

    return running


class Watching:
    """Streams of one game that a test keeps open."""

    def __init__(self, url: str, game: str, exits: ExitStack) -> None:
        self._path = f"{url}/v1/games/{game}/events"
        self._exits = exits

    def ask(self, **headers: str) -> httpx.Response:
        """One more stream, or the refusal of one."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = self._exits.enter_context(
            httpx.stream("GET", self._path, headers={**NDJSON, **named}, timeout=PATIENCE)
        )
        if answer.status_code != 200:
            answer.read()
        return answer

    def opened(self, number: int, **headers: str) -> list[httpx.Response]:
        """So many more streams."""
        found = [self.ask(**headers) for _ in range(number)]
        assert [one.status_code for one in found] == [200] * number
        return found


def test_an_address_has_so_many_streams_in_all_processes(client: FlaskClient, serve: Serve) -> None:
    game = two_at_a_table(client)[0]
    with serve(CABILDO_STREAMS_PER_ADDRESS="6") as url, ExitStack() as exits:
        watching = Watching(url, game, exits)
        opened = watching.opened(6)
        for language in LANGUAGES:
            refused = watching.ask(Accept_Language=language)
            assert (refused.status_code, problem(refused.json())) == (429, "too_many_streams")
            assert refused.headers["Content-Language"] == language
            assert int(refused.headers["Retry-After"]) == refused.json()["retry_after"] == 10
            assert refused.json()["most"] == 6
        waiting = httpx.get(f"{url}/v1/games/{game}/events?after=4&wait=1", timeout=PATIENCE)
        assert problem(waiting.json()) == "too_many_streams"  # a long poll is a stream while it waits
        assert httpx.get(f"{url}/v1/games/{game}/events", timeout=PATIENCE).status_code == 200
        opened[0].close()
        assert eventually(lambda: watching.ask().status_code == 200)


def test_an_ipv6_network_counts_as_one_address(client: FlaskClient, serve: Serve) -> None:
    game = two_at_a_table(client)[0]
    with serve(CABILDO_STREAMS_PER_ADDRESS="2", CABILDO_TRUSTED_PROXIES="1") as url, ExitStack() as exits:
        watching = Watching(url, game, exits)
        for suffix in ("1", "ffff:1:2:3"):
            watching.opened(1, X_Forwarded_For=f"2001:db8:1:2:{suffix if ':' in suffix else '0:0:0:' + suffix}")
        assert watching.ask(X_Forwarded_For="2001:db8:1:2::9").status_code == 429
        watching.opened(1, X_Forwarded_For="2001:db8:1:3::9")
        watching.opened(2, X_Forwarded_For="192.0.2.1")
        assert watching.ask(X_Forwarded_For="192.0.2.1").status_code == 429
        assert watching.ask(X_Forwarded_For="192.0.2.1, 192.0.2.2").status_code == 200  # the proxy saw the last one


def test_an_account_has_so_many_streams_from_all_addresses(client: FlaskClient, serve: Serve) -> None:
    game, anna, other = two_at_a_table(client)
    with serve(CABILDO_STREAMS_PER_ACCOUNT="2", CABILDO_TRUSTED_PROXIES="1") as url, ExitStack() as exits:
        watching = Watching(url, game, exits)
        for number in (1, 2):
            watching.opened(1, Authorization=f"Bearer {anna.token}", X_Forwarded_For=f"192.0.2.{number}")
        refused = watching.ask(Authorization=f"Bearer {anna.token}", X_Forwarded_For="192.0.2.3")
        assert (problem(refused.json()), refused.json()["counted"]) == ("too_many_streams", "account")
        watching.opened(1, Authorization=f"Bearer {other.token}", X_Forwarded_For="192.0.2.3")


def test_all_streams_together_are_bounded(client: FlaskClient, serve: Serve) -> None:
    game = two_at_a_table(client)[0]
    with serve(CABILDO_STREAMS="5") as url, ExitStack() as exits:
        watching = Watching(url, game, exits)
        watching.opened(5)
        refused = watching.ask()
        assert (refused.status_code, problem(refused.json())) == (503, "streams_full")
        assert int(refused.headers["Retry-After"]) > 0


def test_streams_and_long_polls_hold_no_threads(client: FlaskClient, serve: Serve) -> None:
    game = two_at_a_table(client)[0]
    poll = f"GET /v1/games/{game}/events?after=4&wait=20 HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    with serve(CABILDO_WEB_THREADS="2", CABILDO_WORKERS="1") as url, ExitStack() as exits:
        Watching(url, game, exits).opened(30)
        for _ in range(30):
            exits.enter_context(closing(RawConnection(url))).send(poll)
        for path in ("/readyz", f"/v1/games/{game}"):
            assert httpx.get(f"{url}{path}", timeout=PATIENCE).status_code == 200


def test_streams_leave_connections_where_files_are_few(client: FlaskClient, environ: Environ, tmp_path: Path) -> None:
    game = two_at_a_table(client)[0]
    few_files = ("sh", "-c", 'ulimit -n 158; exec "$@"', "sh")  # room for 30 connections
    one = {"CABILDO_WORKERS": "1"}
    with serving({**environ, **one}, SERVICE, tmp_path / "log", few_files) as (_, url), ExitStack() as exits:
        assert eventually(lambda: answers(url))
        watching = Watching(url, game, exits)
        watching.opened(25)
        for _ in range(10):
            assert watching.ask().status_code == 503
        assert httpx.get(f"{url}/readyz", timeout=PATIENCE).status_code == 200


def test_streams_of_a_killed_process_are_counted_no_longer(
    client: FlaskClient, environ: Environ, tmp_path: Path
) -> None:
    game = two_at_a_table(client)[0]
    few = {"CABILDO_STREAMS_PER_ADDRESS": "6"}
    with serving({**environ, **few}, SERVICE, tmp_path / "log") as (master, url), ExitStack() as exits:
        assert eventually(lambda: answers(url))
        watching = Watching(url, game, exits)
        watching.opened(6)
        assert watching.ask().status_code == 429
        for worker in psutil.Process(master.pid).children():
            worker.send_signal(signal.SIGKILL)
        assert eventually(lambda: answers(url))
        for _ in range(6):
            assert eventually(lambda: watching.ask().status_code == 200)


@contextmanager
def limits(environ: Environ, **changed: str) -> Iterator[StreamLimits]:
    """The numbers of one process."""
    with redis.Redis.from_url(environ["REDIS_URL"], socket_timeout=5.0, retry=None) as client:
        one = StreamLimits(client, settings.load({**environ, **changed}))
        try:
            yield one
        finally:
            one.close()


def test_numbers_survive_a_redis_that_forgets_and_streams_that_end(environ: Environ) -> None:
    with limits(environ, CABILDO_STREAMS="3") as one, limits(environ, CABILDO_STREAMS="3") as other:
        streams = [one.enter("192.0.2.1", None), one.enter("192.0.2.1", None), other.enter("192.0.2.2", None)]
        with pytest.raises(StreamsFull):
            other.enter("192.0.2.3", None)
        with redis.Redis.from_url(environ["REDIS_URL"]) as client:
            client.flushdb()
            assert eventually(lambda: len(client.keys(f"{stream_limits.NAME}:*")) == 2)  # written again
        with pytest.raises(StreamsFull):
            other.enter("192.0.2.3", None)
        for _ in range(2):  # once is enough
            streams[0].leave()
        assert eventually(lambda: entered(other))
        with pytest.raises(StreamsFull):
            one.enter("192.0.2.3", None)


def test_files_that_are_sent_leave_threads_for_other_requests(environ: Environ) -> None:
    with limits(environ, CABILDO_WEB_THREADS="6") as one:
        sent = [one.enter("192.0.2.1", None, holds_thread=True) for _ in range(5)]
        with pytest.raises(StreamsFull):
            one.enter("192.0.2.1", None, holds_thread=True)
        one.enter("192.0.2.1", None)
        sent[0].leave()
        one.enter("192.0.2.1", None, holds_thread=True)


def test_without_redis_each_process_keeps_the_limits(environ: Environ, monkeypatch: pytest.MonkeyPatch) -> None:
    away = {**environ, "REDIS_URL": "unix:///nowhere/redis.sock"}
    monkeypatch.setattr(stream_limits, "most_connections", lambda: 6)
    with limits(away, CABILDO_STREAMS_PER_ADDRESS="2") as one:
        for number in (1, 1, 2, 2):
            one.enter(f"192.0.2.{number}", None)
        with pytest.raises(TooManyStreams):
            one.enter("192.0.2.1", None)
        one.enter("192.0.2.3", None)
        with pytest.raises(StreamsFull):  # five of six connections
            one.enter("192.0.2.4", None)


def hold(environ: Environ, ready: str) -> None:
    """Opens a stream in a process of its own, and holds it until the process is killed."""
    with limits(environ) as one:
        one.enter("192.0.2.1", None)
        Path(ready).touch()
        signal.pause()


def test_numbers_of_a_process_expire_with_it(environ: Environ, tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    holder = multiprocessing.get_context("spawn").Process(target=hold, args=(environ, str(ready)))
    holder.start()
    try:
        assert eventually(ready.exists)
        with limits(environ, CABILDO_STREAMS="1") as one:
            with pytest.raises(StreamsFull):
                one.enter("192.0.2.2", None)
            assert holder.pid is not None
            os.kill(holder.pid, signal.SIGKILL)
            assert eventually(lambda: entered(one), LEASE + PATIENCE)
    finally:
        holder.join()


def entered(one: StreamLimits) -> bool:
    """Whether there is room for a stream."""
    try:
        one.enter("192.0.2.2", None)
    except StreamsFull:
        return False
    return True


def test_three_hundred_streams_hold_few_threads_and_little_memory(
    client: FlaskClient, environ: Environ, tmp_path: Path
) -> None:
    game = two_at_a_table(client)[0]
    many = {"CABILDO_WORKERS": "1", "CABILDO_STREAMS_PER_ADDRESS": "1000"}
    request = f"GET /v1/games/{game}/events HTTP/1.1\r\nHost: x\r\nAccept: application/x-ndjson\r\n\r\n".encode()
    with serving({**environ, **many}, SERVICE, tmp_path / "log") as (master, url):
        assert eventually(lambda: answers(url))
        worker = psutil.Process(master.pid).children()[0]
        with ExitStack() as open_streams:

            def open_some(number: int) -> None:
                for _ in range(number):
                    stream = open_streams.enter_context(closing(RawConnection(url)))
                    stream.send(request)
                    assert stream.answer().status == 200

            open_some(100)
            before = worker.memory_info().rss
            open_some(200)
            assert worker.num_threads() < 30
            assert worker.memory_info().rss - before < 200 * 30 * 1024
