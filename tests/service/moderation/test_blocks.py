"""Blocks: who is blocked reads and finishes, and begins nothing; at once in every process, until a time."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from datetime import UTC, datetime, timedelta
from threading import Event
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.container import Container
from service.web.auth import CSRF_HEADER
from tests.service.conftest import Environ, opened_app
from tests.support.running_program import eventually
from tests.support.service.administrators import acts_of, administrator, block
from tests.support.service.players import Person, answer, in_turn, problem, somebody

SENTENCES = {
    "en": "Until then you may read",
    "is": "Þangað til máttu lesa",
    "sv": "Till dess får du läsa",
    "cs": "Do té doby smíš číst",
    "hu": "Addig olvashatsz",
}


@pytest.fixture
def admin(app: Flask) -> Person:
    return administrator(app)


@pytest.fixture
def player(client: FlaskClient) -> Person:
    return somebody(client)


@pytest.fixture
def other_process(environ: Environ, player: Person) -> Iterator[Person]:
    """The player as another web process knows it, with the token in its cache."""
    with opened_app(environ) as app:
        there = copy(player)
        there.client = app.test_client()
        assert there.ask("GET", "/v1/me").status_code == 200
        yield there


def test_a_blocked_player_reads_and_begins_nothing(admin: Person, player: Person) -> None:
    until = block(admin, player.id, "spam in names")["until"]
    for path, body in (
        ("/v1/games", {"game": "spice_road", "seats": ["me", "open"]}),
        ("/v1/studies", {"title": "Notes"}),
        ("/v1/bots", {"name": "one", "engine": "x"}),
        ("/v1/webhooks", {"url": "https://93.184.215.14/hook"}),
    ):
        refused = player.post(path, body, 403)
        assert (problem(refused), refused["until"], refused["reason"]) == ("blocked", until, "spam in names")
    assert problem(answer(player.ask("PATCH", "/v1/me", {"name": "spam again"}), 403)) == "blocked"
    me = answer(player.ask("GET", "/v1/me"), 200)
    assert me["blocked"] == {"until": until, "reason": "spam in names"}
    assert player.ask("GET", "/v1/games").status_code == 200


@pytest.mark.parametrize("language", SENTENCES)
def test_the_refusal_says_until_when_in_each_language(admin: Person, player: Person, language: str) -> None:
    until = block(admin, player.id, "spam")["until"]
    refused = player.post(f"/v1/studies?language={language}", {"title": "Notes"}, 403)
    assert SENTENCES[language] in refused["detail"]
    assert f"{until[:10]} {until[11:16]} UTC" in refused["detail"]
    assert "spam" in refused["detail"]


def test_a_blocked_player_finishes_running_games(client: FlaskClient, admin: Person, player: Person) -> None:
    other = somebody(client)
    game = player.create("me", "open")["id"]
    for mover in in_turn(other.join(game), player, other):
        block(admin, player.id)
        mover.move(game, "play create_2")
    assert problem(player.post(f"/v1/games/{game}/abort", {"reason": "because"}, 403)) == "blocked"
    player.post(f"/v1/games/{game}/resign")


def test_a_blocked_player_leaves_open_tables_and_their_hosts_see_it(
    client: FlaskClient, admin: Person, player: Person
) -> None:
    host = somebody(client)
    own, running = player.create("me", "open")["id"], player.create("me", "open")["id"]
    host.join(running)
    joined = host.create("me", "open", "open")["id"]
    player.join(joined)
    kept = host.create("me", player.id, "open")["id"]
    block(admin, player.id)
    states = {game: answer(host.ask("GET", f"/v1/games/{game}"), 200) for game in (own, running, joined, kept)}
    assert [states[game]["status"] for game in (own, running, joined, kept)] == ["aborted", "running", "open", "open"]
    taken = [seat["player"] for seat in states[joined]["seats"] if seat["player"]]
    assert [one["id"] for one in taken] == [host.id]
    assert player.id not in str(states[kept]["seats"])
    left = answer(host.ask("GET", f"/v1/games/{joined}/events"), 200)["events"][-1]
    assert left["kind"] == "seat_left"


def test_a_block_holds_at_once_in_another_process(admin: Person, player: Person, other_process: Person) -> None:
    block(admin, player.id)
    assert problem(other_process.create("me", "open", status=403)) == "blocked"
    admin.ask("POST", f"/v1/admin/players/{player.id}/unblocking", {"reason": "a mistake"})
    other_process.create("me", "open")


def test_nothing_begins_after_the_block_was_answered(app: Flask, admin: Person, player: Person) -> None:
    blocked, statuses = Event(), []

    def create() -> list[tuple[bool, int]]:
        client, found = app.test_client(), []
        headers = {"Authorization": f"Bearer {player.token}"}
        for _ in range(12):
            after = blocked.is_set()
            body = {"game": "spice_road", "seats": ["me", "bot:random"]}
            found.append((after, client.post("/v1/games", json=body, headers=headers).status_code))
        return found

    with ThreadPoolExecutor(4) as threads:
        runs = [threads.submit(create) for _ in range(4)]
        block(admin, player.id)
        blocked.set()
        statuses = [one for run in runs for one in run.result()]
    assert {status for after, status in statuses if after} <= {403}
    assert {status for _, status in statuses} <= {201, 403, 422}  # 422: the quota of games


def test_a_move_and_a_block_at_once_both_succeed(client: FlaskClient, app: Flask, admin: Person) -> None:
    host, other = somebody(client), somebody(client)
    game = host.create("me", "open")["id"]
    first, _ = in_turn(other.join(game), host, other)
    with ThreadPoolExecutor(2) as threads:
        moved = threads.submit(_move, app, first.token, game)
        block(admin, first.id)
        assert moved.result() == 201
    assert answer(first.ask("GET", f"/v1/games/{game}"), 200)["status"] == "running"


def _move(app: Flask, token: str, game: str) -> int:
    headers = {"Authorization": f"Bearer {token}"}
    return (
        app.test_client().post(f"/v1/games/{game}/moves", json={"move": "play create_2"}, headers=headers).status_code
    )


def test_a_block_ends_by_itself(admin: Person, player: Person) -> None:
    block(admin, player.id, seconds=3)
    assert problem(player.post("/v1/studies", {"title": "Notes"}, 403)) == "blocked"
    eventually(lambda: player.ask("POST", "/v1/studies", {"title": "Notes"}).status_code == 201)
    assert answer(admin.ask("GET", "/v1/admin/blocks"), 200)["blocks"] == []


def test_a_later_block_replaces_an_earlier_one(admin: Person, player: Person) -> None:
    block(admin, player.id, "first", hours=1)
    second = block(admin, player.id, "second", days=2)
    (listed,) = answer(admin.ask("GET", "/v1/admin/blocks"), 200)["blocks"]
    assert listed == second
    assert listed["player"] == {"id": player.id, "name": player.name}
    assert [act["reason"] for act in acts_of(admin, subject=player.id)] == ["second", "first"]


def test_only_administrators_see_a_block(client: FlaskClient, admin: Person, player: Person) -> None:
    other, path = somebody(client), f"/v1/players/{player.id}"
    before = answer(other.ask("GET", path), 200)
    block(admin, player.id)
    assert answer(other.ask("GET", path), 200) == before
    assert other.ask("GET", "/v1/admin/blocks").status_code == 403


def test_bots_of_a_blocked_player_are_blocked(admin: Person, player: Person) -> None:
    bot = player.post("/v1/bots", {"name": f"bot {uuid4().hex[:8]}", "engine": "x"})
    refused = block(admin, bot["player"]["id"], status=422)
    assert (problem(refused), refused["reason"]) == ("block_refused", "bot")
    block(admin, player.id)
    player.token = bot["token"]
    assert problem(player.create("me", "open", status=403)) == "blocked"


def test_administrators_cannot_block_themselves(admin: Person) -> None:
    bot, own = admin.post("/v1/bots", {"name": f"bot {uuid4().hex[:8]}", "engine": "x"}), copy(admin)
    path = f"/v1/bots/{bot['player']['id']}/tokens"
    own.token = admin.post(path, {"label": "", "scopes": ["admin"]})["token"]
    for client in (admin, own):
        refused = block(client, admin.id, status=422)
        assert (problem(refused), refused["reason"]) == ("block_refused", "own_account")
    assert [act["act"] for act in acts_of(admin)] == ["token_issued"]


@pytest.mark.parametrize("time", [timedelta(seconds=-5), timedelta(days=3_700)])
def test_a_block_ends_in_the_next_ten_years(admin: Person, player: Person, time: timedelta) -> None:
    body = {"until": (datetime.now(UTC) + time).isoformat(), "reason": "spam"}
    refused = answer(admin.ask("PUT", f"/v1/admin/players/{player.id}/block", body), 422)
    assert (problem(refused), refused["reason"]) == ("block_refused", "time")


@pytest.mark.parametrize("until", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2030-01-01", "soon", 7])
def test_a_time_that_cannot_be_meant_is_refused(admin: Person, player: Person, until: object) -> None:
    body = {"until": until, "reason": "spam"}
    refused = answer(admin.ask("PUT", f"/v1/admin/players/{player.id}/block", body), 422)
    assert problem(refused) in ("block_refused", "invalid_request")


def test_unknown_and_erased_players_cannot_be_blocked(admin: Person, player: Person) -> None:
    block(admin, str(uuid4()), status=404)
    assert player.ask("DELETE", "/v1/me").status_code == 204
    block(admin, player.id, status=404)


def test_who_is_not_blocked_cannot_be_unblocked(admin: Person, player: Person) -> None:
    path = f"/v1/admin/players/{player.id}/unblocking"
    assert admin.ask("POST", path, {"reason": "x"}).status_code == 404


def test_a_blocked_administrator_is_none(app: Flask, admin: Person, player: Person) -> None:
    second = administrator(app)
    block(admin, second.id)
    for method, path, body in (
        ("GET", "/v1/admin/record", None),
        ("PUT", f"/v1/admin/players/{player.id}/block", {"until": "2100-01-01T00:00:00Z", "reason": "revenge"}),
        ("POST", f"/v1/admin/players/{second.id}/unblocking", {"reason": "I am good"}),
    ):
        assert problem(answer(second.ask(method, path, body), 403)) == "blocked"


def test_a_blocked_player_keeps_the_rights_over_the_account(admin: Person, player: Person) -> None:
    block(admin, player.id)
    assert problem(answer(player.ask("PATCH", "/v1/me", {"name": "Offensive"}), 403)) == "blocked"
    assert player.ask("PATCH", "/v1/me", {"password": "over the hills"}).status_code == 200
    player.post("/v1/tokens", {"scopes": ["read"]})
    browser = player.client.application.test_client()
    login = answer(browser.post("/v1/session", json={"name": player.name, "password": "over the hills"}), 201)
    assert answer(browser.get("/v1/me"), 200)["blocked"]["reason"] == "spam"
    assert "spam" in browser.get("/lobby?language=en").get_data(as_text=True)
    assert browser.delete("/v1/me", headers={CSRF_HEADER: login["csrf"]}).status_code == 204


def test_erasing_an_account_erases_its_block(app: Flask, admin: Person, player: Person) -> None:
    block(admin, player.id, "insulted a person")
    assert player.ask("DELETE", "/v1/me").status_code == 204
    here: Container = app.extensions["cabildo"]
    with here.stores.pool.connection() as connection:
        assert connection.execute("SELECT count(*) FROM blocks").fetchone() == (0,)
