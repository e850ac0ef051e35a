"""A player in a browser and a program that asks for tokens, over the application in-process."""

import base64
import hashlib
import re
import secrets
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qs, urlencode, urlsplit
from uuid import UUID, uuid4

from flask import Flask
from werkzeug.test import TestResponse

from service.oauth.commands import RegisterProgram, register_program
from service.players.identity import FIRST_SCOPES, Identity
from tests.support.service.authenticators import LoggedInBrowser
from tests.support.service.players import Person, answer, somebody

PASSWORD: Final = "over the hills"
REDIRECT: Final = "https://app.example/back"
LOOPBACK: Final = "http://127.0.0.1/back"
DEVICE_GRANT: Final = "urn:ietf:params:oauth:grant-type:device_code"
CSRF: Final = re.compile(r'name="csrf" value="([^"]+)"')


def consent_address(app: Flask) -> str:
    """Registers a program of somebody; returns the address at which it asks a player."""
    maker = Identity(UUID(somebody(app.test_client()).id), frozenset(FIRST_SCOPES), session=uuid4())
    program = register_program(app.extensions["cabildo"], RegisterProgram(maker, "Tabula", [LOOPBACK]))
    return f"/oauth/authorize?{urlencode(AskingProgram(app, program.id, LOOPBACK).asks())}"


class Consenter:
    """A player with a password and a browser that is logged in."""

    def __init__(self, app: Flask) -> None:
        self.person = Person(app.test_client(), f"Anna {uuid4().hex[:12]}", password=PASSWORD)
        self.browser = LoggedInBrowser(app, self.person.name, PASSWORD)
        page = self.browser.client.get("/account")
        self.csrf = CSRF.findall(page.get_data(as_text=True))[0]

    def register(self, *redirects: str, name: str | None = None) -> str:
        """Registers a program; returns its id."""
        body = {"name": name or f"Board {uuid4().hex[:8]}", "redirects": list(redirects)}
        return str(answer(self.browser.ask("POST", "/v1/programs", body), 201)["client_id"])

    def post(self, path: str, **form: str) -> TestResponse:
        """Sends a form of a page."""
        return self.browser.client.post(path, data={"csrf": self.csrf, **form})

    def consent(self, asked: Mapping[str, str], allow: str = "allow") -> TestResponse:
        """Answers the question of a program."""
        return self.post("/oauth/authorize", **{**asked, "answer": allow})


class AskingProgram:
    """A public client with a verifier of its own for each request."""

    def __init__(self, app: Flask, id: str, redirect: str = REDIRECT) -> None:
        self.client = app.test_client()
        self.id = id
        self.redirect = redirect
        self.state = secrets.token_urlsafe(8)
        self.verifier = secrets.token_urlsafe(32)

    @property
    def challenge(self) -> str:
        """The S256 challenge of the verifier."""
        return base64.urlsafe_b64encode(hashlib.sha256(self.verifier.encode()).digest()).decode().rstrip("=")

    def asks(self, **changes: str) -> dict[str, str]:
        """Returns the parameters of a request for consent; an empty one is left out."""
        usual = {
            "client_id": self.id,
            "redirect_uri": self.redirect,
            "response_type": "code",
            "scope": "read play",
            "state": self.state,
            "code_challenge": self.challenge,
            "code_challenge_method": "S256",
        }
        return {name: value for name, value in {**usual, **changes}.items() if value}

    def code_from(self, sent_back: TestResponse) -> str:
        """Returns the code that a browser brings; checks the state."""
        given = query_of(sent_back)
        assert sent_back.status_code == 303, sent_back.get_data(as_text=True)
        assert given["state"] == self.state
        return given["code"]

    def post(self, path: str, **form: str) -> TestResponse:
        """Sends a form to an endpoint."""
        return self.client.post(path, data={"client_id": self.id, **form})

    def exchange(self, code: str, /, **changes: str) -> TestResponse:
        """Exchanges a code."""
        usual = {"code": code, "redirect_uri": self.redirect, "code_verifier": self.verifier}
        given = {"grant_type": "authorization_code", **usual, **changes}
        return self.post("/oauth/token", **{name: value for name, value in given.items() if value})

    def refresh(self, token: str, **more: str) -> TestResponse:
        """Renews a token."""
        return self.post("/oauth/token", grant_type="refresh_token", refresh_token=token, **more)

    def poll(self, device_code: str) -> TestResponse:
        """Asks whether a device login was allowed."""
        return self.post("/oauth/token", grant_type=DEVICE_GRANT, device_code=device_code)

    def reads(self, token: str, path: str = "/v1/me") -> TestResponse:
        """Sends a request with a token."""
        return self.client.get(path, headers={"Authorization": f"Bearer {token}"})


def query_of(sent_back: TestResponse) -> dict[str, str]:
    """Returns the parameters of the address to which a browser is sent."""
    return {name: values[0] for name, values in parse_qs(urlsplit(sent_back.location or "").query).items()}


def error_of(response: TestResponse, status: int = 400) -> str:
    """Returns the error of an answer in the form of OAuth."""
    document: dict[str, Any] = answer(response, status)
    assert response.mimetype == "application/json"
    assert set(document) <= {"error", "error_description"}
    return str(document["error"])
