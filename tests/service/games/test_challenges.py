"""Challenges to chosen players, and many games opened at once with the client's own bots."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.support.service.players import Person, answer, problem, somebody
from tests.support.service.shared_fixtures import app, client, environ

__all__ = ["app", "client", "environ"]  # shared by the tests of this module
TERMS = {"game": "spice_road"}


def waiting(person: Person) -> dict[str, list[str]]:
    """Returns the ids of a player's challenges."""
    found = answer(person.ask("GET", "/v1/challenges"), 200)
    return {name: [game["id"] for game in games] for name, games in found.items()}


def own_bot(person: Person, name: str) -> str:
    """Returns the id of a new bot of a player."""
    return str(person.post("/v1/bots", {"name": name, "engine": "test 1"})["player"]["id"])


def test_a_challenge_is_accepted(client: FlaskClient) -> None:
    host, guest = somebody(client), somebody(client)
    game = host.post("/v1/challenges", {**TERMS, "opponents": [guest.id], "rated": True})["id"]
    assert waiting(guest) == {"received": [game], "sent": []}
    assert waiting(host) == {"received": [], "sent": [game]}
    assert guest.post(f"/v1/challenges/{game}/accept")["status"] == "running"
    assert waiting(guest) == waiting(host) == {"received": [], "sent": []}


def test_a_challenge_is_declined_and_its_seat_is_open(client: FlaskClient) -> None:
    host, guest, other = somebody(client), somebody(client), somebody(client)
    game = host.post("/v1/challenges", {**TERMS, "opponents": [guest.id]})["id"]
    assert problem(other.post(f"/v1/challenges/{game}/decline", status=403)) == "not_allowed"
    assert guest.post(f"/v1/challenges/{game}/decline")["status"] == "open"
    assert waiting(guest)["received"] == []
    assert other.join(game)["status"] == "running"


def test_a_challenge_of_nobody_known_is_refused(client: FlaskClient) -> None:
    host = somebody(client)
    unknown = "01900000-0000-7000-8000-000000000000"
    assert problem(host.post("/v1/challenges", {**TERMS, "opponents": [unknown]}, 404)) == "not_there"
    assert problem(host.post("/v1/challenges", {**TERMS, "opponents": []}, 422)) == "invalid_request"
    assert problem(host.post("/v1/challenges", {**TERMS, "opponents": [host.id]}, 422)) == "bad_options"


def test_pairings_seat_the_own_bots_and_challenge_others(client: FlaskClient) -> None:
    host, guest = somebody(client), somebody(client)
    one, other = own_bot(host, "First of a pair"), own_bot(host, "Second of a pair")
    pairings = [[one, other], [other, one], [one, guest.id], [one, "bot:random"], [one, one]]
    games = host.post("/v1/pairings", {**TERMS, "pairings": pairings})["games"]
    assert [game["status"] for game in games] == ["running", "running", "open", "running", None]
    assert [game["problem"] and problem(game["problem"]) for game in games] == [None] * 4 + ["bad_options"]
    told = client.get(f"/v1/games/{games[0]['game']}").get_json()
    assert {(seat["player"]["id"], seat["program"]) for seat in told["seats"]} == {(one, True), (other, True)}
    assert waiting(guest)["received"] == [games[2]["game"]]


def test_a_repeated_request_opens_no_game_twice(client: FlaskClient) -> None:
    host = somebody(client)
    one, other = own_bot(host, "Once of a pair"), own_bot(host, "Twice of a pair")
    body = {**TERMS, "pairings": [[one, other], [other, one]]}
    first, second = (host.post("/v1/pairings", body, idempotency_key="evening")["games"] for _ in range(2))
    assert [game["game"] for game in first] == [game["game"] for game in second]
    assert len({game["game"] for game in first}) == 2
    assert [game["status"] for game in second] == ["running", "running"]


def test_bots_that_commit_to_chance_are_called_and_sit_down_themselves(client: FlaskClient) -> None:
    host = somebody(client)
    one, other = own_bot(host, "Commits of a pair"), own_bot(host, "Reveals of a pair")
    (game,) = host.post("/v1/pairings", {**TERMS, "chance": 2, "pairings": [[one, other]]})["games"]
    assert game["status"] == "open"


@pytest.mark.parametrize("pairings", [[], [[]], [["me"] * 6], [["me", "open"]] * 51, "me"], ids=lambda one: len(one))
def test_malformed_pairings_are_refused(client: FlaskClient, pairings: Any) -> None:
    refused = somebody(client).post("/v1/pairings", {**TERMS, "pairings": pairings}, 422)
    assert "pairings" in refused["errors"]["json"]
