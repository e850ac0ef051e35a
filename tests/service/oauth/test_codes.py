"""The authorisation code: a whole consent, and every way to misuse one."""

import logging
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final
from urllib.parse import urlencode

import pytest
from flask import Flask
from freezegun import freeze_time
from werkzeug.test import TestResponse

from tests.support.service.authenticators import LoggedInBrowser
from tests.support.service.oauth_programs import (
    LOOPBACK,
    PASSWORD,
    REDIRECT,
    AskingProgram,
    Consenter,
    error_of,
    query_of,
)
from tests.support.service.players import answer
from tests.support.service.shared_fixtures import app, environ

__all__ = ["app", "environ"]
LINK: Final = re.compile(r'href="([^"]+)"')


@pytest.fixture(scope="module")
def anna(app: Flask) -> Consenter:
    """A player whose password was given a moment ago, and who registered the program."""
    return Consenter(app)


@pytest.fixture(scope="module")
def client_id(anna: Consenter) -> str:
    """The id of a program."""
    return anna.register(REDIRECT, LOOPBACK)


@pytest.fixture
def program(app: Flask, client_id: str) -> AskingProgram:
    """The program, with a verifier and a state of its own."""
    return AskingProgram(app, client_id)


def granted(anna: Consenter, program: AskingProgram, **changes: str) -> dict[str, str]:
    """Returns the token of a whole consent."""
    code = program.code_from(anna.consent(program.asks(**changes)))
    return answer(program.exchange(code, redirect_uri=changes.get("redirect_uri", program.redirect)), 200)


def test_program_gets_a_token_of_the_service_by_consent(app: Flask, anna: Consenter) -> None:
    program = AskingProgram(app, anna.register(REDIRECT))  # nobody has consented to it
    page = anna.browser.client.get(f"/oauth/authorize?{urlencode(program.asks())}&resource=x&prompt=consent")
    words = page.get_data(as_text=True)
    assert page.status_code == 200
    assert "app.example" in words
    assert anna.person.name in words
    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
    assert "form-action 'self' https://app.example;" in page.headers["Content-Security-Policy"]
    sent_back = anna.consent(program.asks())
    assert sent_back.location is not None
    assert sent_back.location.startswith(f"{REDIRECT}?")
    assert query_of(sent_back)["iss"] == "http://127.0.0.1:8080"
    response = program.exchange(program.code_from(sent_back))
    token = answer(response, 200)
    assert response.headers["Cache-Control"] == "no-store"
    assert token["token_type"] == "Bearer"
    assert (token["scope"], token["expires_in"]) == ("read play", 3_600)
    me = answer(program.reads(token["access_token"]), 200)
    assert (me["id"], me["scopes"]) == (anna.person.id, ["play", "read"])
    listed = answer(anna.browser.ask("GET", "/v1/tokens"), 200)["tokens"]
    assert [one["scopes"] for one in listed if one["program"] == program.id] == [["read", "play"]]


def test_code_is_used_once_and_a_second_use_revokes_its_token(anna: Consenter, program: AskingProgram) -> None:
    code = program.code_from(anna.consent(program.asks()))
    token = answer(program.exchange(code), 200)
    assert error_of(program.exchange(code)) == "invalid_grant"
    assert program.reads(token["access_token"]).status_code == 401
    assert error_of(program.refresh(token["refresh_token"])) == "invalid_grant"


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"code_verifier": "x" * 43}, "invalid_grant"),
        ({"code_verifier": ""}, "invalid_request"),
        ({"redirect_uri": LOOPBACK}, "invalid_grant"),
        ({"redirect_uri": ""}, "invalid_grant"),
        ({"client_id": "cabildo-client"}, "invalid_grant"),
        ({"client_id": "nobody"}, "invalid_client"),
        ({"client_secret": "x"}, "invalid_client"),
        ({"code": 'x" y'}, "invalid_request"),
        ({"code": "é"}, "invalid_request"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
    ],
    ids=lambda value: "+".join(f"{k}={v[:8]}" for k, v in value.items()) if isinstance(value, dict) else value,
)
def test_code_is_worth_nothing_to_others(
    anna: Consenter, program: AskingProgram, changes: dict[str, str], error: str
) -> None:
    code = program.code_from(anna.consent(program.asks()))
    assert error_of(program.exchange(code, **changes)) == error


def test_code_lives_a_minute_and_ends_with_the_session(app: Flask, anna: Consenter, program: AskingProgram) -> None:
    code = program.code_from(anna.consent(program.asks()))
    with freeze_time(tick=True) as frozen:
        frozen.tick(61)
        assert error_of(program.exchange(code)) == "invalid_grant"
    other = Consenter(app)
    other.browser = LoggedInBrowser(app, other.person.name, PASSWORD)
    session = answer(other.browser.ask("GET", "/v1/session"), 200)
    other.csrf = session["csrf"]
    code = program.code_from(other.consent(program.asks()))
    assert other.browser.ask("DELETE", "/v1/session").status_code == 204
    assert error_of(program.exchange(code)) == "invalid_grant"


