"""The pages for a blocked player: each says until when and why, and forms that begin something are refused."""

from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.support.service.administrators import administrator, block
from tests.support.service.players import Person, answer

PASSWORD = "correct horse"
SENTENCES = {
    "en": "Your account is blocked until",
    "is": "Reikningi þínum er lokað til",
    "sv": "Ditt konto är spärrat till",
    "cs": "Tvůj účet je zablokován do",
    "hu": "időpontig le van tiltva",
}


@pytest.fixture
def player(client: FlaskClient) -> Person:
    return Person(client, f"Nina {uuid4().hex[:8]}", password=PASSWORD)


@pytest.fixture
def browser(app: Flask, player: Person) -> FlaskClient:
    """A browser of the player, logged in."""
    browser = app.test_client()
    answer(browser.post("/v1/session", json={"name": player.name, "password": PASSWORD}), 201)
    return browser


def csrf(browser: FlaskClient) -> str:
    return str(answer(browser.get("/v1/session"), 200)["csrf"])


@pytest.mark.parametrize("language", SENTENCES)
def test_every_page_says_until_when_and_why(app: Flask, player: Person, browser: FlaskClient, language: str) -> None:
    headers = {"Accept-Language": language}
    assert SENTENCES[language] not in browser.get("/lobby", headers=headers).text
    until = block(administrator(app), player.id, "<b>insults</b>")["until"]
    for page in ("/lobby", "/mine", "/games/new"):
        shown = browser.get(page, headers=headers).text
        assert SENTENCES[language] in shown
        assert f"{until[:10]} {until[11:16]} UTC" in shown
        assert "&lt;b&gt;insults&lt;/b&gt;" in shown


def test_a_blocked_visitor_creates_nothing_by_forms(app: Flask, player: Person, browser: FlaskClient) -> None:
    block(administrator(app), player.id)
    for form in ("/games/new", "/studies", "/tournaments/new"):
        refused = browser.post(form, data={"csrf": csrf(browser), "title": "Notes"})
        assert (refused.status_code, "account is blocked until" in refused.text) == (403, True)


def test_a_blocked_visitor_leaves_a_table_and_logs_out(app: Flask, player: Person, browser: FlaskClient) -> None:
    game = player.create("me", "bot:random")["id"]
    block(administrator(app), player.id)
    assert browser.post(f"/games/{game}/abort", data={"csrf": csrf(browser)}).status_code == 303
    refused = browser.post(f"/games/{game}/abort", data={"csrf": csrf(browser), "reason": "because"})
    assert refused.status_code == 403
    assert browser.post("/logout", data={"csrf": csrf(browser)}).status_code == 303


def test_a_page_for_others_says_nothing_of_a_block(app: Flask, client: FlaskClient, player: Person) -> None:
    shown = client.get(f"/players/{player.id}").text
    block(administrator(app), player.id, "insults", days=2)
    assert client.get(f"/players/{player.id}").text == shown
    assert "insults" not in shown
