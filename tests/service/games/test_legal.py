"""The answer of `/legal` has one shape: for a viewer in turn or not, with a seat or none, before, during and after."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.support.service.players import Person, answer, running, somebody
from tests.support.service.shared_fixtures import app, client, environ

__all__ = ["app", "client", "environ"]  # shared by the tests of this module
Table = tuple[str, Person, Person]
KEYS = {"version", "viewer", "yours", "none", "seat", "decision", "complete", "count", "moves", "slots"}


@pytest.fixture(scope="module")
def table(client: FlaskClient) -> Table:
    """A running game of two in its first turn, which no test moves on."""
    game, (first, second) = running(client)
    return game, first, second


def legal(person: Person, game: str, query: str = "", **headers: str) -> dict[str, Any]:
    """Returns the answer for a player."""
    return answer(person.ask("GET", f"/v1/games/{game}/legal{query}", **headers), 200)


def test_the_seat_to_act_gets_its_moves(table: Table) -> None:
    game, first, _ = table
    told = legal(first, game)
    assert told.keys() == KEYS
    assert (told["viewer"], told["yours"], told["none"], told["seat"]) == (0, True, None, 0)
    assert told["complete"]
    assert told["count"] == len(told["moves"]) > 0


def test_another_seat_gets_none_with_the_reason(table: Table) -> None:
    game, _, second = table
    told = legal(second, game, accept_language="sv")
    assert told.keys() == KEYS
    assert (told["viewer"], told["yours"], told["seat"], told["decision"]) == (1, False, 0, "action")
    assert (told["count"], told["moves"], told["slots"]) == (0, [], None)
    assert told["none"] == {"reason": "not_your_turn", "sentence": "Plats 1 är på tur."}


def test_a_player_may_ask_for_the_moves_of_the_seat_to_act(table: Table) -> None:
    game, first, second = table
    told = legal(second, game, "?mine=false")
    assert (told["yours"], told["none"]) == (False, None)
    assert told["moves"] == legal(first, game)["moves"]


def test_a_spectator_gets_the_moves_of_the_seat_to_act(client: FlaskClient, table: Table) -> None:
    game, first, _ = table
    watcher = somebody(client)
    told = legal(watcher, game)
    assert (told["viewer"], told["yours"], told["none"]) == (None, False, None)
    assert told["moves"] == legal(first, game)["moves"]
    assert legal(watcher, game, "?mine=true")["none"]["reason"] == "not_seated"


def test_a_game_that_waits_has_no_moves_yet(client: FlaskClient) -> None:
    host = somebody(client)
    game = host.create("me", "open")["id"]
    for query in ("", "?mine=false", "?begin="):
        told = legal(host, game, query)
        assert (told["seat"], told["decision"], told["moves"]) == (None, None, [])
        assert told["none"]["reason"] == "not_started"


def test_a_player_who_resigned_has_no_moves(client: FlaskClient) -> None:
    game, (first, second, third) = running(client, "Cora", "Disa", "Eva")
    second.post(f"/v1/games/{game}/resign")
    told = legal(second, game)
    assert (told["none"]["reason"], told["yours"]) == ("not_playing", False)
    assert legal(first, game)["yours"]
    assert legal(third, game)["none"]["reason"] == "not_your_turn"


def test_a_game_that_is_over_has_no_moves(client: FlaskClient) -> None:
    game, (first, _) = running(client, "Freya", "Gunnar")
    first.post(f"/v1/games/{game}/abort")
    told = legal(first, game)
    assert (told["seat"], told["none"]["reason"]) == (None, "game_is_over")


def test_a_half_made_move_is_completed(table: Table) -> None:
    game, first, second = table
    moves = [one["move"] for one in legal(first, game)["moves"]]
    begun = legal(first, game, "?begin=")["continuations"]
    assert {one["text"].split(" ")[0] for one in begun} == {move.split(" ")[0] for move in moves}
    found = legal(first, game, "?begin=play")["continuations"]
    assert all(one["text"].startswith("play") for one in found)
    assert {one["text"] for one in found if one["complete"]} <= {*moves}
    assert legal(first, game, "?begin=fly")["continuations"] == []
    assert legal(second, game, "?begin=play")["continuations"] == []


def test_moves_out_of_turn_are_all_refused(table: Table) -> None:
    game, _, second = table
    told = legal(second, game, "?why_not=rest")
    assert told["asked"] == [{"move": "rest", "open": False}]
    assert told["refused"][0]["reason"] == "not_your_turn"
    assert told["refused"][0]["rule_page"].endswith(f"?language=en#{told['refused'][0]['rule']}")
    assert told["refused"][0]["rule"]


@pytest.mark.parametrize("query", ["mine=perhaps", "mine=", "begin=x&begin=y"])
def test_a_malformed_question_is_refused(table: Table, query: str) -> None:
    game, first, _ = table
    answer(first.ask("GET", f"/v1/games/{game}/legal?{query}"), 422)
