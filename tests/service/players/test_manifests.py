"""What the owner of a bot says of it: stored with the bot, shown to all, hidden and erased with it."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from events.log.sequencer import sequence_once
from events.store.connections import connect
from projections.read_models.registry import advance_all
from service.players.bot_descriptions import bots_among
from tests.support.service.players import Person, answer, somebody
from tests.support.service.shared_fixtures import app, client, environ
from tests.support.service.tournament_fixture import Hall

__all__ = ["app", "client", "environ"]  # shared by the tests of this module
MANIFEST = {
    "author": "Anna & Birgir",
    "source": "https://example.org/bot?x=1",
    "budget": "100 steps a move",
    "hardware": "two cores",
}
AUTHOR = {"en": "Author", "is": "Höfundur", "sv": "Upphovsperson", "cs": "Autor", "hu": "Szerző"}
HIDE = "INSERT INTO hidden_texts (stream, about, number, hash, since) VALUES (%s, 'engine', 0, '', 0)"
RATED = "INSERT INTO ratings VALUES ('spice_road', 'programs', %s, 25000000, 8000000, 1)"
HEATS = {"format": "pods", "rounds": 1}


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


def test_a_manifest_is_shown_wherever_the_bot_plays(app: Flask, client: FlaskClient) -> None:
    owner = somebody(client)
    made = owner.post("/v1/bots", {"name": "Seated", "engine": "mine 1", "manifest": MANIFEST})
    bot, token = made["player"]["id"], {"Authorization": f"Bearer {made['token']}"}
    game = owner.create("me", "open")["id"]
    answer(client.post(f"/v1/games/{game}/seats", json={}, headers=token), 201)
    with connect(app.extensions["cabildo"].settings.database_url) as connection:
        while sequence_once(connection) or advance_all(connection):
            pass
    about = {"engine": "mine 1", "manifest": MANIFEST}
    seats = owner.ask("GET", f"/v1/games/{game}").get_json()["seats"]
    assert sorted((seat["about"] for seat in seats), key=str) == sorted((about, None), key=str)
    (entry,) = owner.ask("GET", f"/v1/games?player={bot}").get_json()["games"]
    assert about in [seat["about"] for seat in entry["seats"]]
    for path in ("/lobby", f"/games/{game}", "/watch"):
        for language, author in AUTHOR.items():
            page = client.get(path, headers={"Accept-Language": language}).text
            assert f"<dt>{author}</dt><dd>Anna &amp; Birgir</dd>" in page, (path, language)
            assert "<dd>two cores</dd>" in page


def test_a_manifest_is_shown_in_a_tournament(app: Flask) -> None:
    hall = Hall(app, [HEATS], programs=True).open(people=1)
    bot, _ = described(hall.people[0], f"automaton {hall.id[-12:]}", manifest=MANIFEST)
    hall.direct("entrants", {"player": bot})
    entrants = {one["player"]: one["about"] for one in hall.read("entrants")["entrants"]}
    assert entrants == {hall.people[0].id: None, bot: {"engine": "mine 1", "manifest": MANIFEST}}
    hall.direct("stages")
    for path in ("", "/standings"):
        page = hall.client.get(f"/tournaments/{hall.id}{path}").text
        assert page.count("<dt>Author</dt><dd>Anna &amp; Birgir</dd>") == 1, path


def test_a_manifest_is_shown_beside_a_rating(app: Flask, client: FlaskClient) -> None:
    bot, _ = described(somebody(client), "Rated", manifest=MANIFEST)
    with app.extensions["cabildo"].stores.pool.connection() as connection:
        connection.execute(RATED, (bot,))
    (found,) = client.get("/v1/ratings?game=spice_road&pool=programs").get_json()["ratings"]
    assert found["about"] == {"engine": "mine 1", "manifest": MANIFEST}
    assert "<dd>100 steps a move</dd>" in client.get("/ratings?game=spice_road&pool=programs").text


def test_an_engine_that_is_hidden_is_told_nowhere(app: Flask, client: FlaskClient) -> None:
    bot, _ = described(somebody(client), "Rude", manifest=MANIFEST)
    with app.extensions["cabildo"].stores.pool.connection() as connection:
        assert bots_among(connection, [bot, "bot:greedy"]) == {bot: {"engine": "mine 1", "manifest": MANIFEST}}
        connection.execute(HIDE, (bot,))
        assert bots_among(connection, [bot]) == {}


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
