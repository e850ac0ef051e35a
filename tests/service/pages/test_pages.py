"""The pages as they are sent: for everybody to look at, closed to scripts of others, deaf to hostile names."""

import re

import pytest
from flask.testing import FlaskClient

from tests.support.service.players import Person, in_turn, somebody

HOSTILE = "</script><script>alert(1)</script>"


def test_nobody_needs_an_account_to_look(client: FlaskClient) -> None:
    host, guest = somebody(client), somebody(client)
    game = host.create("me", guest.id)["id"]
    guest.join(game)
    page = client.get(f"/games/{game}")
    assert (page.status_code, page.mimetype) == (200, "text/html")
    assert f"/games/{game}" in client.get("/").text


def test_a_private_game_has_no_page_for_others(client: FlaskClient) -> None:
    host = somebody(client)
    game = host.create("me", "open", visibility="private")["id"]
    assert client.get(f"/games/{game}").status_code == 404
    assert host.ask("GET", f"/games/{game}").status_code == 200
    assert game not in client.get("/").text


def test_a_game_that_is_over_is_listed_with_points_and_places(client: FlaskClient) -> None:
    first, second = somebody(client), somebody(client)
    game = first.create("me", second.id, leaver="forfeit")["id"]
    winner, loser = in_turn(second.join(game), first, second)
    loser.post(f"/v1/games/{game}/resign")
    finished = client.get("/").text.split('id="finished"')[1]
    said = re.sub(r"<[^>]+>", "", finished)
    assert said.index(f"1. {winner.name}") < said.index(f"2. {loser.name}")
    assert game in finished


@pytest.mark.parametrize("path", ["/", "/docs", "/docs/reference/tables"])
def test_pages_run_no_script_but_ours(client: FlaskClient, path: str) -> None:
    page = client.get(path)
    policy = page.headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert page.headers["X-Content-Type-Options"] == "nosniff"
    assert not re.search(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)|\son[a-z]+=|style=", page.text)


def test_a_hostile_name_stays_a_name(client: FlaskClient) -> None:
    host, guest = Person(client, HOSTILE), somebody(client)
    game = host.create("me", guest.id)["id"]
    guest.join(game)
    for path in ("/", f"/games/{game}"):
        assert HOSTILE not in client.get(path).text
    assert "&lt;script&gt;" in client.get("/").text


def test_the_words_on_the_board_are_the_readers(client: FlaskClient) -> None:
    host, guest = somebody(client), somebody(client)
    game = host.post("/v1/games", {"game": "puerto_rico", "seats": ["me", guest.id]})["id"]
    pages = [client.get(f"/games/{game}", headers={"Accept-Language": tongue}).text for tongue in ("en", "cs")]
    assert '<html lang="en">' in pages[0]
    assert '<html lang="cs">' in pages[1]
    assert "small indigo plant" in pages[0]
    assert "small indigo plant" not in pages[1]
