"""What spectators are kept behind of is told at no door: not by lists, summaries, logs, boards, proofs or refusals."""

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from events.log.sequencer import sequence_once
from projections.read_models.registry import advance_all
from tests.support.service.players import Person, answer, problem, running, somebody

DELAY = 4
DOORS = ("", "/position", "/legal", "/events", "/replay?undone=true", "/outline?undone=true", "/record", "/bundle")
FOR_SPECTATORS = ("/embed", "/invite", "/invite.svg", "/share.png")  # pages and pictures
REQUESTS: dict[str, dict[str, Any]] = {
    "moves": {"move": "rest"},
    "moves?dry_run=true": {"move": "rest"},
    "undo": {},
    "take-back": {"to": 7},
    "offer": {"agrees": True},
    "resign": {},
    "abort": {},
    "record": {"lines": "rest"},
    "rematch": {},
    "offer/withdrawal": {},
    "pause": {"seconds": 60},
    "pause/end": {},
}
NONE = "00000000-0000-7000-8000-000000000000"  # the id of nothing
OTHERWISE: dict[tuple[str, str], tuple[dict[str, Any], int]] = {  # requests that need no seat and no version
    ("POST", "seats"): ({}, 409),
    ("POST", "entropy"): ({"entropy": "00" * 32}, 403),
    ("DELETE", "seats/mine"): ({}, 409),
    ("POST", "analyses"): ({}, 409),
    ("GET", "analyses"): ({}, 409),
    ("GET", "studies"): ({}, 200),
    ("GET", "points"): ({}, 409),
    ("GET", "answers"): ({}, 403),
    ("POST", "answers"): ({"move": "rest"}, 403),
    ("DELETE", "answers"): ({}, 403),
    ("DELETE", f"answers/{NONE}"): ({}, 403),
    ("GET", "talk"): ({}, 200),
    ("POST", "talk"): ({"text": "who leads?"}, 201),
    ("PUT", "talk/read"): ({"number": 0}, 204),
    ("PUT", "talk/rooms"): ({"room": "players", "closed": True}, 403),
    ("DELETE", "talk/1"): ({}, 204),
}
OF_ADMINISTRATORS = ("rules", "end")
OF_CHALLENGES = ("accept", "decline")
TELLING = ("version", "seq", "next", "newest", "current", "head")  # members that would tell how far a game has come


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
    """Returns the newest version a spectator may see, and the values that would reveal later events."""
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


def test_no_page_or_picture_for_spectators_shows_later_events(
    client: FlaskClient, game: tuple[str, list[Person]]
) -> None:
    id, (first, *_) = game
    version, secrets = withheld(first, id)
    for path in FOR_SPECTATORS:
        told = client.get(f"/games/{id}{path}", headers={"Accept": "*/*"})
        assert (path, told.status_code in (200, 404, 409)) == (path, True)
        assert [secret for secret in secrets if secret in told.get_data().decode("latin-1")] == []
    assert client.get(f"/games/{id}/share.png?at={version}").status_code == 200
    assert client.get(f"/games/{id}/share.png?at={version + 1}").status_code == 404


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


def tellings(told: Any) -> Iterator[Any]:
    """Yields the versions in an answer, at any depth."""
    if isinstance(told, dict):
        yield from (value for name, value in told.items() if name in TELLING and not isinstance(value, dict))
        yield from (one for value in told.values() for one in tellings(value))
    elif isinstance(told, list):
        yield from (one for value in told for one in tellings(value))


def test_every_route_with_a_game_is_tried_by_a_spectator(app: Flask) -> None:
    paths = {rule.rule.partition("<uuid:game>")[2] for rule in app.url_map.iter_rules() if "game" in rule.arguments}
    tried = {door.partition("?")[0] for door in DOORS}
    tried |= {
        f"/{path.partition('?')[0]}"
        for path in (*REQUESTS, *(path for _, path in OTHERWISE), *OF_ADMINISTRATORS, *OF_CHALLENGES)
    }
    paths = {path.replace("<int:number>", "1").replace("<uuid:answer>", NONE) for path in paths}
    assert paths - {"/play", "/join", "/leave", "/framing"} == tried | {*FOR_SPECTATORS}


def test_no_other_answer_tells_more_than_the_delayed_view(client: FlaskClient, game: tuple[str, list[Person]]) -> None:
    id, (first, *_) = game
    version, secrets = withheld(first, id)
    stranger = somebody(client)
    asked = {(method, f"/v1/games/{id}/{path}"): expected for (method, path), expected in OTHERWISE.items()}
    asked |= {("POST", f"/v1/challenges/{id}/{path}"): ({}, 409) for path in OF_CHALLENGES}
    for (method, path), (body, status) in asked.items():
        told = stranger.ask(method, path, None if method in ("GET", "DELETE") else body)
        assert (path, told.status_code) == (path, status)
        assert [one for one in tellings(told.get_json(silent=True)) if isinstance(one, int) and one > version] == []
        assert [secret for secret in secrets if secret in told.text or secret in str(told.headers)] == []


def test_a_refusal_is_the_same_whatever_version_a_spectator_claims(
    client: FlaskClient, game: tuple[str, list[Person]]
) -> None:
    id, (first, *_) = game
    version, _ = withheld(first, id)
    stranger = somebody(client)
    for path, body in REQUESTS.items():
        answers = []
        for expected in (1, version, version + DELAY, 999):
            told = stranger.ask("POST", f"/v1/games/{id}/{path}", {**body, "expected": expected})
            document = {name: value for name, value in told.get_json().items() if name != "request_id"}
            answers.append((told.status_code, document, told.headers.get("ETag")))
            assert list(tellings(document)) == []
        assert answers == answers[:1] * len(answers)


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
