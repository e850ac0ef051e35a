"""What the owner of a bot says of it: stored with the bot, shown to all, hidden and erased with it."""

import pytest
from flask.testing import FlaskClient

from tests.support.service.players import Person, answer, somebody
from tests.support.service.shared_fixtures import app, client, environ

__all__ = ["app", "client", "environ"]  # shared by the tests of this module
MANIFEST = {
    "author": "Anna & Birgir",
    "source": "https://example.org/bot?x=1",
    "budget": "100 steps a move",
    "hardware": "two cores",
}


def described(owner: Person, name: str, **more: object) -> tuple[str, dict[str, str]]:
    """Returns the id of a new bot, and the headers of its token."""
    made = owner.post("/v1/bots", {"name": name, "engine": "mine 1", **more})
    return made["player"]["id"], {"Authorization": f"Bearer {made['token']}"}


def test_a_manifest_is_shown_wherever_the_bot_is_described(client: FlaskClient) -> None:
    owner = somebody(client)
    bot, headers = described(owner, "Described", manifest=MANIFEST)
    assert client.get(f"/v1/players/{bot}").get_json()["manifest"] == MANIFEST
    assert client.get("/v1/me", headers=headers).get_json()["manifest"] == MANIFEST
    assert owner.ask("GET", "/v1/bots").get_json()["players"][0]["manifest"] == MANIFEST
    page = client.get(f"/players/{bot}", headers={"Accept-Language": "sv"}).text
    assert "<dt>Upphovsperson</dt><dd>Anna &amp; Birgir</dd>" in page
    assert 'rel="nofollow ugc noopener noreferrer">https://example.org/bot?x=1</a>' in page
    assert "Anna &amp; Birgir" in client.get(f"/players/{owner.id}").text


def test_a_bot_changes_and_removes_its_manifest(client: FlaskClient) -> None:
    bot, headers = described(somebody(client), "Changing")
    assert client.get(f"/v1/players/{bot}").get_json()["manifest"] is None
    answer(client.patch("/v1/me", json={"manifest": {"author": "Disa"}}, headers=headers), 200)
    assert client.get(f"/v1/players/{bot}").get_json()["manifest"] == {"author": "Disa"}
    answer(client.patch("/v1/me", json={"manifest": None}, headers=headers), 200)
    assert client.get(f"/v1/players/{bot}").get_json()["manifest"] is None


def test_an_erased_bot_has_no_manifest(client: FlaskClient) -> None:
    bot, headers = described(somebody(client), "Leaving", manifest=MANIFEST)
    assert client.delete("/v1/me", headers=headers).status_code == 204
    assert client.get(f"/v1/players/{bot}").get_json()["manifest"] is None


def test_a_person_has_no_manifest(client: FlaskClient) -> None:
    refused = answer(somebody(client).ask("PATCH", "/v1/me", {"manifest": MANIFEST}), 422)
    assert refused["errors"]["json"].keys() == {"manifest"}


@pytest.mark.parametrize("source", ["javascript:alert(1)", "http://example.org", "https://", "https://a b", ""])
def test_a_source_is_a_web_address(client: FlaskClient, source: str) -> None:
    body = {"name": "Somewhere", "engine": "mine 1", "manifest": {"source": source}}
    assert "source" in somebody(client).post("/v1/bots", body, 422)["errors"]["json"]["manifest"]
