"""Streams end when the right to them ends: of the token, session or account, or to the game that they follow."""

import json
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from typing import Any
from uuid import UUID, uuid4

import httpx
import psycopg
import pytest
from cabildo_client import Client, Refused
from flask import Flask
from flask.testing import FlaskClient

from service.container import Container
from service.live.access import AccessWatch
from service.web.routing import EXTENSION
from tests.service.conftest import Environ
from tests.service.live.test_streams import NDJSON, SSE, Server, play, web_server
from tests.support.running_program import PATIENCE, eventually
from tests.support.service.followed_streams import followed, following_game
from tests.support.service.players import Person, in_turn, problem, somebody
from tests.support.service.raw_connection import RawConnection
from tests.support.service.shared_fixtures import app, client, environ

__all__ = ["app", "client", "environ"]  # shared by the tests of this module
PASSWORD = "correct horse battery"
ENDED = "access_ended"
NEVER = 1e9  # seconds


@pytest.fixture(scope="module")
def server(environ: Environ, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The web server of two processes that these tests share."""
    with web_server(environ, tmp_path_factory.mktemp("web") / "log") as running:
        yield running


def private_game(client: FlaskClient) -> tuple[str, Person]:
    """A private game and its host."""
    host = somebody(client)
    return host.create("me", "open", visibility="private")["id"], host


def opened(exits: ExitStack, url: str, headers: dict[str, str]) -> Iterator[str]:
    """Opens a stream and reads its first line, so that it is open; returns the further lines."""
    answer = exits.enter_context(httpx.stream("GET", url, headers=headers, timeout=PATIENCE))
    assert answer.status_code == 200, answer.read()
    lines = answer.iter_lines()
    next(lines)
    return lines


def last(lines: Iterator[str]) -> dict[str, Any]:
    """Returns the last document of a stream, when it ends."""
    *_, document = [line.removeprefix("data: ") for line in lines if line.startswith(("{", "data: "))]
    told: dict[str, Any] = json.loads(document)
    return told


def revoke(person: Person, token: str) -> None:
    issued = next(one for one in person.ask("GET", "/v1/tokens").get_json()["tokens"] if one["label"] == token)
    assert person.ask("DELETE", f"/v1/tokens/{issued['id']}").status_code == 204


@pytest.mark.parametrize("form", [SSE, NDJSON])
def test_streams_in_all_processes_end_when_their_token_is_revoked(
    client: FlaskClient, server: Server, form: dict[str, str]
) -> None:
    game, host = private_game(client)
    token = host.post("/v1/tokens", {"label": "stream", "scopes": ["read"]})["token"]
    headers = {**form, "Authorization": f"Bearer {token}"}
    with ExitStack() as exits:
        paths = [f"/v1/games/{game}/events"] * 6 + ["/v1/me/stream"] * 2
        streams = [opened(exits, server[1] + path, headers) for path in paths]
        going_on = opened(
            exits, f"{server[1]}/v1/games/{game}/events", {**form, "Authorization": f"Bearer {host.token}"}
        )
        revoke(host, "stream")
        assert [last(lines)["closed"] for lines in streams] == [ENDED] * len(streams)
        client.post(f"/v1/games/{game}/abort", headers={"Authorization": f"Bearer {host.token}"}, json={})
        assert last(going_on)["closed"] != ENDED


def test_long_poll_is_refused_when_its_token_is_revoked(client: FlaskClient, server: Server) -> None:
    game, host = private_game(client)
    token = host.post("/v1/tokens", {"label": "poll", "scopes": ["read"]})["token"]
    path = f"{server[1]}/v1/games/{game}/events?after=100&wait=60"
    with ThreadPoolExecutor(1) as threads:
        headers = {"Authorization": f"Bearer {token}"}
        polled: Future[httpx.Response] = threads.submit(httpx.get, path, headers=headers, timeout=PATIENCE)
        while not polled.running():
            pass
        revoke(host, "poll")
        answer = polled.result(PATIENCE)
    assert (answer.status_code, problem(answer.json())) in ((403, ENDED), (401, "unauthenticated"))


def test_long_poll_is_refused_when_its_player_gives_up_the_seat(client: FlaskClient, server: Server) -> None:
    host, guest = somebody(client), somebody(client)
    game = host.create("me", guest.id, "open", visibility="private")["id"]
    guest.join(game)
    head = f"GET /v1/games/{game}/events?after=3&wait=60 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer"
    with closing(RawConnection(server[1])) as polling, closing(RawConnection(server[1])) as waiting:
        polling.send(f"{head} {guest.token}\r\n\r\n".encode())
        waiting.send(f"{head} {host.token}\r\n\r\n".encode())
        assert guest.ask("DELETE", f"/v1/games/{game}/seats/mine").status_code == 200
        assert waiting.answer().status == 200
        refused = polling.answer()
    assert refused.status == 404 or (refused.status, refused.problem()) == (403, "access_ended")


def logged_in(server: Server, client: FlaskClient) -> tuple[Person, httpx.Client, str]:
    """A player with a browser that is logged in, and the value for its forms."""
    person = Person(client, f"browser {uuid4().hex[:12]}", password=PASSWORD)
    browser = httpx.Client(base_url=server[1], timeout=PATIENCE)
    session = browser.post("/v1/session", json={"name": person.name, "password": PASSWORD}).json()
    return person, browser, session["csrf"]


def test_stream_of_a_session_ends_when_the_browser_logs_out(client: FlaskClient, server: Server) -> None:
    _, browser, csrf = logged_in(server, client)
    with closing(browser), browser.stream("GET", "/v1/me/stream", headers=NDJSON) as answer:
        lines = answer.iter_lines()
        next(lines)
        other = httpx.delete(
            f"{server[1]}/v1/session", headers={"X-CSRF-Token": csrf}, cookies=dict(browser.cookies), timeout=PATIENCE
        )
        assert other.status_code == 204
        assert last(lines)["closed"] == ENDED


def test_streams_end_when_the_account_is_deleted(client: FlaskClient, server: Server) -> None:
    player, other = somebody(client), somebody(client)
    game = other.create("me", player.id, "open", visibility="private")["id"]  # goes on without the account
    player.join(game)
    headers = {**NDJSON, "Authorization": f"Bearer {player.token}"}
    with ExitStack() as exits:
        streams = [
            opened(exits, f"{server[1]}{path}", headers) for path in (f"/v1/games/{game}/events", "/v1/me/stream")
        ]
        assert player.ask("DELETE", "/v1/me").status_code == 204
        assert [last(lines)["closed"] for lines in streams] == [ENDED, ENDED]


def test_streams_end_unannounced_when_the_token_expires_or_is_lost(
    client: FlaskClient, server: Server, environ: Environ
) -> None:
    host = somebody(client)
    brief = host.post("/v1/tokens", {"label": "brief", "scopes": ["read"], "seconds": 3})["token"]
    lost = host.post("/v1/tokens", {"label": "lost", "scopes": ["read"]})["token"]
    with ExitStack() as exits:
        streams = [
            opened(exits, f"{server[1]}/v1/me/stream", {**NDJSON, "Authorization": f"Bearer {token}"})
            for token in (brief, lost)
        ]
        with psycopg.connect(environ["DATABASE_URL"]) as database:
            database.execute("DELETE FROM tokens WHERE label = 'lost'")
        assert [last(lines)["closed"] for lines in streams] == [ENDED, ENDED]


def test_python_client_raises_the_refusal_and_does_not_reconnect(client: FlaskClient, server: Server) -> None:
    host = somebody(client)
    host.create("me", "open")
    other = host.post("/v1/tokens", {"label": "client", "scopes": ["read"]})["token"]
    with Client(server[1], other) as follower, ThreadPoolExecutor(1) as threads:
        followed = threads.submit(lambda: list(follower.notifications()))
        revoke(host, "client")
        with pytest.raises(Refused) as refused:
            followed.result(PATIENCE)
    assert refused.value.status == 401


@pytest.fixture
def here(app: Flask) -> Container:
    """The container of the application."""
    container: Container = app.extensions[EXTENSION]
    return container


class Ended:
    """Counts the ends of a stream."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> None:
        """Ends the stream."""
        self.times += 1


def test_one_query_checks_all_streams_of_a_process(
    here: Container, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [somebody(client) for _ in range(5)]
    identities = [here.authenticator.bearer(person.token) for person in people]
    watch = AccessWatch(here.stores.pool, here.pubsub, here.now, check_seconds=NEVER)
    queries: list[int] = []
    ends = [Ended() for _ in range(200)]
    accesses = [watch.enter(identities[number // 40], end) for number, end in enumerate(ends)]
    people[0].ask("DELETE", "/v1/me")
    real = here.stores.pool.connection

    def counted() -> Any:
        queries.append(1)
        return real()

    monkeypatch.setattr(here.stores.pool, "connection", counted)
    watch.check()
    assert [end.times > 0 for end in ends] == [True] * 40 + [False] * 160
    assert len(queries) <= 2  # and one of the watching thread
    for access in accesses:
        watch.leave(access)


def test_a_fault_of_one_check_ends_neither_the_thread_nor_the_streams(
    here: Container, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, end = somebody(client), Ended()
    identity = here.authenticator.bearer(anna.token)
    watch = AccessWatch(here.stores.pool, here.pubsub, here.now, check_seconds=0.1)
    faults, check = [RuntimeError("once"), psycopg.OperationalError("once")], watch.check

    def faulty() -> None:
        if faults:
            raise faults.pop()
        check()

    monkeypatch.setattr(watch, "check", faulty)
    access = watch.enter(identity, end)
    assert eventually(lambda: not faults)
    assert end.times == 0
    anna.ask("DELETE", "/v1/me")
    assert eventually(lambda: end.times > 0)
    watch.leave(access)


def test_stream_of_a_private_game_ends_when_its_guest_gives_up_the_seat(here: Container, client: FlaskClient) -> None:
    host, guest = somebody(client), somebody(client)
    game = host.create("me", guest.id, "open", visibility="private")["id"]
    guest.join(game)
    with (
        followed(here, following_game(here, UUID(game), guest.id)) as of_guest,
        followed(here, following_game(here, UUID(game), host.id), 3) as of_host,
    ):
        assert [of_guest.next()["seq"] for _ in range(3)] == [1, 2, 3]
        assert guest.ask("DELETE", f"/v1/games/{game}/seats/mine").status_code == 200
        assert of_guest.until_closed() == [{"closed": ENDED, "next": 3}]
        assert of_host.next()["seq"] == 4


def test_spectator_who_takes_a_seat_sees_without_delay_and_the_own_hand(here: Container, client: FlaskClient) -> None:
    host, guest = somebody(client), somebody(client)
    game = host.create("me", "open", spectator_delay=3)["id"]
    with (
        followed(here, following_game(here, UUID(game), guest.id)) as of_guest,
        followed(here, following_game(here, UUID(game), None)) as of_visitor,
    ):
        assert [of_guest.next()["seq"] for _ in range(2)] == [1, 2]
        first, second = in_turn(guest.join(game), host, guest)
        play(game, first, second, 4)
        assert [of_guest.next()["seq"] for _ in range(6)] == [*range(3, 9)]
        assert [of_visitor.next()["seq"] for _ in range(5)] == [*range(1, 6)]
