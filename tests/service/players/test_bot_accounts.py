"""Accounts of bots: programs however they sign in, marked at the table, among entrants, in lists and in results."""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.support.service.players import Person, answer, problem, somebody
from tests.support.service.tournament_fixture import Hall

PASSWORD = "corn corn corn corn"
HEATS = {"format": "heats", "rounds": 1, "sizes": [3]}


def bot_of(owner: Person) -> Person:
    """A bot's account, with its token."""
    made = owner.post("/v1/bots", {"name": f"bot of {owner.name}"[:40], "engine": "mine 1"})
    bot = somebody(owner.client)
    bot.id, bot.token, bot.name = made["player"]["id"], made["token"], made["player"]["name"]
    return bot


class InBrowser(Person):
    """A person or bot that signed in with a password."""

    def __init__(self, app: Flask, known: Person) -> None:
        self.client, self.id, self.name = app.test_client(), known.id, known.name
        answer(known.ask("PATCH", "/v1/me", {"password": PASSWORD}), 200)
        session = answer(self.client.post("/v1/session", json={"name": known.name, "password": PASSWORD}), 201)
        self.csrf: str = session["csrf"]

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        return self.client.open(path, method=method, json=body, headers={"X-CSRF-Token": self.csrf})


def seat_of(document: dict[str, Any], player: Person) -> dict[str, Any]:
    found: list[dict[str, Any]] = [seat for seat in document["seats"] if seat["player"]]
    return next(seat for seat in found if seat["player"]["id"] == player.id)


@pytest.mark.parametrize("way", ["token", "password"])
def test_a_bot_is_a_program_however_it_signs_in(app: Flask, client: FlaskClient, way: str) -> None:
    owner = somebody(client)
    bot = bot_of(owner)
    player = bot if way == "token" else InBrowser(app, bot)
    game = owner.create("me", "open", "open", rated=True)["id"]
    document = player.join(game)
    assert (seat_of(document, player)["program"], seat_of(document, owner)["program"]) == (True, False)
    log = answer(owner.ask("GET", f"/v1/games/{game}/events"), 200)["events"]
    assert [event["data"]["player"] for event in log if event["data"].get("program")] == [bot.id]


def test_a_bot_in_a_browser_owns_no_bots(app: Flask, client: FlaskClient) -> None:
    bot = InBrowser(app, bot_of(somebody(client)))
    assert bot.post("/v1/bots", {"name": "another", "engine": "x"}, 403)["reason"] == "bots_own_nothing"


def test_lists_and_pages_mark_a_bots_account(client: FlaskClient) -> None:
    owner = somebody(client)
    bot = bot_of(owner)
    game = owner.create("me", "open", "open")["id"]
    bot.join(game)
    (row,) = answer(client.get(f"/v1/games?player={bot.id}"), 200)["games"]
    assert seat_of(row, bot)["program"]
    listed = client.get(f"/lobby?player={bot.id}", headers={"Accept-Language": "en"}).get_data(as_text=True)
    assert f"{bot.name} (bot)" in listed
    assert f">{owner.name} (bot)" not in listed


def test_the_fold_marks_a_substitute_that_is_a_program(app: Flask) -> None:
    hall = Hall(app, [HEATS], programs=True, most=3).open(people=3)
    bot = bot_of(hall.people[0])
    bot.post(f"{hall.path}/entrants")
    hall.direct("stages")
    hall.start()
    seat = hall.read("rounds/1")["tables"][0]["seats"][0]["entrant"]
    hall.direct("rulings/substitution", {"round": 1, "table": 1, "entrant": seat, "by": 4, "reason": "Ill"})
    hall.keep()
    document = answer(hall.client.get(f"/v1/games/{hall.games()[0]}"), 200)
    assert seat_of(document, bot)["program"]


@pytest.mark.parametrize("by", ["itself", "director"])
def test_regulations_say_whether_bots_accounts_may_enter(app: Flask, by: str) -> None:
    hall = Hall(app, [HEATS]).open(people=3)
    bot = bot_of(hall.people[0])
    assert hall.read("")["regulations"]["programs"] is False
    if by == "itself":
        refused = bot.post(f"{hall.path}/entrants", status=409)
    else:
        refused = hall.direct("entrants", {"player": bot.id}, 409)
    assert (problem(refused), refused["reason"]) == ("entry_refused", "program")


def test_entrants_and_sheets_mark_a_bots_account(app: Flask) -> None:
    hall = Hall(app, [HEATS], programs=True).open(people=2)
    bot = bot_of(hall.people[0])
    bot.post(f"{hall.path}/entrants")
    entrants = hall.read("entrants")["entrants"]
    assert [entrant["program"] for entrant in entrants] == [False, False, True]
    page = hall.client.get(f"/tournaments/{hall.id}", headers={"Accept-Language": "en"}).get_data(as_text=True)
    assert f"{bot.name} (bot)" in page
    hall.direct("stages")
    hall.start()
    sheet = hall.client.get(f"{hall.path}/rounds/1", headers={"Accept": "text/csv", "Accept-Language": "en"})
    assert f"{bot.name} (bot)" in sheet.get_data(as_text=True)
