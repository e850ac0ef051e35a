"""Renaming by administrators: another name at once, the old one reserved, events as they were."""

from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.support.service.administrators import acts_of, administrator
from tests.support.service.players import Person, answer, problem, two_at_a_table

WHY = "a slur"


@pytest.fixture
def admin(app: Flask) -> Person:
    return administrator(app)


@pytest.fixture
def player(client: FlaskClient) -> Person:
    return Person(client, f"Offensive {uuid4().hex[:8]}")


def rename(admin: Person, player: Person, status: int = 200, **name: str) -> dict[str, object]:
    path = f"/v1/admin/players/{player.id}/name"
    return answer(admin.ask("PUT", path, {"reason": WHY, **name}), status)


def test_a_renamed_player_has_the_new_name_everywhere(client: FlaskClient, admin: Person) -> None:
    game, first, other = two_at_a_table(client)
    before = other.ask("GET", f"/v1/games/{game}/events").get_json()["events"]
    bundle = other.ask("GET", f"/v1/games/{game}").get_json()["version"]
    rename(admin, first, name="Gentle")
    seen = answer(other.ask("GET", f"/v1/games/{game}"), 200)
    assert "Gentle" in [seat["player"]["name"] for seat in seen["seats"]]
    assert first.name not in str(seen)
    assert other.ask("GET", f"/v1/games/{game}/events").get_json()["events"] == before
    assert (seen["version"], answer(first.ask("GET", "/v1/me"), 200)["name"]) == (bundle, "Gentle")


def test_without_a_name_one_is_generated(admin: Person, player: Person) -> None:
    renamed = rename(admin, player)
    assert str(renamed["name"]).startswith("Player ")
    (act,) = acts_of(admin, subject=player.id)
    assert (act["act"], act["reason"], act["details"]) == ("player_renamed", WHY, {"generated": True})
    assert player.name not in str(act)


def test_the_old_name_is_reserved_also_for_its_player(client: FlaskClient, admin: Person, player: Person) -> None:
    rename(admin, player)
    assert problem(answer(client.post("/v1/players", json={"name": player.name}), 409)) == "name_taken"
    assert problem(answer(player.ask("PATCH", "/v1/me", {"name": player.name.upper()}), 409)) == "name_taken"


def test_a_name_that_differs_in_case_alone_is_not_reserved(admin: Person, player: Person) -> None:
    rename(admin, player, name=player.name.upper())
    rename(admin, player, name=player.name)


@pytest.mark.parametrize(
    ("name", "status", "type"),
    [("Administrator", 422, "name_reserved"), ("x" * 60, 422, "bad_name"), ("\u200b", 422, "bad_name")],
)
def test_the_rules_of_names_hold(admin: Person, player: Person, name: str, status: int, type: str) -> None:
    assert problem(rename(admin, player, status, name=name)) == type
    assert acts_of(admin) == []


def test_a_look_alike_is_refused(client: FlaskClient, admin: Person, player: Person) -> None:
    Person(client, "Anna Pavlova")
    assert problem(rename(admin, player, 409, name="\u0410nna Pavlova")) == "name_confusable"


def test_an_erased_player_cannot_be_renamed(admin: Person, player: Person) -> None:
    assert player.ask("DELETE", "/v1/me").status_code == 204
    rename(admin, player, 404)
