"""Moves over HTTP: one request validates, writes and answers; nothing is made twice."""

from typing import Any

from flask.testing import FlaskClient

from tests.service.people import Person, in_turn, problem


def two_at_a_table(client: FlaskClient, **more: Any) -> tuple[str, Person, Person]:
    """A running game of two, and its people in turn order."""
    anna, birgir = Person(client, "Anna"), Person(client, "Birgir")
    created = anna.create("me", "open", **more)
    first, second = in_turn(birgir.join(created["id"]), anna, birgir)
    return created["id"], first, second


def test_a_move_is_answered_with_its_event_and_the_next_turn(client: FlaskClient) -> None:
    game, first, _ = two_at_a_table(client)
    made = first.move(game, "play create_2")
    assert made["event"]["data"]["move"] == "play create_2"
    assert made["event"]["actor"] == first.id
    assert made["version"] == made["event"]["seq"] == 5
    assert made["turn"] == {"seat": 1, "decision": "action"}


def test_who_is_not_to_act_is_told_who_is(client: FlaskClient) -> None:
    game, _, second = two_at_a_table(client)
    refused = second.move(game, "play create_2", 422)
    assert problem(refused) == "not_your_turn"


def test_the_first_player_can_be_chosen_by_the_option_of_the_rules(client: FlaskClient) -> None:
    anna, birgir = Person(client, "Anna"), Person(client, "Birgir")
    game = anna.create("me", "open", options={"first_player": 1})["id"]
    assert [seat["chair"] for seat in birgir.join(game)["seats"]] == [1, 0]
    birgir.move(game, "play create_2")
