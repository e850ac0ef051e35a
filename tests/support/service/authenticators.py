"""Browsers that are logged in, and authenticator apps that hold the secret of a second factor."""

import time
from urllib.parse import parse_qs, urlsplit

from flask import Flask
from flask.testing import FlaskClient
from pyotp.totp import TOTP
from werkzeug.test import TestResponse

from tests.support.service.players import answer, problem

LOGIN_ADDRESS = "192.0.2.1"


class AuthenticatorApp:
    """Shows the codes of a secret."""

    def __init__(self, uri: str) -> None:
        self._codes = TOTP(parse_qs(urlsplit(uri).query)["secret"][0])

    def code(self, later: int = 0) -> str:
        """Returns the code of this moment, or of a later step."""
        return self._codes.generate_otp(int(time.time()) // 30 + later)

    def wrong_code(self) -> str:
        """Returns six digits that are no code of any step near."""
        near = {self.code(step) for step in range(-3, 4)}
        return next(digits for digits in (f"{number:06}" for number in range(10)) if digits not in near)


class LoggedInBrowser:
    """A browser with a session, whose password was just given."""

    def __init__(self, app: Flask, name: str, password: str, code: str | None = None) -> None:
        self.client = app.test_client()
        began = send_login(app, name, password, browser=self.client)
        if code is not None:
            assert problem(answer(began, 401)) == "second_factor_needed"
            began = send_code(app, began.get_json()["ticket"], code, browser=self.client)
        self._headers = {"X-CSRF-Token": answer(began, 201)["csrf"]}

    def ask(self, method: str, path: str, body: object = None) -> TestResponse:
        """Sends a request of the session."""
        return self.client.open(path, method=method, json=body, headers=self._headers)

    def enrol(self) -> AuthenticatorApp:
        """Switches the second factor on."""
        return self.confirm(answer(self.ask("POST", "/v1/me/second-factor"), 201)["uri"])

    def confirm(self, uri: str) -> AuthenticatorApp:
        """Confirms a secret with the code of the step before, so that the code of this moment is still unused."""
        app = AuthenticatorApp(uri)
        answers = (self.ask("POST", "/v1/me/second-factor/confirmation", {"code": app.code(-1)}) for _ in range(2))
        assert any(answer.status_code == 204 for answer in answers)  # twice: the step may end meanwhile
        return app


def send_login(
    app: Flask, name: str, password: str, address: str = LOGIN_ADDRESS, browser: FlaskClient | None = None
) -> TestResponse:
    """Sends name and password from an address."""
    return _post(app, "/v1/session", {"name": name, "password": password}, address, browser)


def send_code(
    app: Flask, ticket: str, code: str, address: str = LOGIN_ADDRESS, browser: FlaskClient | None = None
) -> TestResponse:
    """Sends the ticket of a begun login and a code."""
    return _post(app, "/v1/session/second-factor", {"ticket": ticket, "code": code}, address, browser)


def ticket_of(app: Flask, name: str, password: str) -> str:
    """Returns the ticket of a login whose password is right."""
    refused = answer(send_login(app, name, password), 401)
    assert problem(refused) == "second_factor_needed"
    return str(refused["ticket"])


def _post(app: Flask, path: str, body: dict[str, str], address: str, browser: FlaskClient | None) -> TestResponse:
    client = app.test_client() if browser is None else browser
    return client.post(path, json=body, environ_base={"REMOTE_ADDR": address})
