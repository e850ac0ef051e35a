"""Accounts, tokens and sessions over HTTP."""

from typing import Any

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient
from freezegun import freeze_time
from psycopg import sql
from werkzeug.test import TestResponse

from projections.verify.bundle import PASSED, verify
from service.core.clock import SECOND
from service.players.passwords import HASH_OF_NO_PLAYER, needs_new_hash
from service.web.auth import CACHE_SECONDS, SESSION_COOKIE
from tests.support.databases import updates_of
from tests.support.service.players import Person, answer, problem, running, somebody, two_at_a_table


def test_registering_answers_the_player_and_a_token(client: FlaskClient) -> None:
    registered = answer(client.post("/v1/players", json={"name": "  Anna   Jónsdóttir "}), 201)
    assert registered["player"]["name"] == "Anna Jónsdóttir"
    assert registered["token"].startswith("cab_")
    assert not registered["player"]["bot"]


def test_names_are_unique_without_regard_to_case(client: FlaskClient) -> None:
    Person(client, "Björk")
    taken = answer(client.post("/v1/players", json={"name": "BJÖRK"}), 409)
    assert problem(taken) == "name_taken"


@pytest.mark.parametrize("name", ["   ", "x" * 41, "a\u200bb", "tab\u0007"])
def test_what_cannot_be_seen_is_no_name(client: FlaskClient, name: str) -> None:
    assert problem(answer(client.post("/v1/players", json={"name": name}), 422)) == "bad_name"


def test_a_name_can_be_changed_and_is_free_again(client: FlaskClient) -> None:
    anna = Person(client, "Anna")
    assert answer(anna.ask("PATCH", "/v1/me", {"name": "Hanna"}), 200)["name"] == "Hanna"
    assert answer(client.get(f"/v1/players/{anna.id}"), 200)["name"] == "Hanna"
    Person(client, "anna")


def test_a_forgotten_player_leaves_an_id_and_nothing_else(app: Flask, client: FlaskClient) -> None:
    anna = Person(client, "Anna", password="over the hills")
    anna.post("/v1/bots", {"name": "Annabot", "engine": "greedy 2"})
    assert Browser(app, "Anna", "over the hills").ask("DELETE", "/v1/me").status_code == 204
    profile = answer(client.get(f"/v1/players/{anna.id}"), 200)
    assert (profile["name"], profile["engine"]) == (None, None)
    assert anna.ask("GET", "/v1/me").status_code == 401
    assert client.post("/v1/session", json={"name": "Anna", "password": "over the hills"}).status_code == 401
    assert problem(answer(client.post("/v1/players", json={"name": "Annabot"}), 409)) == "name_taken"


def everything(database: str) -> str:
    """All that stands in a database, as text."""
    with psycopg.connect(database) as connection:
        found = connection.execute("SELECT schemaname, relname FROM pg_stat_user_tables").fetchall()
        tables = [sql.SQL("SELECT * FROM {}").format(sql.Identifier(*names)) for names in found]
        return "".join(repr(connection.execute(table).fetchall()) for table in tables)


def test_erasing_a_person_removes_the_name_and_keeps_every_chain(
    app: Flask, client: FlaskClient, database: str
) -> None:
    anna, birgir = Person(client, "Anna of Hafnarfjord", password="over the hills"), somebody(client)
    game = anna.create("me", "open", leaver="forfeit")["id"]
    birgir.join(game)
    anna.post(f"/v1/games/{game}/resign")
    assert anna.name in everything(database)
    assert Browser(app, anna.name, "over the hills").ask("DELETE", "/v1/me").status_code == 204
    assert "hafnarfjord" not in everything(database).lower()
    report = verify(client.get(f"/v1/games/{game}/bundle").data, None)
    assert report.failure is None
    assert {answer.code for answer in report.answers if answer.status == PASSED} >= {"V2", "V7", "V8"}
    seats = answer(client.get(f"/v1/games/{game}"), 200)["seats"]
    assert {"id": anna.id, "name": None} in [seat["player"] for seat in seats]