@pytest.mark.parametrize(
    "changes",
    [
        {"code_challenge_method": "plain"},
        {"code_challenge_method": ""},
        {"code_challenge": ""},
        {"code_challenge": "short"},
        {"state": ""},
        {"scope": "read admin"},
        {"scope": "everything"},
        {"response_type": "token"},
        {"response_type": 'co"de'},
        {"client_id": "nobody"},
        {"client_id": ""},
        {"redirect_uri": "https://evil.example/back"},
        {"redirect_uri": f"{REDIRECT}/more"},
        {"redirect_uri": f"{REDIRECT}?more=1"},
        {"redirect_uri": "https://app.example@evil.example/back"},
        {"redirect_uri": "http://127.0.0.1:1@evil.example/back"},
        {"redirect_uri": "http://127.0.0.1.evil.example/back"},
        {"redirect_uri": "javascript:alert(1)"},
        {"redirect_uri": ""},
    ],
    ids=lambda changes: "+".join(f"{name}={value}" for name, value in changes.items()),
)
def test_wrong_request_sends_the_browser_nowhere(
    anna: Consenter, program: AskingProgram, changes: dict[str, str]
) -> None:
    for response in (
        anna.browser.client.get(f"/oauth/authorize?{urlencode(program.asks(**changes))}"),
        anna.consent(program.asks(**changes)),
    ):
        assert response.status_code == 400
        assert "Location" not in response.headers
        links = LINK.findall(response.get_data(as_text=True))
        assert not [link for link in links if "evil" in link or "javascript" in link]
        to_program = changes.keys() & {"state", "scope", "code_challenge", "code_challenge_method"}
        if to_program or changes.get("response_type") == "token":
            assert [link for link in links if link.startswith(f"{REDIRECT}?error=")]
        else:
            assert not [link for link in links if "app.example" in link]


def test_repeated_parameter_is_refused(anna: Consenter, program: AskingProgram) -> None:
    twice = f"{urlencode(program.asks())}&redirect_uri=https%3A%2F%2Fevil.example"
    assert anna.browser.client.get(f"/oauth/authorize?{twice}").status_code == 422
    form = {**program.asks(), "csrf": anna.csrf, "answer": "allow"}
    twice = f"{urlencode(form)}&scope=host"
    sent = anna.browser.client.post("/oauth/authorize", data=twice, content_type="application/x-www-form-urlencoded")
    assert sent.status_code == 400


def test_loopback_takes_any_port(anna: Consenter, program: AskingProgram) -> None:
    program.redirect = "http://127.0.0.1:49152/back"
    assert granted(anna, program)["scope"] == "read play"
    for other in ("http://127.0.0.1:49152/other", "http://localhost:49152/back", "https://127.0.0.1:49152/back"):
        assert anna.consent(program.asks(redirect_uri=other)).status_code == 400


def test_consent_is_not_given_by_another_site_or_without_the_password(
    app: Flask, anna: Consenter, program: AskingProgram
) -> None:
    forged = anna.browser.client.post("/oauth/authorize", data={**program.asks(), "answer": "allow"})
    assert forged.status_code == 403
    assert "Location" not in forged.headers
    with freeze_time(tick=True) as frozen:
        frozen.tick(11 * 60)
        assert anna.consent(program.asks()).status_code == 403
        given = anna.post("/oauth/authorize", **program.asks(), answer="allow", present="wrong wrong")
        assert given.status_code == 401
        assert anna.consent(program.asks(), allow="deny").status_code == 303
    stranger = app.test_client().get(f"/oauth/authorize?{urlencode(program.asks())}")
    assert (stranger.location or "").startswith("/login?next=%2Foauth%2Fauthorize")


def test_denied_program_learns_it_and_gets_nothing(anna: Consenter, program: AskingProgram) -> None:
    given = query_of(anna.consent(program.asks(), allow="deny"))
    assert (given["error"], given["state"]) == ("access_denied", program.state)
    assert "code" not in given
    assert query_of(anna.consent(program.asks(), allow=""))["error"] == "access_denied"


def test_refresh_token_is_used_once_and_a_second_use_ends_all(anna: Consenter, program: AskingProgram) -> None:
    first = granted(anna, program)
    second = answer(program.refresh(first["refresh_token"]), 200)
    assert program.reads(first["access_token"]).status_code == 401
    assert program.reads(second["access_token"]).status_code == 200
    assert error_of(program.refresh(second["refresh_token"], scope="read host")) == "invalid_scope"
    narrowed = answer(program.refresh(second["refresh_token"], scope="read"), 200)
    assert narrowed["scope"] == "read"
    assert error_of(program.refresh(first["refresh_token"])) == "invalid_grant"
    assert program.reads(narrowed["access_token"]).status_code == 401
    assert error_of(program.refresh(narrowed["refresh_token"])) == "invalid_grant"


