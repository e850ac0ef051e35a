"""What a program may change of an account: what ends with its token, or what the player sees and can change back."""

from typing import Any, Final
from uuid import uuid4

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask import Flask

from projections.games.signed_moves import key_statement
from service.web.auth import SAFE_METHODS
from service.web.blueprints import ROUTES
from tests.support.service.oauth_programs import REDIRECT, AskingProgram, Consenter
from tests.support.service.players import answer, problem
from tests.support.service.shared_fixtures import app, environ

__all__ = ["app", "environ"]
ACCOUNT: Final = ("/v1/me", "/v1/session", "/v1/token", "/v1/bots", "/v1/programs", "/v1/webhooks")
UNKNOWN: Final = str(uuid4())
MAY: Final = {  # changes of the account by a program, and why it may
    "DELETE /v1/me/vacation": "the page of the account shows it",
    "DELETE /v1/session": "it ends no session",
    "DELETE /v1/tokens/<uuid:token>": "its own token and those that it issued alone",
    "DELETE /v1/webhooks/<uuid:hook>": "it can make none that stays",
    "PATCH /v1/me": "engine and manifest of a bot",
    "PATCH /v1/me/settings": "the page of the settings shows them",
    "POST /v1/bots": "its token ends with the program's",
    "POST /v1/bots/<uuid:bot>/tokens": "ends with the program's",
    "POST /v1/tokens": "ends with the program's",
    "POST /v1/webhooks": "ends with the program's token",
    "POST /v1/webhooks/<uuid:hook>/on": "the page of webhooks shows it",
    "POST /v1/webhooks/<uuid:hook>/test": "changes nothing",
    "PUT /v1/me/talk": "only hides what others say, until the player hears them again",
    "PUT /v1/me/vacation": "the page of the account shows it, and other players do",
}
BODIES: Final[dict[str, Any]] = {
    "POST /v1/session/confirmation": {"password": "over the hills"},
    "POST /v1/me/second-factor/confirmation": {"code": "123456"},
    "POST /v1/me/second-factor/removal": {"code": "123456"},
    "POST /v1/programs": {"name": "x"},
    "PUT /v1/me/email": {"address": "anna@example.org"},
    "POST /v1/me/email/confirmation": {"code": "12345678"},
    "POST /v1/me/push": {"endpoint": "https://push.example/1", "p256dh": "B" * 87, "auth": "A" * 22},
    "PUT /v1/me/key": {"key": "00" * 32, "proof": "00" * 64},
}
OPERATIONS: Final = sorted(
    f"{operation.method} {operation.rule}"
    for subject in ROUTES
    for operation in subject.operations
    if operation.rule.startswith(ACCOUNT) and operation.method not in SAFE_METHODS and operation.reading.scope
)


@pytest.fixture(scope="module")
def anna(app: Flask) -> Consenter:
    """A player who allows a program everything that it may ask for."""
    return Consenter(app)


@pytest.fixture(scope="module")
def bearer(app: Flask, anna: Consenter) -> dict[str, str]:
    """The header of a program that Anna has allowed everything."""
    program = AskingProgram(app, Consenter(app).register(REDIRECT))
    code = program.code_from(anna.consent(program.asks(scope="read play annotate host")))
    return {"Authorization": f"Bearer {answer(program.exchange(code), 200)['access_token']}"}


def test_what_a_program_may_change_of_an_account_is_listed() -> None:
    assert set(OPERATIONS) >= MAY.keys()


@pytest.mark.parametrize("route", [route for route in OPERATIONS if route not in MAY])
def test_a_program_is_refused_every_other_change(app: Flask, bearer: dict[str, str], route: str) -> None:
    method, path = route.split(" ")
    path = path.replace("<uuid:session>", UNKNOWN).replace("<program>", UNKNOWN)
    refused = app.test_client().open(path, method=method, json=BODIES.get(route), headers=bearer)
    refusal = answer(refused, 403)
    assert refusal.get("reason", problem(refusal)) in ("program", "session_only", "confirmation_required")


def test_a_program_leaves_name_and_key_of_a_player_as_they_are(
    app: Flask, anna: Consenter, bearer: dict[str, str]
) -> None:
    def keyed(secret: Ed25519PrivateKey) -> dict[str, str]:
        proof = secret.sign(key_statement(anna.person.id)).hex()
        return {"key": secret.public_key().public_bytes_raw().hex(), "proof": proof}

    own = keyed(Ed25519PrivateKey.generate())
    assert anna.person.ask("PUT", "/v1/me/key", own).status_code == 200
    before = answer(anna.person.ask("GET", "/v1/me"), 200)
    client = app.test_client()
    for method, path, body in (
        ("PUT", "/v1/me/key", keyed(Ed25519PrivateKey.generate())),
        ("DELETE", "/v1/me/key", None),
        ("PATCH", "/v1/me", {"name": f"Somebody {uuid4().hex[:8]}"}),
    ):
        refused = client.open(path, method=method, json=body, headers=bearer)
        assert answer(refused, 403)["reason"] == "program"
    after = answer(anna.person.ask("GET", "/v1/me"), 200)
    assert (after["name"], after["key"]) == (before["name"], own["key"])


def test_a_program_gives_no_key_to_a_bot_of_the_player(app: Flask, anna: Consenter, bearer: dict[str, str]) -> None:
    bot = anna.person.post("/v1/bots", {"name": f"Bot {uuid4().hex[:8]}", "engine": "x"})["player"]["id"]
    issued = app.test_client().post(f"/v1/bots/{bot}/tokens", json={"scopes": ["play"]}, headers=bearer)
    headers = {"Authorization": f"Bearer {answer(issued, 201)['token']}"}
    assert answer(app.test_client().delete("/v1/me/key", headers=headers), 403)["reason"] == "program"
