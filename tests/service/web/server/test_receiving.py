"""Clients that send slowly, too much or nothing hold no thread, and not for long. Over a real web server."""

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from itertools import count

import httpx
import pytest

from tests.service.conftest import Environ
from tests.service.web.test_gunicorn import answers, serving
from tests.support.running_program import PATIENCE, eventually
from tests.support.service.raw_connection import RawConnection
from tests.support.service.shared_fixtures import environ

__all__ = ["environ"]  # shared by the tests of this module
SERVICE = "service.app:create_app()"
HALF_HEADER = b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Half: "
HALF_BODY = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"
CHUNKED = HALF_BODY.replace(b"Content-Length: 500\r\n\r\n{", b"Transfer-Encoding: chunked\r\n\r\n")
ALIVE = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
THREADS = 8
CROWD = 150  # many times the threads
FEW_FILES = ("sh", "-c", 'ulimit -n 228; exec "$@"', "sh")  # leave room for 100 connections
NAMES = count()


@pytest.fixture(scope="module")
def url(environ: Environ, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a web server with one process, few threads and little time for those who send."""
    few = {"CABILDO_WORKERS": "1", "CABILDO_WEB_THREADS": str(THREADS), "CABILDO_RECEIVE_SECONDS": "3"}
    with serving({**environ, **few}, SERVICE, tmp_path_factory.mktemp("web") / "log") as (_, url):
        assert eventually(lambda: answers(url))
        yield url


@pytest.fixture
def connection(url: str) -> Iterator[RawConnection]:
    with closing(RawConnection(url)) as connection:
        yield connection


def player(number: int) -> bytes:
    return json.dumps({"name": f"Raw {number}"}).encode()


@pytest.mark.parametrize("half", [HALF_HEADER, HALF_BODY, CHUNKED + b"5\r\nab"])
def test_half_a_request_is_refused_when_its_time_is_over(connection: RawConnection, half: bytes) -> None:
    connection.send(half)
    refused = connection.answer()
    assert (refused.status, refused.problem(), refused.headers["connection"]) == (408, "request_timeout", "close")
    assert connection.ends() == b""


def test_a_silent_connection_is_closed_without_a_word(connection: RawConnection) -> None:
    assert connection.ends() == b""


@pytest.mark.parametrize("half", [HALF_HEADER, HALF_BODY])
def test_many_half_requests_hold_no_thread(url: str, half: bytes) -> None:
    with ExitStack() as exits:
        crowd = [exits.enter_context(closing(RawConnection(url))) for _ in range(CROWD)]
        for one in crowd:
            one.send(half)
        began = time.monotonic()
        assert httpx.get(f"{url}/readyz", timeout=PATIENCE).status_code == 200
        answered = time.monotonic() - began
        for one in crowd:
            assert one.answer().status == 408
        assert answered < time.monotonic() - began  # and not after they had been cut
        assert httpx.get(f"{url}/readyz", timeout=PATIENCE).status_code == 200


@pytest.mark.parametrize(("begin", "drop"), [(HALF_HEADER, b"a"), (HALF_BODY, b" ")])
def test_a_dripping_client_is_cut_long_before_its_time(
    environ: Environ, tmp_path_factory: pytest.TempPathFactory, begin: bytes, drop: bytes
) -> None:
    slow = {"CABILDO_WORKERS": "1", "CABILDO_RECEIVE_SECONDS": "600"}
    with serving({**environ, **slow}, SERVICE, tmp_path_factory.mktemp("slow") / "log") as (_, url):
        assert eventually(lambda: answers(url))
        with closing(RawConnection(url)) as dripping:
            dripping.send(begin)
            dripping.socket.settimeout(0.1)
            began = time.monotonic()
            while time.monotonic() < began + PATIENCE:
                try:
                    refused = dripping.answer()
                    break
                except TimeoutError:
                    dripping.send(drop)
            assert refused.status == 408


def test_a_client_that_is_fast_enough_may_take_its_time(connection: RawConnection) -> None:
    body = player(next(NAMES))
    connection.send(HALF_BODY.replace(b"500", str(len(body)).encode())[:-1])
    for place in range(len(body)):
        connection.send(body[place : place + 1])
    assert connection.answer().status == 201


def test_a_header_that_never_ends_is_refused_by_its_size(connection: RawConnection) -> None:
    connection.send(b"GET / HTTP/1.1\r\nHost: x\r\n" + b"".join(b"X-%d: %s\r\n" % (n, b"a" * 4_000) for n in range(9)))
    assert connection.answer().problem() == "request_header_fields_too_large"


def test_too_large_a_body_is_refused_before_it_comes(connection: RawConnection) -> None:
    connection.send(HALF_BODY.replace(b"500", b"500000000"))
    refused = connection.answer()
    assert (refused.status, refused.problem()) == (413, "content_too_large")
    assert connection.ends() == b""


@pytest.mark.parametrize("chunk", [b"ffffffff\r\n", b"40000\r\n" + b" " * 0x40000 + b"\r\n"])
def test_too_large_a_body_in_chunks_is_refused_on_the_way(connection: RawConnection, chunk: bytes) -> None:
    connection.send(CHUNKED)
    for _ in range(17):
        try:
            connection.send(chunk)
        except ConnectionError:
            break
    assert connection.answer().problem() == "content_too_large"


@pytest.mark.parametrize("chunk", [b"nonsense\r\n", b"-1\r\n", b"0x5\r\n", b"\r\n"])
def test_a_chunk_without_a_size_is_refused(connection: RawConnection, chunk: bytes) -> None:
    connection.send(CHUNKED + chunk)
    assert connection.answer().problem() == "bad_request"


@pytest.mark.parametrize("trailer", [b"", b"X-Trailer: 1\r\n"])
def test_a_body_in_chunks_is_read_and_the_connection_kept(connection: RawConnection, trailer: bytes) -> None:
    body = player(next(NAMES))
    connection.send(CHUNKED + b"3;note=1\r\n" + body[:3] + b"\r\n")
    connection.send(b"%x\r\n%s\r\n0\r\n%s\r\n" % (len(body) - 3, body[3:], trailer))
    assert connection.answer().status == 201
    connection.send(ALIVE)
    assert connection.answer().status == 200


def test_requests_sent_together_are_answered_in_order(connection: RawConnection) -> None:
    body = player(next(NAMES))
    second = HALF_BODY.replace(b"500", str(len(body)).encode())[:-1] + body
    connection.send(ALIVE + second + ALIVE + ALIVE[:10])
    assert [connection.answer().status for _ in range(3)] == [200, 201, 200]
    connection.send(ALIVE[10:])
    assert connection.answer().status == 200


def test_half_a_request_behind_another_is_refused_in_its_time(connection: RawConnection) -> None:
    connection.send(ALIVE + HALF_HEADER)
    assert [connection.answer().status for _ in range(2)] == [200, 408]


def test_a_client_that_waits_for_continue_is_told_to_go_on(connection: RawConnection) -> None:
    body = player(next(NAMES))
    expecting = HALF_BODY.replace(b"500\r\n", str(len(body)).encode() + b"\r\nExpect: 100-continue\r\n")[:-1]
    connection.send(expecting)
    assert connection.answer().status == 100
    connection.send(body)
    statuses = [connection.answer().status]
    while statuses[-1] == 100:
        statuses.append(connection.answer().status)
    assert statuses[-1] == 201


def test_idle_connections_make_room_for_new_ones(environ: Environ, tmp_path_factory: pytest.TempPathFactory) -> None:
    few = {"CABILDO_WORKERS": "1", "CABILDO_WEB_THREADS": str(THREADS)}
    log = tmp_path_factory.mktemp("few") / "log"
    with serving({**environ, **few}, SERVICE, log, FEW_FILES) as (_, url), ExitStack() as exits:
        assert eventually(lambda: answers(url))
        crowd = [exits.enter_context(closing(RawConnection(url))) for _ in range(CROWD)]
        for number, one in enumerate(crowd):
            one.send(ALIVE if number % 2 else HALF_HEADER)
        for _ in range(20):
            assert httpx.get(f"{url}/healthz", timeout=PATIENCE).status_code == 200
        newest = crowd[-1]
        assert newest.answer().status == 200


def test_large_bodies_make_room_for_small_ones(connection: RawConnection, url: str) -> None:
    large, body = HALF_BODY.replace(b"500", b"4194304"), player(next(NAMES))
    with ExitStack() as exits:
        crowd = [exits.enter_context(closing(RawConnection(url))) for _ in range(17)]
        for one in crowd:
            with suppress(ConnectionError):
                one.send(large + bytes(4_194_302))  # together more than 64 MiB
        connection.send(HALF_BODY.replace(b"500", str(len(body)).encode())[:-1] + body)
        assert connection.answer().status == 201
        statuses = [one.answer().status for one in crowd]
    assert set(statuses) == {408, 503}


def test_an_answered_client_that_stays_delays_no_other(url: str) -> None:
    with ExitStack() as exits:
        crowd = [exits.enter_context(closing(RawConnection(url))) for _ in range(CROWD)]
        for one in crowd:
            one.send(ALIVE.replace(b"1.1", b"1.0"))
        began = time.monotonic()
        assert [one.answer().status for one in crowd] == [200] * CROWD
        assert time.monotonic() - began < CROWD  # each stays for two seconds
