"""Ending any game: of strangers, private, or of a tournament, whose directors then decide about the table."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.support.service.administrators import acts_of, administrator
from tests.support.service.players import Person, answer, problem, somebody
from tests.support.service.tournament_fixture import Hall


@pytest.fixture
def admin(app: Flask) -> Person:
    return administrator(app)


def test_a_private_game_ends_though_the_administrator_cannot_see_it(client: FlaskClient, admin: Person) -> None:
    host = somebody(client)
    game = host.create("me", "bot:random", visibility="private")["id"]
    assert admin.ask("GET", f"/v1/games/{game}").status_code == 404
    admin.post(f"/v1/games/{game}/end", {"reason": "spam"})
    ended = answer(host.ask("GET", f"/v1/games/{game}"), 200)
    assert (ended["status"], ended["result"]["cause"]) == ("aborted", "administrator")
    assert acts_of(admin, subject=game)[0]["reason"] == "spam"


def test_a_game_of_a_tournament_is_left_to_its_directors_when_ended(app: Flask, admin: Person) -> None:
    hall = Hall(app, [{"format": "swiss", "rounds": 1, "sizes": [2]}])
    hall.open(2)
    hall.direct("stages")
    hall.start()
    (game,) = hall.games()
    admin.post(f"/v1/games/{game}/end", {"reason": "spam"})
    hall.keep()
    assert problem(hall.direct("rounds/current/closing", {}, 409)) == "not_at_this_stage"
    hall.direct("rulings/void", {"round": 1, "table": 1, "reason": "ended by an administrator"})
    hall.keep()
    hall.direct("rounds/current/closing", {})