def test_refresh_token_belongs_to_its_program_and_ends_after_a_month(anna: Consenter, program: AskingProgram) -> None:
    token = granted(anna, program)
    assert error_of(program.refresh(token["refresh_token"], client_id="cabildo-client")) == "invalid_grant"
    for forged in ("cabr_", "cabr_x.y", token["access_token"], "x" * 900):
        assert error_of(program.refresh(forged)) == "invalid_grant"
    with freeze_time(tick=True) as frozen:
        frozen.tick(3_601)
        assert program.reads(token["access_token"]).status_code == 401
        renewed = answer(program.refresh(token["refresh_token"]), 200)
        frozen.tick(31 * 86_400)
        assert error_of(program.refresh(renewed["refresh_token"])) == "invalid_grant"


def test_program_revokes_its_token_alone(anna: Consenter, program: AskingProgram) -> None:
    kept, ended = granted(anna, program), granted(anna, program)
    assert error_of(program.post("/oauth/revoke", token=ended["refresh_token"], client_id="cabildo-client")) == (
        "invalid_grant"
    )
    for token in (anna.person.token, "unknown", ended["refresh_token"]):
        assert answer(program.post("/oauth/revoke", token=token, token_type_hint="other"), 200) == {}
    assert anna.person.ask("GET", "/v1/me").status_code == 200
    assert program.reads(ended["access_token"]).status_code == 401
    assert program.reads(kept["access_token"]).status_code == 200
    assert program.post("/oauth/revoke", token=kept["access_token"]).status_code == 200
    assert error_of(program.refresh(kept["refresh_token"])) == "invalid_grant"


def test_endpoints_take_forms_alone_and_keep_secrets_out_of_addresses(program: AskingProgram) -> None:
    for status, sent in (
        (415, program.client.post("/oauth/token", json={"grant_type": "refresh_token"})),
        (422, program.client.post("/oauth/token?code=x", data={"client_id": program.id})),
        (413, program.post("/oauth/token", code="x" * 20_000)),
    ):
        told = answer(sent, status)  # a problem, and an error of OAuth
        assert (told["status"], told["error"]) == (status, "invalid_request")
    assert program.client.get("/oauth/token").status_code == 405


def test_no_secret_is_logged(anna: Consenter, program: AskingProgram, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        code = program.code_from(anna.consent(program.asks()))
        token = answer(program.exchange(code), 200)
        renewed = answer(program.refresh(token["refresh_token"]), 200)
    told = "".join(record.getMessage() for record in caplog.records)
    for secret in (code, token["access_token"], token["refresh_token"], renewed["access_token"], program.verifier):
        assert secret not in told


def test_metadata_names_what_there_is(app: Flask) -> None:
    told = answer(app.test_client().get("/.well-known/oauth-authorization-server"), 200)
    assert told["code_challenge_methods_supported"] == ["S256"]
    paths = {rule.rule for rule in app.url_map.iter_rules()}
    assert {told[name].removeprefix(told["issuer"]) for name in told if name.endswith("_endpoint")} <= paths


def test_what_nobody_was_given_ends_no_rights(
    app: Flask, anna: Consenter, program: AskingProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = granted(anna, program)
    code = program.code_from(anna.consent(program.asks()))
    assert program.exchange(code).status_code == 200
    ended: list[object] = []
    monkeypatch.setattr(app.extensions["cabildo"].announcer, "announce", ended.append)
    for invented in ("x", "cabr_x.y", "cabr_" + "x" * 300):
        assert error_of(program.refresh(invented)) == "invalid_grant"
        assert error_of(program.exchange(invented)) == "invalid_grant"
    assert ended == []
    assert error_of(program.exchange(code)) == "invalid_grant"
    family = token["refresh_token"].partition(".")[0]
    assert error_of(program.refresh(f"{family}.other")) == "invalid_grant"
    assert len(ended) == 2
    assert program.reads(token["access_token"]).status_code == 401


def test_requests_at_once_get_one_token(app: Flask, anna: Consenter, program: AskingProgram) -> None:
    login = answer(program.post("/oauth/device_authorization", scope="read"), 200)
    form = {"user_code": login["user_code"], "answer": "allow"}
    refreshed = granted(anna, program)["refresh_token"]
    code = program.code_from(anna.consent(program.asks()))

    def at_once(send: Callable[[AskingProgram], TestResponse]) -> list[TestResponse]:
        with ThreadPoolExecutor(4) as threads:
            return [*threads.map(lambda _: send(another(app, program)), range(4))]

    assert [sent.status_code for sent in at_once(lambda _: anna.post("/oauth/device/answer", **form))].count(200) == 1
    for send in (
        lambda one: one.poll(login["device_code"]),
        lambda one: one.refresh(refreshed),
        lambda one: one.exchange(code),
    ):
        got = [sent.get_json() for sent in at_once(send) if sent.status_code == 200]
        assert len(got) <= 1


def another(app: Flask, program: AskingProgram) -> AskingProgram:
    """The same program, over a connection of its own."""
    same = AskingProgram(app, program.id)
    same.verifier = program.verifier
    return same
