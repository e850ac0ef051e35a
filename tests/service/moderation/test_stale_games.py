"""Stale games: listed first, then ended if they still are; play in a game keeps it."""

from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient
from freezegun import freeze_time

from tests.support.service.administrators import acts_of, administrator
from tests.support.service.players import Person, answer, problem, somebody, two_at_a_table
from tests.support.service.tournament_fixture import Hall

LIST = "/v1/admin/stale-games"


@pytest.fixture
def admin(app: Flask) -> Person:
    return administrator(app)


def after(days: int) -> AbstractContextManager[object]:
    """Lets the clock of the service go forward."""
    return freeze_time(datetime.now(UTC) + timedelta(days=days), tick=True)


def listed(admin: Person, **ages: int) -> list[str]:
    wanted = "&".join(f"{name}={days}" for name, days in ages.items())
    return [game["id"] for game in answer(admin.ask("GET", f"{LIST}?{wanted}"), 200)["games"]]


def end(admin: Person, games: list[str], **ages: int) -> dict[str, Any]:
    return admin.post(f"{LIST}/end", {"games": games, "reason": "nobody plays", **ages}, 200)


def status_of(admin: Person, game: str) -> str:
    return str(answer(admin.ask("GET", f"/v1/games/{game}"), 200)["status"])


def test_old_open_tables_and_idle_games_are_listed_and_ended(client: FlaskClient, admin: Person) -> None:
    table = somebody(client).create("me", "open")["id"]
    idle = two_at_a_table(client)[0]
    assert listed(admin, open_days=1, idle_days=1) == []
    with after(20):
        assert listed(admin, open_days=14, idle_days=90) == [table]
        assert {*listed(admin, open_days=14, idle_days=19)} == {table, idle}
        done = end(admin, [table, idle, str(uuid4())], open_days=14, idle_days=19)
        assert (done["ended"], len(done["left"])) == ([table, idle], 1)
        assert (status_of(admin, table), status_of(admin, idle)) == ("aborted", "aborted")
        acts = acts_of(admin)
        assert {(act["act"], act["reason"], act["subject"]["id"]) for act in acts} == {
            ("game_ended", "nobody plays", table),
            ("game_ended", "nobody plays", idle),
        }
        assert end(admin, [table], open_days=14, idle_days=19) == {"ended": [], "left": [table]}
        assert len(acts_of(admin)) == 2


def test_a_game_that_is_played_after_the_list_stays(client: FlaskClient, admin: Person) -> None:
    game, first, _ = two_at_a_table(client)
    with after(20):
        assert listed(admin, idle_days=10) == [game]
        first.move(game, "play create_2")
        assert end(admin, [game], idle_days=10) == {"ended": [], "left": [game]}
        assert status_of(admin, game) == "running"


def test_games_of_tournaments_are_left_to_their_directors(app: Flask, client: FlaskClient, admin: Person) -> None:
    hall = Hall(app, [{"format": "swiss", "rounds": 1, "sizes": [2]}], somebody(client))
    hall.open(2)
    hall.direct("stages")
    hall.start()
    with after(400):
        assert listed(admin) == []


def test_only_administrators_list_and_end_stale_games(client: FlaskClient) -> None:
    person = somebody(client)
    assert problem(answer(person.ask("GET", LIST), 403)) == "scope_missing"
    refused = person.post(f"{LIST}/end", {"games": [str(uuid4())], "reason": "x"}, 403)
    assert problem(refused) == "scope_missing"