def test_who_is_not_known_is_not_there(client: FlaskClient) -> None:
    unknown = client.get("/v1/players/00000000-0000-4000-8000-000000000001")
    assert problem(answer(unknown, 404)) == "not_there"


def test_without_a_token_nothing_is_done(client: FlaskClient) -> None:
    refused = client.post("/v1/games", json={"game": "spice_road", "seats": ["me", "open"]})
    assert problem(answer(refused, 401)) == "unauthenticated"
    assert refused.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize("header", ["cab_nonsense", "Bearer cab_nonsense", "Basic Zm9vOmJhcg=="])
def test_a_false_token_is_refused(client: FlaskClient, header: str) -> None:
    assert client.get("/v1/me", headers={"Authorization": header}).status_code == 401


def test_a_token_can_do_no_more_than_its_scopes(client: FlaskClient) -> None:
    anna = somebody(client)
    reading = anna.post("/v1/tokens", {"label": "viewer", "scopes": ["read"]})
    anna.token = reading["token"]
    assert answer(anna.ask("GET", "/v1/me"), 200)["id"] == anna.id
    assert client.get("/v1/me", headers={"Authorization": f"bearer {anna.token}"}).status_code == 200
    refused = anna.create("me", "open", status=403)
    assert (problem(refused), refused["scope"]) == ("scope_missing", "play")
    assert anna.post("/v1/tokens", {"scopes": ["play"]}, 403)["scope"] == "play"


def test_a_token_makes_and_revokes_only_lesser_tokens(client: FlaskClient) -> None:
    anna = somebody(client)
    playing = anna.post("/v1/tokens", {"scopes": ["read", "play"]})
    reading = anna.post("/v1/tokens", {"scopes": ["read"], "seconds": 60})
    anna.token = reading["token"]
    for wish in ({}, {"seconds": 3600}):
        assert anna.post("/v1/tokens", {"scopes": ["read"], **wish})["expires"] == reading["expires"]
    refused = answer(anna.ask("DELETE", f"/v1/tokens/{playing['id']}"), 403)
    assert (problem(refused), refused["scope"]) == ("scope_missing", "play")
    assert anna.ask("DELETE", f"/v1/tokens/{reading['id']}").status_code == 204  # a token may always end itself


def test_nobody_makes_a_token_with_more_rights_than_their_own(client: FlaskClient) -> None:
    assert somebody(client).post("/v1/tokens", {"scopes": ["admin"]}, 403)["scope"] == "admin"


def test_tokens_are_listed_without_their_secrets(client: FlaskClient) -> None:
    anna = somebody(client)
    made = anna.post("/v1/tokens", {"label": "bot", "scopes": ["read", "play"], "seconds": 3600})
    listed = answer(anna.ask("GET", "/v1/tokens"), 200)["tokens"]
    assert [token["label"] for token in listed] == ["first", "bot"]
    assert listed[1]["id"] == made["id"]
    assert listed[0]["used"] is not None
    assert "token" not in listed[1]


def test_only_the_hash_of_a_token_is_kept(client: FlaskClient, database: str) -> None:
    anna = somebody(client)
    with psycopg.connect(database) as connection:
        kept = str(connection.execute("SELECT * FROM tokens").fetchall())
    assert anna.token not in kept
    assert anna.token.removeprefix("cab_") not in kept


def test_a_revoked_token_is_worth_nothing_at_once(client: FlaskClient) -> None:
    anna = somebody(client)
    made = anna.post("/v1/tokens", {"scopes": ["read"]})
    other = {"Authorization": f"Bearer {made['token']}"}
    assert client.get("/v1/me", headers=other).status_code == 200
    assert anna.ask("DELETE", f"/v1/tokens/{made['id']}").status_code == 204
    assert client.get("/v1/me", headers=other).status_code == 401
    assert anna.ask("DELETE", f"/v1/tokens/{made['id']}").status_code == 404


