"""Who reads table talk without writing: guests, people at one screen, players of a silent table."""

import re
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from tests.support.service.players import answer, problem, somebody
from tests.support.service.tournament_fixture import Hall

CSRF = re.compile(r'name="csrf" value="([^"]+)"')
SEAT = "X-Seat-Of"


class Guest:
    """A visitor who became a guest with one click."""

    def __init__(self, app: Flask) -> None:
        self.client = app.test_client()
        self.client.post("/play-now", data={"csrf": self.csrf("/")})

    def csrf(self, page: str) -> str:
        return str(CSRF.findall(self.client.get(page).text)[-1])

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        return self.client.open(path, method=method, json=body, headers={"X-CSRF-Token": self.csrf("/keep")})


def talk_of(game: str) -> str:
    return f"/v1/games/{game}/talk"


def test_guests_choose_how_they_read_and_write_nothing(app: Flask) -> None:
    host, guest = somebody(app.test_client()), Guest(app)
    game = host.create("me", "open")["id"]
    assert guest.ask("POST", f"/v1/games/{game}/seats", {}).status_code == 201
    host.post(talk_of(game), {"text": "Good luck!"})
    told = answer(guest.ask("GET", talk_of(game)), 200)
    assert (told["writes"], told["reason"], told["unread"]) == (None, "guest", 1)
    refused = answer(guest.ask("POST", talk_of(game), {"text": "Thank you"}), 409)
    assert (problem(refused), refused["reason"]) == ("talk_refused", "guest")
    assert guest.ask("PUT", f"{talk_of(game)}/read", {"number": 1}).status_code == 204
    assert answer(guest.ask("GET", talk_of(game)), 200)["unread"] == 0
    changed = answer(guest.ask("PUT", "/v1/me/talk", {"covers": True, "about": "player", "id": host.id}), 200)
    assert (changed["covers"], [one["id"] for one in changed["mutes"]]) == (True, [host.id])
    assert guest.ask("DELETE", f"{talk_of(game)}/1").status_code == 404


def test_a_guest_closes_the_talk_of_the_own_table(app: Flask) -> None:
    guest = Guest(app)
    made = answer(guest.ask("POST", "/v1/games", {"game": "spice_road", "seats": ["me", "open"]}), 201)
    body = {"room": "players", "closed": True}
    assert answer(guest.ask("PUT", f"{talk_of(made['id'])}/rooms", body), 200) == body
    framing = guest.client.post(f"/games/{made['id']}/framing", data={"csrf": guest.csrf("/keep")})
    assert (framing.status_code, framing.location) == (303, f"/games/{made['id']}")


def test_guests_find_no_form_that_is_refused_to_them(app: Flask) -> None:
    guest, host = Guest(app), somebody(app.test_client())
    game = host.create("me", "open")["id"]
    shown = guest.client.get("/account/settings").text
    assert 'id="appearance"' in shown
    assert "/account/settings/notices" not in shown
    assert "push" not in shown
    assert "/reports?" not in guest.client.get(f"/games/{game}").text


def test_people_at_a_screen_are_told_who_writes(client: FlaskClient) -> None:
    host = somebody(client)
    made = host.create("me", "here:Anna")
    anna = {SEAT: next(seat["player"]["id"] for seat in made["seats"] if seat["player"]["id"] != host.id)}
    told = answer(host.ask("GET", talk_of(made["id"]), **anna), 200)
    assert (told["writes"], told["reason"]) == (None, "at_screen")
    refused = answer(host.ask("POST", talk_of(made["id"]), {"text": "Hello"}, **anna), 409)
    assert (problem(refused), refused["reason"]) == ("talk_refused", "at_screen")
    assert host.post(talk_of(made["id"]), {"text": "Hello"})["room"] == "players"


def test_players_of_a_silent_table_write_nowhere_in_its_tournament(app: Flask) -> None:
    stage = {"format": "heats", "rounds": 1, "sizes": [2]}
    hall = Hall(app, [stage], silent=True, rated=True, leaver="forfeit").open(people=2)
    talk, (player, _) = f"{hall.path}/talk", hall.people
    player.post(talk, {"text": "Before the game"})
    hall.direct("stages")
    hall.start()
    assert answer(player.ask("GET", talk), 200)["reason"] == "own_table_silent"
    refused = player.post(talk, {"text": "Take the caravan"}, 409)
    assert (problem(refused), refused["reason"]) == ("talk_refused", "own_table_silent")
    assert "silent table" in refused["detail"]
    hall.host.post(talk, {"text": "Ten minutes left"})
    (game,) = hall.games()
    player.post(f"/v1/games/{game}/resign")
    player.post(talk, {"text": "After the game"})


def test_players_of_other_tables_write_in_their_tournament(app: Flask) -> None:
    stage = {"format": "heats", "rounds": 1, "sizes": [2]}
    hall = Hall(app, [stage], silent=False).open(people=2)
    hall.direct("stages")
    hall.start()
    hall.people[0].post(f"{hall.path}/talk", {"text": "Hello"})
