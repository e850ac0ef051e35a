"""Imported records show the names, the place and the comments that their scribe wrote, in documents and on pages."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from projections.games.imports.transcript import Transcript, parse, write
from projections.rules.registry import GAMES
from tests.service.games.test_queries import read as read_document
from tests.support.projections.random_games import random_game, written
from tests.support.service.players import Person, answer, somebody

NAMES = ["Úlfur", "<b>Ada</b>", "Zoë"]


def record() -> str:
    """The record of a short game, with all that a scribe may add."""
    plain = parse(written(random_game(GAMES["spice_road"], 3, seed=5, longest=9)))
    headers = {header.name: header for header in plain.headers}
    headers["seats"] = headers["seats"]._replace(value=", ".join(NAMES), above=("; The final of the club",))
    more = [headers["seats"]._replace(name=name, value=value, above=()) for name, value in
            (("place", "Reykjavík"), ("event", "Club night"))]  # fmt: skip
    first, second, *lines = plain.lines
    first = first._replace(above=("; White to begin", ""), beside="a surprise")
    lines = [first, second._replace(above=("; slow",)), *lines]
    return write(Transcript((*headers.values(), *more), tuple(lines), ("; They shook hands",)))


@pytest.fixture
def scribe(client: FlaskClient) -> Person:
    return somebody(client)


@pytest.fixture
def game(scribe: Person) -> dict[str, Any]:
    return scribe.post("/v1/games/import", {"record": record()})


def test_the_game_tells_what_its_record_says(client: FlaskClient, game: dict[str, Any]) -> None:
    told = answer(client.get(f"/v1/games/{game['id']}"), 200)
    assert told["record"] == {
        "names": NAMES,
        "place": "Reykjavík",
        "headers": [{"name": "event", "value": "Club night"}],
        "comments": ["The final of the club"],
        "below": ["They shook hands"],
    }
    assert [seat["name"] for seat in told["seats"]] == NAMES
    assert game["record"] == told["record"]


def test_lines_that_are_added_bring_their_comments(scribe: Person, game: dict[str, Any]) -> None:
    told = scribe.post(f"/v1/games/{game['id']}/record", {"lines": "; and drank"})
    assert told["record"]["below"] == ["They shook hands", "and drank"]


def test_the_replay_tells_the_comments_of_each_move(client: FlaskClient, game: dict[str, Any]) -> None:
    steps = read_document(client, f"/v1/games/{game['id']}/replay?positions=false")["steps"]
    assert [step["comments"] for step in steps[:4]] == [[], ["White to begin", "a surprise"], ["slow"], []]


def test_lists_and_the_lobby_tell_the_names(client: FlaskClient, scribe: Person, game: dict[str, Any]) -> None:
    listed = {one["id"]: one for one in read_document(client, "/v1/games?limit=50")["games"]}
    assert [seat["name"] for seat in listed[game["id"]]["seats"]] == NAMES
    page = client.get("/lobby").get_data(as_text=True)
    assert "Úlfur" in page
    assert "&lt;b&gt;Ada" in page


def test_the_page_of_the_game_shows_names_place_and_comments(client: FlaskClient, game: dict[str, Any]) -> None:
    page = client.get(f"/games/{game['id']}", headers={"Accept-Language": "is"}).get_data(as_text=True)
    for said in ("Úlfur", "Reykjavík", "Club night", "The final of the club", "They shook hands", "Staður"):
        assert said in page
    assert "<b>Ada" not in page


def test_a_game_played_here_has_no_record(client: FlaskClient) -> None:
    host = somebody(client)
    made = host.create("me", "bot:random")
    assert made["record"] is None
    assert [seat["name"] for seat in sorted(made["seats"], key=lambda seat: seat["chair"])] == [None, "Ragnar (random)"]


def test_a_record_that_only_counts_its_players_names_nobody(client: FlaskClient) -> None:
    text = written(random_game(GAMES["spice_road"], 2, seed=6, longest=4))
    lines = ["seats: 2" if row.startswith("seats:") else row for row in text.splitlines()]
    made = somebody(client).post("/v1/games/import", {"record": "\n".join(lines)})
    assert (made["record"]["names"], [seat["name"] for seat in made["seats"]]) == (["", ""], [None, None])
