"""Programs: who registers them, what their tokens may do, and what ends with them."""

from typing import Any

import psycopg
import pytest
from flask import Flask
from freezegun import freeze_time

from service.oauth.program_tokens import MOST_TOKENS
from tests.service.conftest import Environ
from tests.support.service.oauth_programs import PASSWORD, REDIRECT, AskingProgram, Consenter, error_of
from tests.support.service.players import answer, problem
from tests.support.service.shared_fixtures import app, environ

__all__ = ["app", "environ"]


@pytest.fixture(scope="module")
def anna(app: Flask) -> Consenter:
    """A player whose password was given a moment ago."""
    return Consenter(app)


def consented(app: Flask, anna: Consenter, maker: Consenter, scope: str = "read play host") -> tuple[Any, str]:
    """Returns a program of a maker and its access token for a player."""
    program = AskingProgram(app, maker.register(REDIRECT))
    code = program.code_from(anna.consent(program.asks(scope=scope)))
    return program, answer(program.exchange(code), 200)["access_token"]


def programs_of(maker: Consenter) -> list[dict[str, Any]]:
    """Returns the programs that somebody registered."""
    told: list[dict[str, Any]] = answer(maker.browser.ask("GET", "/v1/programs"), 200)["programs"]
    return told


@pytest.mark.parametrize(
    "body",
    [
        {"name": "x", "redirects": ["http://evil.example/back"]},
        {"name": "x", "redirects": ["javascript:alert(1)"]},
        {"name": "x", "redirects": ["https://a.example/#part"]},
        {"name": "x", "redirects": ["https://user@a.example/"]},
        {"name": "x", "redirects": ["https:///back"]},
        {"name": "x", "redirects": ["https://a.example/back\\@b"]},
        {"name": "x", "redirects": ["https://a.example:port/"]},
        {"name": "x", "redirects": ["https://a.example;sandbox/"]},  # would end up in a security policy
        {"name": "x", "redirects": ["https://*.example/"]},
        {"name": "x", "redirects": ["https://'none'/"]},
        {"name": "x", "redirects": ["https://a.example/", "https://a.example/"]},
        {"name": "x", "redirects": [f"https://a.example/{number}" for number in range(11)]},
        {"name": "x", "site": "javascript:alert(1)"},
        {"name": ""},
        {"name": "Cabildo"},
        {"redirects": []},
    ],
    ids=str,
)
def test_wrong_registrations(app: Flask, anna: Consenter, body: dict[str, Any]) -> None:
    before = programs_of(anna)
    assert anna.browser.ask("POST", "/v1/programs", body).status_code in (409, 422)
    assert programs_of(anna) == before


def test_programs_are_registered_and_removed_on_their_page(anna: Consenter) -> None:
    sent = {
        "name": " My  board ",
        "redirects": f"{REDIRECT}\r\ncom.example.app:/back\r\n",
        "site": "https://a.example/",
    }
    before = programs_of(anna)
    assert anna.post("/programs", **sent).status_code == 303
    (program,) = [one for one in programs_of(anna) if one not in before]
    assert (program["name"], program["redirects"]) == ("My board", [REDIRECT, "com.example.app:/back"])
    assert program["client_id"] in anna.browser.client.get("/programs").get_data(as_text=True)
    wrong = anna.post("/programs", name="Other", redirects="http://evil.example/")
    assert wrong.status_code == 422
    assert "http://evil.example/" in wrong.get_data(as_text=True)  # stays in the form
    assert anna.post(f"/programs/{program['client_id']}/removal").status_code == 303
    assert programs_of(anna) == before


def test_a_browser_registers_programs_and_removes_its_own(app: Flask, anna: Consenter) -> None:
    assert anna.person.ask("POST", "/v1/programs", {"name": "x"}).status_code == 403
    program = anna.register(REDIRECT)
    other = Consenter(app)
    assert other.browser.ask("DELETE", f"/v1/programs/{program}").status_code == 404
    assert other.post(f"/programs/{program}/removal").status_code == 404
    assert anna.browser.ask("DELETE", "/v1/programs/cabildo-client").status_code == 404


def test_an_account_registers_so_many_programs(app: Flask) -> None:
    maker = Consenter(app)
    for number in range(20):
        maker.register(name=f"Program {number}")
    refused = answer(maker.browser.ask("POST", "/v1/programs", {"name": "one more"}), 422)
    assert problem(refused) == "quota_reached"


def test_player_revokes_a_program_with_all_that_it_made(app: Flask, anna: Consenter) -> None:
    program, access = consented(app, anna, Consenter(app))
    _, kept = consented(app, anna, Consenter(app))
    headers = {"Authorization": f"Bearer {access}"}

    def made(path: str, body: dict[str, Any]) -> dict[str, Any]:
        return answer(app.test_client().post(path, json=body, headers=headers), 201)

    child = made("/v1/tokens", {"scopes": ["read"]})["token"]
    grandchild = answer(
        app.test_client().post("/v1/tokens", json={"scopes": ["read"]}, headers={"Authorization": f"Bearer {child}"}),
        201,
    )["token"]
    bot = made("/v1/bots", {"name": f"{anna.person.name} bot", "engine": "x"})["token"]
    made("/v1/webhooks", {"url": "https://93.184.215.14/hook"})
    section = anna.browser.client.get("/account").get_data(as_text=True)
    assert f"/account/programs/{program.id}/revoke" in section
    waiting = program.code_from(anna.consent(program.asks()))
    assert anna.post(f"/account/programs/{program.id}/revoke").status_code == 303
    for ended in (access, child, grandchild, bot):
        assert program.reads(ended).status_code == 401
    assert error_of(program.exchange(waiting)) == "invalid_grant"
    assert program.reads(kept).status_code == 200
    assert anna.person.ask("GET", "/v1/webhooks").get_json() == {"webhooks": []}


