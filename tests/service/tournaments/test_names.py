"""Entrants and bots are called alike at the table, in lists, on pages and in sheets; a game names its tournament."""

import csv
import io
import re
from html import unescape

import pytest
from flask import Flask

from tests.support.service.players import answer
from tests.support.service.tournament_fixture import Hall

SWISS = {"format": "swiss", "rounds": 2, "sizes": [3]}


@pytest.fixture(scope="module")
def hall(app: Flask) -> Hall:
    """Four bots and two people in the first round."""
    hall = Hall(app, [SWISS], bots="random").open(people=2, bots=4)
    hall.direct("stages")
    hall.start()
    return hall


def names(hall: Hall) -> dict[int, str]:
    """The names of the entrants, as the list of entrants has them."""
    return {one["entrant"]: one["name"] for one in hall.read("entrants")["entrants"]}


def sheet(hall: Hall, what: str) -> list[dict[str, str]]:
    text = hall.client.get(f"{hall.path}/{what}", headers={"Accept": "text/csv"}).text
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_a_bot_has_the_name_of_its_level_and_its_number(hall: Hall) -> None:
    told = names(hall)
    assert [told[number] for number in (3, 4, 5, 6)] == [
        f"{name} (random)" for name in ("Rita", "Rufus", "Ronja", "Rosa 2")
    ]
    swedish = answer(hall.client.get(f"{hall.path}/entrants", headers={"Accept-Language": "sv"}), 200)["entrants"]
    assert swedish[2]["name"] == "Rita (slump)"


def test_sheets_pages_and_documents_have_the_same_names(hall: Hall) -> None:
    told = names(hall)
    assert {int(row["entrant"]): row["name"] for row in sheet(hall, "rounds/1")} == told
    assert {row["player"] for row in sheet(hall, "standings")} == {*told.values()}
    assert {row["player"] for row in sheet(hall, "cross-table")} == {*told.values()}
    page = unescape(hall.client.get(f"/tournaments/{hall.id}/rounds/1").text)
    assert [name for name in told.values() if name not in page] == []


def test_the_seats_of_a_game_say_which_entrant_sits_there(hall: Hall) -> None:
    for table in hall.read("rounds/1")["tables"]:
        numbers = [seat["entrant"] for seat in table["seats"]]
        shown = answer(hall.client.get(f"/v1/games/{table['game']}"), 200)
        assert [seat["entrant"] for seat in shown["seats"]] == numbers
        assert shown["tournament_table"] == {"title": "The open of Ponce", "round": 1, "table": table["table"]}


def test_lists_of_games_call_bots_as_their_tournament_does(hall: Hall) -> None:
    games = {table["game"]: table for table in hall.read("rounds/1")["tables"]}
    listed = answer(hall.client.get("/v1/games?limit=50"), 200)["games"]
    found = {game["id"]: [seat["entrant"] for seat in game["seats"]] for game in listed if game["id"] in games}
    assert found == {id: [seat["entrant"] for seat in table["seats"]] for id, table in games.items()}
    page = unescape(re.sub(r"<[^>]+>", " ", hall.client.get("/lobby").text))
    assert [name for number, name in names(hall).items() if number > 2 and name not in page] == []


def test_the_page_of_a_game_leads_to_its_tournament_and_round(hall: Hall) -> None:
    page = hall.client.get(f"/games/{hall.games()[0]}").text
    assert f'<a href="/tournaments/{hall.id}">The open of Ponce</a>' in page
    assert f'href="/tournaments/{hall.id}/rounds/1"' in page


def test_a_forgotten_entrant_has_one_name_on_pages_and_sheets(app: Flask) -> None:
    hall = Hall(app, [SWISS]).open(people=3)
    hall.direct("stages")
    hall.start()
    forgotten = hall.people[0]
    assert forgotten.ask("DELETE", "/v1/me").status_code in (200, 204)
    assert [row["name"] for row in sheet(hall, "rounds/1") if row["entrant"] == "1"] == ["erased player"]
    assert "erased player" in hall.client.get(f"/tournaments/{hall.id}/rounds/1").text
