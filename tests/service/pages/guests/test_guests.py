"""Guests: one click makes one at a table, a name and a password keep one, and unused ones are erased."""

import re
from collections.abc import Mapping
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient

from events.store.connections import connect
from service.core.clock import SECOND
from service.players.commands import guests
from service.players.commands.guests import UNUSED_SECONDS, EraseUnusedGuests, erase_unused_guests
from service.web.routing import EXTENSION
from tests.service.conftest import Environ
from tests.support.service.mail_duty import run_duty
from tests.support.service.players import answer, problem, somebody
from workers.keeper import erasures

CSRF = re.compile(r'name="csrf" value="([^"]+)"')
PASSWORD = "a long password"


def form(client: FlaskClient, path: str, **fields: str) -> Mapping[str, str]:
    """Returns the fields of a form on a page, with the value that proves that the page was loaded."""
    found = CSRF.findall(client.get(path).text)
    return {"csrf": found[-1], **fields}


def play_now(client: FlaskClient, **fields: str) -> str:
    """Returns the game that a click on the home page opens."""
    answer = client.post("/play-now", data=form(client, "/", **fields))
    assert answer.status_code == 303, answer.text
    return str(answer.location).split("/")[2]


def test_one_click_without_an_account_leads_to_the_first_move(client: FlaskClient) -> None:
    for game in ("puerto_rico", "spice_road"):
        opened = play_now(client, game=game)
        page = client.get(f"/games/{opened}/play")
        assert page.status_code == 200
        assert "Guest " in page.text
        legal = client.get(f"/v1/games/{opened}/legal").get_json()
        assert (legal["yours"], legal["seat"]) == (True, 0)
        summary = client.get(f"/v1/games/{opened}").get_json()
        assert (summary["rated"], summary["visibility"]) == (False, "unlisted")


def test_play_now_takes_the_form_of_its_page_alone(client: FlaskClient) -> None:
    client.get("/")
    assert client.post("/play-now", data={"csrf": "forged"}).status_code == 403
    assert client.post("/play-now", data=form(client, "/", level="perfect")).status_code == 422


def test_a_guest_is_kept_by_a_name_and_a_password(client: FlaskClient) -> None:
    game = play_now(client)
    taken = client.post("/keep", data=form(client, "/keep", name=somebody(client).name, password=PASSWORD))
    assert taken.status_code == 409
    short = client.post("/keep", data=form(client, "/keep", name="Nina", password="short"))
    assert (short.status_code, PASSWORD in short.text) == (422, False)
    kept = client.post("/keep", data=form(client, "/keep", name="Nina", password=PASSWORD, next=f"/games/{game}/play"))
    assert kept.location == f"/games/{game}/play"
    assert "Nina" in client.get("/account").text
    assert client.post("/keep", data={"csrf": CSRF.findall(client.get("/account").text)[0], "name": "Nora"}).status_code
    assert "Nora" not in client.get("/account").text
    fresh = client.application.test_client()
    fresh.post("/login", data=form(fresh, "/login", name="Nina", password=PASSWORD))
    assert fresh.get(f"/v1/games/{game}/legal").get_json()["yours"] is True


def test_a_kept_guest_who_came_from_nowhere_is_offered_the_guide(client: FlaskClient) -> None:
    play_now(client)
    assert 'value="/learn?welcome=1"' in client.get("/keep").text
    kept = client.post("/keep", data=form(client, "/keep", name=f"Nina {uuid4().hex[:8]}", password=PASSWORD))
    assert kept.location == "/learn?welcome=1"


