"""What spectators are kept behind of is told at no door: not by lists, summaries, logs, boards, proofs or refusals."""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from events.sequencer import sequence_once
from projections.read_models import advance_all
from tests.service.people import Person, answer, problem, running, somebody

DELAY = 4
DOORS = ("", "/position", "/legal", "/events", "/replay?undone=true", "/record", "/bundle")
REQUESTS: dict[str, dict[str, Any]] = {
    "moves": {"move": "rest"},
    "moves?dry_run=true": {"move": "rest"},
    "undo": {},
    "take-back": {"to": 7},
    "offer": {"agrees": True},
    "resign": {},
    "abort": {},
    "record": {"lines": "rest"},
}


@pytest.fixture
def game(client: FlaskClient) -> tuple[str, list[Person]]:
    """A game of three in which the newest events are two moves, a proposal and a resignation."""
    game, people = running(client, "Anna", "Birgir", "Carla", spectator_delay=DELAY)
    for move in ("play create_2", "buy 1", "rest"):
        for person in people:
            person.move(game, move)
    people[2].post(f"/v1/games/{game}/take-back", {"to": 12})
    people[1].post(f"/v1/games/{game}/resign")
    return game, people


def withheld(person: Person, game: str) -> tuple[int, list[str]]:
    """The newest version that a spectator may know of, and what would betray the events after it."""
    events = answer(person.ask("GET", f"/v1/games/{game}/events"), 200)["events"]
    hidden = events[-DELAY:]
    assert [event["kind"] for event in hidden] == ["moved", "moved", "offer_made", "resigned"]
    return events[-1 - DELAY]["seq"], [event[name] for event in hidden for name in ("hash", "salt")]


def test_no_door_tells_of_events_that_spectators_are_kept_behind(
    client: FlaskClient, game: tuple[str, list[Person]]
) -> None:
    id, (first, *_) = game
    _, secrets = withheld(first, id)
    for headers in ({}, {"Authorization": f"Bearer {somebody(client).token}"}):
        for door in DOORS:
            told = client.get(f"/v1/games/{id}{door}", headers=headers)
            assert told.status_code == 200, door
            betrayed = [secret for secret in (*secrets, '"offer":{', "resigned") if secret in told.text]
            assert (door, betrayed) == (door, [])


def test_who_has_a_seat_is_told_everything(game: tuple[str, list[Person]]) -> None:
    id, (_, _, third) = game
    told = answer(third.ask("GET", f"/v1/games/{id}"), 200)
    assert told["offer"]["what"] == "take_back"
    assert [seat["stand_in"] for seat in told["seats"]] == [None, "random", None]


def test_lists_and_search_tell_nothing_of_it_either(
    app: Flask, client: FlaskClient, game: tuple[str, list[Person]]
) -> None:
    id, (first, *_) = game
    with app.extensions["cabildo"].stores.pool.connection() as connection:
        while sequence_once(connection) or advance_all(connection):
            pass
    version, _ = withheld(first, id)
    (listed,) = answer(client.get("/v1/games?status=running"), 200)["games"]
    assert (listed["id"], listed["version"], listed["status"], listed["result"]) == (id, version, "running", None)
    assert {listed[name] for name in ("head", "turn", "changed")} == {None}
    assert {(seat["stand_in"], seat["forfeited"]) for seat in listed["seats"]} == {(None, False)}
    assert answer(client.get("/v1/games?fact=merchant_card_taken"), 200)["games"] == []


def test_a_stranger_learns_no_version_by_claiming_one(client: FlaskClient, game: tuple[str, list[Person]]) -> None:
    stranger = somebody(client)
    for path, body in REQUESTS.items():
        for expected in (3, 17):
            refused = stranger.post(f"/v1/games/{game[0]}/{path}", {**body, "expected": expected}, 403)
            assert problem(refused) == "not_allowed"


def test_of_a_private_game_a_stranger_learns_not_even_that_it_is_there(client: FlaskClient) -> None:
    host, guest, stranger = somebody(client), somebody(client), somebody(client)
    private = host.create("me", guest.id, visibility="private")["id"]
    guest.join(private)
    for path, body in REQUESTS.items():
        refused = stranger.post(f"/v1/games/{private}/{path}", {**body, "expected": 1}, 404)
        assert problem(refused) == "not_there"
