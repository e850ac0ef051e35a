"""Rules and what-if over HTTP."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from projections.rules.errors import TimeBudgetExceeded
from projections.rules.registry import GAMES
from projections.rules.time_budget import TimeBudget
from service import settings
from service.app import create_app
from tests.service.games.test_queries import a_played_game, read
from tests.support.projections.random_games import random_game, written
from tests.support.service.players import answer, problem, running, somebody


def ask(client: FlaskClient, status: int = 200, **question: Any) -> dict[str, Any]:
    return answer(client.post("/v1/analysis", json={"game": "spice_road", **question}), status)


def test_the_games_are_listed_with_options_and_notation(client: FlaskClient) -> None:
    games = read(client, "/v1/rules")["games"]
    assert [(game["game"], game["seats"]) for game in games] == [(game, [2, 3, 4, 5]) for game in GAMES]
    told = read(client, "/v1/rules/puerto_rico")
    options = {option["name"]: option for option in told["options"]}
    assert options["vp_display"]["values"] == ["hidden", "open"]
    assert (options["expansions"]["several"], options["expansions"]["default"]) == (True, [])
    assert "build harbor" in [form["move"] for form in told["notation"]]
    assert problem(read(client, "/v1/rules/chess", 404)) == "not_there"


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_every_example_of_the_notation_is_canonical(game: Any) -> None:
    moves = [form.move for form in game.examples]
    assert [game.notation(game.parse(move)) for move in moves] == moves


@pytest.mark.parametrize("game", GAMES)
def test_a_new_game_is_dealt_from_a_seed_and_again_from_what_was_drawn(client: FlaskClient, game: str) -> None:
    dealt = ask(client, game=game, seats=3, seed="tuesday")
    assert ask(client, game=game, seats=3, draws=dealt["drew"])["position"] == dealt["position"]
    assert dealt["legal"]["seat"] == dealt["turn"]["seat"] == 0
    first = dealt["legal"]["moves"][0]["move"]
    played = ask(client, game=game, position=dealt["position"], moves=[first], seed="wednesday")
    assert (played["steps"][0]["move"], played["steps"][0]["seat"]) == (first, 0)
    assert played["facts"] == played["steps"][0]["facts"]


def test_a_position_handed_out_is_taken_as_it_is_and_edited(client: FlaskClient) -> None:
    game, first, _ = a_played_game(client)
    shown = first.ask("GET", f"/v1/games/{game}/position").get_json()
    assert ask(client, position=shown)["turn"] == shown["turn"]
    shown["players"][0]["caravan"]["cinnamon"] += 1
    assert ask(client, position=shown)["position"]["players"][0]["caravan"]["cinnamon"] == 1
    shown["players"][0]["caravan"]["cinnamon"] = 99
    refused = ask(client, 422, position=shown)
    assert (problem(refused), refused["where"]) == ("impossible_position", "players[0].caravan")


@pytest.mark.parametrize("eyes", ["own", "spectator"])
def test_a_view_with_hidden_hands_is_taken_back_as_handed_out(client: FlaskClient, eyes: str) -> None:
    game, (first, second) = running(client, options={"hand_visibility": "owner_only"})
    for _ in range(3):
        for person in (first, second):
            person.move(game, person.ask("GET", f"/v1/games/{game}/legal").get_json()["moves"][-1]["move"])
    path = f"/v1/games/{game}/position"
    shown = (first.ask("GET", path) if eyes == "own" else client.get(path)).get_json()
    assert shown["hides"]
    told = ask(client, position=shown, seed="monday")
    assert (told["turn"], told["supposed"]) == (shown["turn"], shown["hides"])
    assert ask(client, position=told["position"])["supposed"] == []
    shown["players"][1]["hand_count"] = 99
    assert problem(ask(client, 422, position=shown)) == "impossible_position"


def test_the_first_impossible_move_is_named_with_what_would_be_legal(client: FlaskClient) -> None:
    refused = ask(client, 422, seats=2, seed="x", moves=["play create_2", "claim 1", "sing"])
    assert (problem(refused), refused["line"], refused["text"]) == ("impossible_line", 2, "claim 1")
    assert "play create_2" in refused["legal"]
    assert refused["rule"]


def test_draws_that_cannot_be_and_draws_left_over_are_refused(client: FlaskClient) -> None:
    wrong = ask(client, 422, seats=2, draws=["nothing"])
    assert (problem(wrong), wrong["line"], len(wrong["possible"])) == ("impossible_line", 0, 36)
    dealt = ask(client, seats=2)
    left = ask(client, 422, seats=2, draws=[*dealt["drew"], "get_b"])
    assert (problem(left), left["left"]) == ("needless_draw", ["get_b"])


def test_a_question_says_where_to_begin_and_stays_within_bounds(client: FlaskClient) -> None:
    assert problem(ask(client, 422)) == "invalid_request"
    assert problem(ask(client, 422, seats=2, moves=["rest"] * 1_001)) == "invalid_request"
    assert problem(ask(client, 422, game="chess", seats=2)) == "invalid_request"
    assert problem(ask(client, 422, seats=2, options={"colour": "blue"})) == "bad_options"


def test_a_refused_move_is_told_in_the_same_words_to_everybody(client: FlaskClient) -> None:
    dealt = ask(client, seats=2)
    by_token = somebody(client).ask("POST", "/v1/analysis", {"game": "spice_road", "seats": 2})
    assert by_token.get_json() == dealt


def test_who_asks_for_more_than_there_is_time_for_is_told_how_far_it_came(environ: dict[str, str]) -> None:
    app = create_app(settings.load({**environ, "CABILDO_QUESTION_SECONDS": "0"}))
    client = app.test_client()
    refused = ask(client, 422, seats=2, moves=["play create_2"] * 2)
    assert (problem(refused), refused["done"], refused["seconds"]) == ("takes_too_long", 0, 0)
    record = {"record": written(random_game(GAMES["spice_road"], 2, seed=1, longest=4))}
    assert problem(somebody(client).post("/v1/games/import", record, 422)) == "takes_too_long"
    assert read(client, "/v1/games")["games"] == []
    app.extensions["cabildo"].close()


def test_patience_ends_in_the_middle_of_work() -> None:
    times = iter(range(10))
    patience, done = TimeBudget(3, lambda: next(times)), list[str]()
    with pytest.raises(TimeBudgetExceeded) as refused:
        done.extend(patience.through("abcdef"))
    assert (refused.value.done, refused.value.seconds) == (2, 3)