def test_a_token_revoked_elsewhere_lives_on_for_two_seconds_at_most(client: FlaskClient, database: str) -> None:
    with freeze_time("2026-11-18 12:00:00") as clock:
        anna = somebody(client)
        anna.ask("GET", "/v1/me")
        with psycopg.connect(database, autocommit=True) as another_process:
            another_process.execute("DELETE FROM tokens")
        clock.tick(CACHE_SECONDS / SECOND)
        assert anna.ask("GET", "/v1/me").status_code == 401


def test_a_token_ends_when_it_said_it_would(client: FlaskClient) -> None:
    with freeze_time("2026-11-18 12:00:00") as clock:
        anna = somebody(client)
        short = anna.post("/v1/tokens", {"scopes": ["read"], "seconds": 60})
        assert short["expires"] == "2026-11-18T12:01:00.000000Z"
        headers = {"Authorization": f"Bearer {short['token']}"}
        assert client.get("/v1/me", headers=headers).status_code == 200
        clock.tick(60)
        assert client.get("/v1/me", headers=headers).status_code == 401


def test_a_bot_has_an_owner_and_an_engine_and_owns_nothing(client: FlaskClient) -> None:
    anna = somebody(client)
    made = anna.post("/v1/bots", {"name": "Deep Corn", "engine": "deep corn 0.3"})
    assert made["player"]["bot"]
    assert (made["player"]["owner"], made["player"]["engine"]) == (anna.id, "deep corn 0.3")
    assert [bot["name"] for bot in answer(anna.ask("GET", "/v1/bots"), 200)["players"]] == ["Deep Corn"]
    path, wish = f"/v1/bots/{made['player']['id']}/tokens", {"label": "another", "scopes": ["read", "play"]}
    assert problem(somebody(client).post(path, wish, 404)) == "not_there"
    another = {"Authorization": f"Bearer {anna.post(path, wish)['token']}"}
    assert answer(client.get("/v1/me", headers=another), 200)["name"] == "Deep Corn"
    anna.token = made["token"]
    assert anna.post("/v1/bots", {"name": "Deeper", "engine": "x"}, 403)["reason"] == "bots_own_nothing"
    assert answer(anna.ask("PATCH", "/v1/me", {"engine": "deep corn 0.4"}), 200)["engine"] == "deep corn 0.4"


class Browser:
    """A browser at the login page."""

    def __init__(self, app: Flask, name: str, password: str) -> None:
        self.client = app.test_client()
        self.response = self.client.post("/v1/session", json={"name": name, "password": password})

    @property
    def csrf(self) -> str:
        return str(answer(self.response, 201)["csrf"])

    def ask(self, method: str, path: str, body: Any = None) -> TestResponse:
        """Sends a request of a page."""
        return self.client.open(path, method=method, json=body, headers={"X-CSRF-Token": self.csrf})


def test_a_session_is_a_cookie_that_no_script_and_no_other_site_can_use(app: Flask, client: FlaskClient) -> None:
    anna = Person(client, "Anna", password="over the hills")
    browser = Browser(app, "ANNA", "over the hills")
    cookie = browser.response.headers["Set-Cookie"]
    assert cookie.startswith(SESSION_COOKIE)
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert browser.client.get("/v1/me").get_json()["id"] == anna.id
    game: dict[str, Any] = {"game": "spice_road", "seats": ["me", "open"]}
    refused = answer(browser.client.post("/v1/games", json=game), 403)
    assert refused["reason"] == "csrf"
    answer(browser.client.post("/v1/games", json=game, headers={"X-CSRF-Token": browser.csrf}), 201)


def test_logging_out_ends_the_session(app: Flask, client: FlaskClient) -> None:
    Person(client, "Anna", password="over the hills")
    browser = Browser(app, "Anna", "over the hills")
    kept = browser.client.get_cookie(SESSION_COOKIE)
    assert kept is not None
    gone = browser.client.delete("/v1/session", headers={"X-CSRF-Token": browser.csrf})
    assert gone.status_code == 204
    browser.client.set_cookie(SESSION_COOKIE, kept.value)
    assert browser.client.get("/v1/me").status_code == 401


