"""The form for a lost password without scripts, reached from the login."""

from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient

from projections.rules.catalogue import LANGUAGES
from tests.service.conftest import Environ
from tests.support.service.operator_help import reset_code
from tests.support.service.players import Person
from tests.support.service.scriptless_browser import BROWSER, PASSWORD, token
from tests.support.service.shared_fixtures import app, environ

__all__ = ["app", "environ"]  # shared by the tests of this module
NEW = "another horse"


@pytest.fixture
def browser(app: Flask) -> FlaskClient:
    """A browser that is not logged in."""
    return app.test_client()


def fill_in(browser: FlaskClient, **fields: str) -> tuple[int, str]:
    """Submits the form. Returns status and page."""
    form = {"csrf": token(browser.get("/recovery").text), "password": NEW, **fields}
    answer = browser.post("/recovery", data=form, headers=BROWSER)
    return answer.status_code, answer.text


def test_lost_password_is_replaced_with_a_code(app: Flask, environ: Environ, browser: FlaskClient) -> None:
    ada = Person(app.test_client(), f"Ada {uuid4().hex[:12]}", password=PASSWORD)
    assert 'href="/recovery"' in browser.get("/login").text
    code = reset_code(environ, ada.name)
    status, page = fill_in(browser, name=ada.name, code="wrong")
    assert (status, 'role="alert"' in page, ada.name in page, NEW in page) == (401, True, True, False)
    status, page = fill_in(browser, name=ada.name, code=code, password="short")
    assert (status, 'role="alert"' in page, code in page) == (422, True, False)
    status, page = fill_in(browser, name=ada.name, code=code)
    assert (status, "Tokens that stay valid: 1" in page) == (200, True)
    for password, logged_in in ((PASSWORD, 401), (NEW, 201)):
        body = {"name": ada.name, "password": password}
        assert app.test_client().post("/v1/session", json=body).status_code == logged_in


def test_form_of_another_site_recovers_nothing(app: Flask, environ: Environ, browser: FlaskClient) -> None:
    ada = Person(app.test_client(), f"Ada {uuid4().hex[:12]}", password=PASSWORD)
    forged = {"csrf": "guessed", "name": ada.name, "code": reset_code(environ, ada.name), "password": NEW}
    browser.get("/recovery")
    assert browser.post("/recovery", data=forged, headers=BROWSER).status_code == 403
    assert fill_in(browser, **{**forged, "csrf": token(browser.get("/recovery").text)})[0] == 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_form_is_shown_in_every_language(language: str, browser: FlaskClient) -> None:
    page = browser.get("/recovery", headers={**BROWSER, "Accept-Language": language}).text
    assert f'<html lang="{language}">' in page