def test_a_guest_plays_unrated_games_and_nothing_else(client: FlaskClient) -> None:
    host = somebody(client)
    rated = host.create("me", "open", rated=True)["id"]
    play_now(client)
    csrf = {"X-CSRF-Token": CSRF.findall(client.get("/keep").text)[0]}
    refused = client.post(f"/v1/games/{rated}/seats", json={}, headers=csrf)
    assert (refused.status_code, refused.get_json()["reason"]) == (403, "guest_unrated")
    own = {"game": "spice_road", "seats": ["me", "open"], "rated": True}
    assert client.post("/v1/games", json=own, headers=csrf).status_code == 403
    kept = client.post("/v1/games", json={"game": "spice_road", "seats": ["me", host.id]}, headers=csrf)
    assert (kept.status_code, kept.get_json()["reason"]) == (403, "guest_invites")
    assert 'value="person"' not in client.get("/games/new").text
    here = {"game": "spice_road", "seats": ["me", "here:Tom", "open"]}
    opened = answer(client.post("/v1/games", json=here, headers=csrf), 201)
    as_tom = {**csrf, "X-Seat-Of": opened["seats"][1]["player"]["id"]}
    kept = client.post("/v1/games", json={"game": "spice_road", "seats": ["me", host.id]}, headers=as_tom)
    assert (kept.status_code, kept.get_json()["reason"]) == (403, "guest_invites")
    assert host.ask("GET", "/v1/challenges").get_json()["received"] == []
    for path, body in (("/v1/tokens", {"scopes": ["read"]}), ("/v1/webhooks", {"url": "https://93.184.215.14/x"})):
        assert client.post(path, json=body, headers=csrf).status_code == 403, path
    assert problem(client.post("/v1/studies", json={"title": "x"}, headers=csrf).get_json()) == "scope_missing"
    assert client.post("/account/name", data={"csrf": csrf["X-CSRF-Token"], "name": "x"}).status_code == 403
    unrated = host.create("me", "open")["id"]
    assert client.post(f"/v1/games/{unrated}/seats", json={}, headers=csrf).status_code == 201


def test_guests_whom_nobody_uses_are_erased_and_leave_their_games(app: Flask, client: FlaskClient) -> None:
    here, game = app.extensions[EXTENSION], play_now(client)
    assert erase_unused_guests(here, EraseUnusedGuests()) == 0
    past = "UPDATE {} SET created = created - %s"
    with here.stores.pool.connection() as connection:
        connection.execute(past.format("players"), (UNUSED_SECONDS * SECOND + 1,))
        assert erase_unused_guests(here, EraseUnusedGuests()) == 0  # its browser was here
        connection.execute(past.format("sessions") + ", used = NULL", (UNUSED_SECONDS * SECOND + 1,))
    assert erase_unused_guests(here, EraseUnusedGuests()) == 1
    assert client.get(f"/games/{game}/play").location.startswith("/login")
    assert "Guest " not in client.get(f"/v1/games/{game}").text


def test_a_guest_deletes_the_account_at_once(client: FlaskClient) -> None:
    play_now(client)
    gone = client.post("/keep/deletion", data=form(client, "/keep"))
    assert (gone.status_code, gone.location) == (303, "/")
    assert client.get("/keep").location.startswith("/login")


def test_a_refused_click_leaves_the_guest_and_the_next_makes_no_other(client: FlaskClient) -> None:
    host, visitor = somebody(client), client.application.test_client()
    full = host.create("me", "bot:random")["id"]
    fields = form(visitor, "/")
    assert visitor.post(f"/games/{full}/join", data=fields).status_code >= 400
    made = visitor.get("/v1/me").get_json()["id"]
    fields = form(visitor, "/")
    assert visitor.post(f"/games/{full}/join", data=fields).status_code >= 400
    play_now(visitor)
    assert visitor.get("/v1/me").get_json()["id"] == made


def test_unused_guests_are_erased_batch_after_batch(
    client: FlaskClient, environ: Environ, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guests, "BATCH", 2)
    monkeypatch.setattr(erasures, "GUESTS", 2)
    for _ in range(5):
        play_now(client.application.test_client())
    with connect(environ["DATABASE_URL"]) as connection:
        long_ago = "SET created = created - 30 * 86400000000::bigint"
        connection.execute(f"UPDATE players {long_ago} WHERE guest")
        connection.execute("UPDATE sessions SET created = 0, used = 0")
        run_duty(environ, erasures.EraseGuests)
        assert connection.execute("SELECT FROM players WHERE guest AND forgotten IS NULL").rowcount == 0