@pytest.mark.parametrize(("name", "password"), [("Anna", "wrong hills!"), ("Nobody", "over the hills")])
def test_a_login_does_not_tell_whether_the_name_or_the_password_is_wrong(
    app: Flask, client: FlaskClient, name: str, password: str
) -> None:
    Person(client, "Anna", password="over the hills")
    Person(client, "Birgir")
    refused = answer(Browser(app, name, password).response, 401)
    assert refused["detail"] == "name or password is wrong"
    assert Browser(app, "Birgir", password).response.status_code == 401


def test_an_unknown_name_costs_as_much_as_a_known_one() -> None:
    assert not needs_new_hash(HASH_OF_NO_PLAYER)


def test_how_often_a_host_aborts_after_the_deal_is_for_everybody(client: FlaskClient) -> None:
    host = Person(client, "Anna")
    for then in ("play", "cancel", "abort"):
        game = host.create("me", "open" if then == "cancel" else "bot:random")["id"]
        if then != "play":
            host.post(f"/v1/games/{game}/abort")
    shown = client.get(f"/v1/players/{host.id}").get_json()["hosted"]
    assert shown == {"games": 3, "aborted": 1}


def test_what_no_database_can_keep_is_no_text(client: FlaskClient) -> None:
    anna = somebody(client)
    for path, body in (("/v1/tokens", {"label": "a\0b"}), ("/v1/bots", {"name": "Deep Thought", "engine": "a\0b"})):
        assert problem(anna.post(path, body, 422)) == "invalid_request"


def test_an_abort_counts_to_the_player_who_made_it(client: FlaskClient) -> None:
    host, guest = somebody(client), somebody(client)

    def counted(person: Person) -> tuple[int, int, int]:
        told = client.get(f"/v1/players/{person.id}").get_json()
        return told["hosted"]["games"], told["hosted"]["aborted"], told["aborted"]

    def game() -> str:
        id: str = host.create("me", "open")["id"]
        guest.join(id)
        return id

    guest.post(f"/v1/games/{game()}/abort")
    assert (counted(host), counted(guest)) == ((1, 0, 0), (0, 0, 1))
    host.post(f"/v1/games/{game()}/abort")
    assert (counted(host), counted(guest)) == ((2, 1, 1), (0, 0, 1))
    host.post(f"/v1/games/{host.create('me', 'open')['id']}/abort")  # before a player joined: no deal was seen
    assert counted(host) == (3, 1, 1)


def test_an_agreed_abort_counts_to_the_player_who_proposed_it(client: FlaskClient) -> None:
    game, first, second = two_at_a_table(client)
    for move in ("play create_2", "buy 1"):
        for person in (first, second):
            person.move(game, move)
    first.post(f"/v1/games/{game}/abort")
    second.post(f"/v1/games/{game}/offer", {"agrees": True})
    aborted = [client.get(f"/v1/players/{person.id}").get_json()["aborted"] for person in (first, second)]
    assert aborted == [1, 0]


def test_the_migration_counts_earlier_aborts_to_the_same_players(app: Flask, client: FlaskClient) -> None:
    game, (_, second) = running(client, "Carla", "David")
    second.post(f"/v1/games/{game}/abort")
    agreed, (one, other) = running(client, "Eva", "Frida")
    for person in (one, other):
        person.move(agreed, "play create_2")
    other.post(f"/v1/games/{agreed}/abort")
    one.post(f"/v1/games/{agreed}/offer", {"agrees": True})
    with app.extensions["cabildo"].stores.pool.connection() as connection:
        connection.execute("UPDATE games SET aborted_by = NULL")
        for statement in updates_of("service/core/schema/0013_aborted_by.sql"):
            connection.execute(statement)
        by = dict(connection.execute("SELECT id::text, aborted_by FROM games WHERE status = 'aborted'").fetchall())
    assert by == {game: second.id, agreed: other.id}
