"""Pages of other origins read and write with a token in a header; with a visitor's cookie they get nowhere."""

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.web.auth import CSRF_HEADER, SAFE_METHODS
from service.web.blueprints import ROUTES
from tests.support.service.players import answer, problem, somebody
from tests.support.service.shared_fixtures import client, environ

__all__ = ["client", "environ"]  # shared by the tests of this module
FOREIGN = {"Origin": "https://games.example", "Sec-Fetch-Site": "cross-site"}
FOR_OTHER_ORIGINS = {  # writes without an account, and why pages of other origins may send them
    "POST /oauth/token": "takes a code that is a secret of the program",
    "POST /oauth/revoke": "takes a token that is a secret of the program",
    "POST /oauth/device_authorization": "begins a login that only a player can allow",
    "POST /v1/analysis": "stores nothing",
    "POST /v1/verify": "stores nothing",
}
WITHOUT_ACCOUNT = sorted(
    f"{operation.method} {operation.rule}"
    for subject in ROUTES
    for operation in subject.operations
    if operation.method not in SAFE_METHODS and operation.reading.scope is None and not operation.reading.readers
)
ORIGIN, METHODS, HEADERS = "Access-Control-Allow-Origin", "Access-Control-Allow-Methods", "Access-Control-Allow-Headers"


def preflight(client: FlaskClient, path: str, method: str, headers: str = "") -> TestResponse:
    """Returns what a browser is told before it sends a request."""
    asked = {"Access-Control-Request-Method": method, "Access-Control-Request-Headers": headers}
    return client.options(path, headers={**FOREIGN, **asked})


@pytest.mark.parametrize(
    ("path", "method", "headers"),
    [
        ("/v1/games", "POST", "authorization,content-type,idempotency-key"),
        ("/v1/games/01a00000-0000-7000-8000-000000000001/events", "GET", "authorization, last-event-id"),
        ("/v1/me", "PATCH", "authorization,content-type"),
        ("/oauth/token", "POST", "content-type"),
        ("/oauth/revoke", "POST", ""),
        ("/oauth/device_authorization", "POST", ""),
        ("/log/checkpoint", "GET", "if-none-match"),
        ("/openapi.json", "GET", "accept-language"),
    ],
)
def test_a_browser_may_send_what_a_program_needs(client: FlaskClient, path: str, method: str, headers: str) -> None:
    told = preflight(client, path, method, headers)
    assert told.headers[ORIGIN] == "*"
    assert method in told.headers[METHODS].split(", ")
    assert {*headers.lower().replace(" ", "").split(",")} - {""} <= {*told.headers[HEADERS].lower().split(", ")}
    assert told.headers["Access-Control-Max-Age"] == "7200"


@pytest.mark.parametrize(
    ("path", "method", "headers"),
    [
        ("/v1/players", "POST", "content-type"),  # registers from the address of a visitor
        ("/v1/session", "POST", "content-type"),  # guesses passwords from there
        ("/oauth/authorize", "POST", "content-type"),  # consents
        ("/login", "POST", "content-type"),
        ("/account", "GET", ""),
        ("/", "GET", ""),
        ("/healthz", "GET", ""),
        ("/metrics", "GET", ""),
    ],
)
def test_a_browser_may_send_nothing_else(client: FlaskClient, path: str, method: str, headers: str) -> None:
    assert ORIGIN not in preflight(client, path, method, headers).headers


def test_no_answer_lets_cookies_along_nor_a_preflight_a_session(client: FlaskClient) -> None:
    told = preflight(client, "/v1/games", "POST", f"authorization,{CSRF_HEADER}")
    assert "Access-Control-Allow-Credentials" not in told.headers
    assert CSRF_HEADER.lower() not in told.headers[HEADERS].lower()


def test_scripts_read_answers_refusals_and_their_headers(client: FlaskClient) -> None:
    person = somebody(client)
    for found in (
        client.get("/v1/me", headers={"Authorization": f"Bearer {person.token}", **FOREIGN}),
        client.get("/v1/games", headers=FOREIGN),
        client.get("/v1/me", headers=FOREIGN),
        client.post("/oauth/token", data={"grant_type": "password"}, headers=FOREIGN),
    ):
        assert (found.headers[ORIGIN], found.headers["Access-Control-Expose-Headers"]) == ("*", "*")
        assert "Access-Control-Allow-Credentials" not in found.headers


def test_a_page_of_another_origin_writes_with_a_token_alone(client: FlaskClient) -> None:
    person = somebody(client)
    table = {"game": "spice_road", "seats": ["me", "open"]}
    answer(client.post("/v1/games", json=table, headers={"Authorization": f"Bearer {person.token}", **FOREIGN}), 201)
    for site in ("cross-site", "same-site"):
        refused = client.post("/v1/players", json={"name": "Somebody"}, headers={**FOREIGN, "Sec-Fetch-Site": site})
        assert answer(refused, 403)["reason"] == "cross_origin"
    answer(client.post("/v1/players", json={"name": "Of this origin"}, headers={"Sec-Fetch-Site": "same-origin"}), 201)


def test_writes_without_an_account_are_known() -> None:
    assert set(WITHOUT_ACCOUNT) >= FOR_OTHER_ORIGINS.keys()
    assert set(WITHOUT_ACCOUNT) - FOR_OTHER_ORIGINS.keys() == {
        "POST /v1/players",
        "POST /v1/recovery",
        "POST /v1/recovery/mail",
        "POST /v1/session",
        "POST /v1/session/second-factor",
    }


@pytest.mark.parametrize("route", [route for route in WITHOUT_ACCOUNT if route not in FOR_OTHER_ORIGINS])
def test_no_header_opens_a_write_without_account_to_others(client: FlaskClient, route: str) -> None:
    method, path = route.split(" ")
    token = somebody(client).token
    told = preflight(client, path, method, "authorization,content-type")
    assert {ORIGIN, METHODS, HEADERS} & {*told.headers.keys()} == set()
    for site in ("cross-site", "same-site"):
        for credential in ({}, *({"Authorization": given} for given in ("x", "Bearer x", f"Bearer {token}"))):
            sent = client.open(path, method=method, json={}, headers={"Sec-Fetch-Site": site, **credential})
            assert (problem(answer(sent, 403)), sent.get_json()["reason"]) == ("not_allowed", "cross_origin")


@pytest.mark.parametrize("route", [route for route in FOR_OTHER_ORIGINS if "/v1/" in route])
def test_what_stores_nothing_is_answered_with_any_token(client: FlaskClient, route: str) -> None:
    method, path = route.split(" ")
    assert preflight(client, path, method, "authorization,content-type").headers[ORIGIN] == "*"
    sent = client.open(path, method=method, json={}, headers={"Authorization": "Bearer x", **FOREIGN})
    assert sent.status_code != 403
    assert answer(client.open(path, method=method, json={}, headers=FOREIGN), 403)["reason"] == "cross_origin"


def test_an_answer_to_a_session_is_read_by_no_other_origin(client: FlaskClient) -> None:
    account = {"name": "At home", "password": "a long password"}
    answer(client.post("/v1/players", json=account), 201)
    answer(client.post("/v1/session", json=account), 201)
    mine = client.get("/v1/me", headers=FOREIGN)
    assert answer(mine, 200)["name"] == "At home"
    assert ORIGIN not in mine.headers
    table = {"game": "spice_road", "seats": ["me", "open"]}
    assert answer(client.post("/v1/games", json=table, headers=FOREIGN), 403)["reason"] == "cross_origin"
    client.delete_cookie("cabildo_session")
