"""Addresses on pages are those of the service as the world reaches it, not the name that a request gives it."""

import re

from flask import Flask

from service.web.auth import SESSION_COOKIE
from tests.support.service.authenticators import LoggedInBrowser
from tests.support.service.players import Person, answer
from tests.support.service.shared_fixtures import app, environ

__all__ = ["app", "environ"]
PASSWORD = "over the hills"
ELSEWHERE = "elsewhere.example"
PUBLIC = "http://127.0.0.1:8080"


def asked(browser: LoggedInBrowser, path: str, form: dict[str, str] | None = None) -> str:
    """Returns what a session is answered to a request that gives the service another name."""
    cookie = browser.client.get_cookie(SESSION_COOKIE)
    assert cookie is not None
    headers = {"Host": ELSEWHERE, "Cookie": f"{SESSION_COOKIE}={cookie.value}"}
    client = browser.client.application.test_client(use_cookies=False)
    answered = client.open(path, method="GET" if form is None else "POST", data=form, headers=headers)
    return answered.get_data().decode(errors="replace")  # some are pictures or archives


def test_no_page_repeats_the_name_of_the_host_in_a_request(app: Flask) -> None:
    person = Person(app.test_client(), "Anna", password=PASSWORD)
    browser = LoggedInBrowser(app, person.name, PASSWORD)
    open_table, kept = person.create("me", "open")["id"], person.create("me", "invite")["id"]
    paths = [rule.rule for rule in app.url_map.iter_rules() if not rule.arguments and "GET" in (rule.methods or ())]
    paths += [f"/games/{game}{end}" for game in (open_table, kept) for end in ("", "/play", "/invite", "/embed")]
    paths = [path for path in paths if not path.endswith("/stream")]  # they go on
    assert len(paths) > 50
    assert "/logout" in asked(browser, "/account")
    for path in paths:
        assert ELSEWHERE not in asked(browser, path), path


def test_the_line_for_a_new_token_asks_the_public_address(app: Flask) -> None:
    person = Person(app.test_client(), "Birgir", password=PASSWORD)
    browser = LoggedInBrowser(app, person.name, PASSWORD)
    csrf = re.findall(r'name="csrf" value="([^"]+)"', browser.client.get("/account").text)[0]
    form = {"csrf": csrf, "label": "a reader", "scopes": "read", "present": PASSWORD}
    made = asked(browser, "/account/tokens", form)
    assert f"curl -s {PUBLIC}/v1/me" in made
    assert ELSEWHERE not in made
    assert answer(person.ask("GET", "/v1/tokens"), 200)["tokens"]
