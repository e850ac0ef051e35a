"""Aborting by the maker of a game of house bots, and by an administrator, who states a reason."""

from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient

from projections.verify.bundle import verify
from service.players.commands.tokens import store_token
from tests.support.service.players import Person, answer, problem, running
from workers.jobs import play_on

LOGIN = {"password": "correct horse"}
WHY = "These games hold up the bots of others."


@pytest.fixture
def admin(app: Flask, client: FlaskClient) -> Person:
    """A person whose only token is for administrators."""
    person, container = Person(client, "Olga"), app.extensions["cabildo"]
    with container.stores.pool.connection() as connection:
        _, person.token = store_token(connection, container.now(), UUID(person.id), "operator", ["admin"])
    return person


def play_bots(app: Flask, game: str, moves: int) -> int:
    """Lets the bots of a game make moves; returns the version after them."""
    container = app.extensions["cabildo"]
    table = play_on(container, UUID(game), container.games.load(UUID(game)).head.seq, most=moves)
    assert table is not None
    return table.head.seq


def last_abort(client: FlaskClient, game: str) -> dict[str, Any]:
    """Returns the newest note of a game that is over."""
    note: dict[str, Any] = answer(client.get(f"/v1/games/{game}/replay"), 200)["notes"][-1]
    return note


def test_the_maker_aborts_a_game_of_bots_in_any_round(app: Flask, client: FlaskClient) -> None:
    anna = Person(client, "Anna")
    game = anna.create("bot:random", "bot:random")["id"]
    play_bots(app, game, 9)  # beyond the first round
    ended = anna.post(f"/v1/games/{game}/abort", {"reason": "too many"})
    assert (ended["status"], ended["event"]["data"]["cause"]) == ("aborted", "maker")
    assert answer(anna.ask("GET", "/v1/me"), 200)["quotas"]["games"]["used"] == 0
    container = app.extensions["cabildo"]
    version = container.games.load(UUID(game)).head.seq
    assert play_on(container, UUID(game), version - 1) is None  # a job that comes late finds nothing to do
    assert container.games.load(UUID(game)).head.seq == version
    assert verify(client.get(f"/v1/games/{game}/bundle").data, None).failure is None


def test_the_maker_aborts_a_game_of_bots_on_its_page(client: FlaskClient) -> None:
    session = answer(client.post("/v1/session", json=LOGIN | {"name": Person(client, "Anna", **LOGIN).name}), 201)
    sender = {"X-CSRF-Token": session["csrf"]}
    body = {"game": "spice_road", "seats": ["bot:random", "bot:random"]}
    game = answer(client.post("/v1/games", json=body, headers=sender), 201)["id"]
    assert f'action="/games/{game}/abort"' in client.get(f"/games/{game}").text
    assert client.post(f"/games/{game}/abort", data={"csrf": session["csrf"]}).status_code == 303
    assert answer(client.get(f"/v1/games/{game}"), 200)["result"] == {"cause": "maker"}
    assert f'action="/games/{game}/abort"' not in client.get(f"/games/{game}").text


def test_only_the_maker_aborts_a_game_of_bots(client: FlaskClient) -> None:
    anna, birgir = Person(client, "Anna"), Person(client, "Birgir")
    game = anna.create("bot:random", "bot:random")["id"]
    refused = birgir.post(f"/v1/games/{game}/abort", status=403)
    assert (problem(refused), refused["reason"]) == ("not_allowed", "not_seated")


def test_a_host_without_a_seat_does_not_abort_what_others_play(client: FlaskClient) -> None:
    anna, birgir = Person(client, "Anna"), Person(client, "Birgir")
    game = anna.create("open", "bot:random")["id"]
    birgir.join(game)
    assert anna.post(f"/v1/games/{game}/abort", status=403)["reason"] == "not_seated"


def test_a_host_who_resigned_a_rated_game_does_not_abort_it(client: FlaskClient) -> None:
    anna = Person(client, "Anna")
    rated, casual = (anna.create("me", "bot:random", "bot:random", rated=rated)["id"] for rated in (True, False))
    for game, status in ((rated, 403), (casual, 201)):
        anna.post(f"/v1/games/{game}/resign")
        anna.post(f"/v1/games/{game}/abort", status=status)


def test_a_proposal_to_abort_carries_no_reason(client: FlaskClient) -> None:
    game, (first, second) = running(client)
    for player in (first, second):
        player.move(game, "play create_2")
    refused = first.post(f"/v1/games/{game}/abort", {"reason": "late"}, 422)
    assert (problem(refused), refused["reason"]) == ("offer_refused", "reason")


@pytest.mark.parametrize("seats", [("me", "open"), ("bot:random", "bot:random")])
def test_an_administrator_ends_a_game_for_a_reason_that_is_recorded(
    seats: tuple[str, ...], client: FlaskClient, admin: Person
) -> None:
    game = Person(client, "Anna").create(*seats)["id"]
    ended = admin.post(f"/v1/games/{game}/end", {"reason": WHY})
    assert (ended["status"], ended["event"]["data"]["cause"]) == ("aborted", "administrator")
    assert ended["event"]["actor"] == admin.id
    again = admin.post(f"/v1/games/{game}/end", {"reason": WHY}, 409)
    assert (problem(again), again["status"]) == ("not_running", 409)
    if "open" not in seats:
        note = last_abort(client, game)
        assert (note["cause"], note["reason"]) == ("administrator", WHY)


def test_ending_a_game_takes_the_scope_admin_and_a_reason(client: FlaskClient, admin: Person) -> None:
    anna = Person(client, "Anna")
    game = anna.create("me", "open")["id"]
    assert problem(anna.post(f"/v1/games/{game}/end", {"reason": WHY}, 403)) == "scope_missing"
    assert problem(admin.post(f"/v1/games/{game}/end", {}, 422)) == "invalid_request"
    admin.post(f"/v1/games/{UUID(int=9)}/end", {"reason": WHY}, 404)