def test_token_of_a_program_is_no_owner(app: Flask, anna: Consenter) -> None:
    program, access = consented(app, anna, anna, scope="read play annotate host")
    headers = {"Authorization": f"Bearer {access}"}
    client = app.test_client()
    for method, path, body in (
        ("DELETE", "/v1/me", None),
        ("PATCH", "/v1/me", {"password": "something else"}),
        ("PATCH", "/v1/me", {"name": "Somebody else"}),
        ("PUT", "/v1/me/key", {"key": "00" * 32, "proof": "00" * 64}),
        ("DELETE", "/v1/me/key", None),
        ("POST", "/v1/programs", {"name": "x"}),
        ("POST", "/v1/tokens", {"scopes": ["admin"]}),
    ):
        assert client.open(path, method=method, json=body, headers=headers).status_code == 403
    assert program.reads(access).status_code == 200


def test_removed_program_and_blocked_maker_end_what_was_allowed(app: Flask, anna: Consenter, environ: Environ) -> None:
    maker = Consenter(app)
    program, access = consented(app, anna, maker)
    own = answer(program.exchange(program.code_from(maker.consent(program.asks()))), 200)["access_token"]
    with psycopg.connect(environ["DATABASE_URL"], autocommit=True) as database:
        block = "INSERT INTO blocks (player, since, until, reason, by) VALUES (%s, 0, %s, 'x', 'operator')"
        database.execute(block, (maker.person.id, 2**53))
        assert anna.consent(program.asks()).status_code == 400
        app.extensions["cabildo"].authenticator.forget()
        assert program.reads(access).status_code == 401  # while the block lasts
        assert program.reads(own).status_code == 200
        database.execute("DELETE FROM blocks WHERE player = %s", (maker.person.id,))
    assert program.reads(access).status_code == 200
    assert maker.browser.ask("DELETE", f"/v1/programs/{program.id}").status_code == 204
    assert program.reads(access).status_code == 401
    assert anna.consent(program.asks()).status_code == 400


def test_new_password_ends_programs_when_asked_to(app: Flask) -> None:
    player = Consenter(app)
    program, access = consented(app, player, player)
    player.post("/account/password", present=PASSWORD, password="and far away", revoke_tokens="1")
    assert program.reads(access).status_code == 401


def test_a_program_holds_so_many_tokens_of_a_player(app: Flask, anna: Consenter) -> None:
    program = AskingProgram(app, anna.register(REDIRECT))
    with freeze_time(tick=True) as frozen:
        tokens = []
        for _ in range(MOST_TOKENS + 1):
            frozen.tick(1)
            code = program.code_from(anna.consent(program.asks()))
            tokens.append(answer(program.exchange(code), 200)["access_token"])
        assert program.reads(tokens[0]).status_code == 401
        assert program.reads(tokens[1]).status_code == 200


def test_token_of_a_program_revokes_what_it_issued_and_nothing_else(app: Flask) -> None:
    anna, maker = Consenter(app), Consenter(app)
    program, token = consented(app, anna, maker)
    _, of_other = consented(app, anna, maker)
    bearer = {"Authorization": f"Bearer {token}"}
    own = answer(program.client.post("/v1/tokens", json={"label": "x", "scopes": ["read"]}, headers=bearer), 201)
    listed = answer(anna.browser.ask("GET", "/v1/tokens"), 200)["tokens"]
    others = [one["id"] for one in listed if one["program"] != program.id]
    assert len(others) == 2  # the first token of the account, and that of the other program
    for id in others:
        refused = program.client.delete(f"/v1/tokens/{id}", headers=bearer)
        assert problem(answer(refused, 403)) == "not_allowed"
    assert program.reads(of_other).status_code == 200
    assert anna.person.ask("GET", "/v1/me").status_code == 200
    assert program.client.delete(f"/v1/tokens/{own['id']}", headers=bearer).status_code == 204
    listed = answer(anna.browser.ask("GET", "/v1/tokens"), 200)["tokens"]
    (itself,) = [one["id"] for one in listed if one["program"] == program.id]
    assert program.client.delete(f"/v1/tokens/{itself}", headers=bearer).status_code == 204
    assert program.reads(token).status_code == 401


def test_expired_tokens_take_no_places(app: Flask, environ: Environ) -> None:
    anna, maker = Consenter(app), Consenter(app)
    expired = """
    INSERT INTO tokens (id, player, hash, label, scopes, created, expires)
    SELECT gen_random_uuid(), %s, sha256(convert_to(%s || number, 'UTF8')), 'x', '{read}', 0, 1
    FROM generate_series(1, 100) AS number
    """
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        database.execute(expired, (anna.person.id, anna.person.id))
    program, access = consented(app, anna, maker)
    assert program.reads(access).status_code == 200
