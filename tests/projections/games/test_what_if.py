"""What-if: any position, any moves, declared or random chance, nothing stored."""

import json
from typing import Any, cast

import pytest

from events.json_types import JsonObject
from projections.games.board_diff import gains
from projections.games.errors import ImpossibleLine, NeedlessDraw
from projections.games.execute_move import set_up
from projections.games.replay import GameSetup, position_at
from projections.games.what_if import AnalysisDraws, Start, analyse
from projections.rules.errors import ImpossiblePosition
from projections.rules.protocol import Game
from projections.rules.registry import GAMES
from tests.support.projections.random_games import PlayedGame, random_game

EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
SPICE = GAMES["spice_road"]


def moves_of(played: PlayedGame, after: int = 2) -> list[str]:
    return [str(event.data["move"]) for event in played.events[after:]]


def draws_of(played: PlayedGame, after: int = 1) -> list[str]:
    return [draw for event in played.events[after:] for draw in cast(list[str], event.data["drew"])]


@EVERY_GAME
def test_the_moves_and_draws_of_a_game_lead_to_its_end(game: Game[Any, Any]) -> None:
    played = random_game(game, 3, seed=21)
    told = analyse(game, Start(seats=3), moves_of(played), AnalysisDraws(draws_of(played)), "en")
    assert told["position"] == game.document(played.position)
    assert told["turn"] is None
    assert cast(JsonObject, told["legal"])["moves"] == []
    outcome = game.outcome(played.position)
    assert outcome is not None
    assert cast(JsonObject, told["result"])["points"] == list(outcome.points)
    assert json.loads(json.dumps(told))["scores"] == list(game.scores(played.position))


@EVERY_GAME
def test_an_analysis_goes_on_from_the_position_it_handed_out(game: Game[Any, Any]) -> None:
    played = random_game(game, 2, seed=22, longest=40)
    middle = json.loads(json.dumps(game.document(position_at(played.setting, played.events, 20))))
    told = analyse(game, Start(middle), moves_of(played, 20), AnalysisDraws(draws_of(played, 20)), "en")
    assert told["position"] == game.document(played.position)
    assert [step["facts"] for step in cast(list[JsonObject], told["steps"])] == [
        event.data["facts"] for event in played.events[20:]
    ]


@EVERY_GAME
def test_chance_that_is_not_declared_is_dealt_the_same_for_the_same_seed(game: Game[Any, Any]) -> None:
    one, same, other = (analyse(game, Start(seats=2), [], AnalysisDraws(None, seed), "en") for seed in ("a", "a", "b"))
    assert one == same
    assert one["drew"] != other["drew"]
    again = analyse(game, Start(seats=2), [], AnalysisDraws(cast(list[str], one["drew"])), "en")
    assert again["position"] == one["position"]


def test_the_first_move_that_cannot_be_is_named_with_the_legal_ones() -> None:
    played = random_game(SPICE, 2, seed=23, longest=8)
    with pytest.raises(ImpossibleLine) as why:
        analyse(SPICE, Start(seats=2), [*moves_of(played), "claim 9", "sing"], AnalysisDraws(draws_of(played)), "en")
    assert (why.value.line, why.value.text) == (7, "claim 9")
    assert "rest" in why.value.legal or "buy 1" in why.value.legal


def test_draws_are_neither_missing_nor_left_over() -> None:
    played = random_game(SPICE, 2, seed=23, longest=8)
    with pytest.raises(ImpossibleLine) as missing:
        analyse(SPICE, Start(seats=2), [], AnalysisDraws([]), "en")
    assert (missing.value.line, missing.value.reason) == (0, "impossible_draw")
    assert len(missing.value.possible) == 36
    with pytest.raises(NeedlessDraw) as left:
        analyse(SPICE, Start(seats=2), moves_of(played), AnalysisDraws([*draws_of(played), "get_b"]), "en")
    assert left.value.left == ("get_b",)


def test_a_position_that_cannot_be_is_refused() -> None:
    told = cast(JsonObject, analyse(SPICE, Start(seats=2), [], AnalysisDraws(None), "en")["position"])
    with pytest.raises(ImpossiblePosition):
        analyse(SPICE, Start({**told, "gold_supply": 99}), [], AnalysisDraws(None), "en")


def players(*players: JsonObject) -> JsonObject:
    """As much of a document as gains are read from."""
    return {"players": players}


def test_gains_name_what_each_seat_won_and_lost() -> None:
    before = players({"doubloons": 3, "goods": {"corn": 2}, "city": []}, {"doubloons": 1, "hand": ["a"]})
    harbor: JsonObject = {"building": "harbor", "colonists": 1}
    after = players({"doubloons": 1, "goods": {"corn": 2}, "city": [harbor]}, {"doubloons": 2, "hand": ["a", "b", "b"]})
    assert gains(before, after) == [
        {"doubloons": -2, "city.harbor": 1, "city.harbor.colonists": 1},
        {"doubloons": 1, "hand.b": 2},
    ]


def test_what_is_hidden_before_or_after_yields_no_gain() -> None:
    before, after = players({"vp": None, "hand": None}), players({"vp": 12, "hand": ["a"]})
    assert gains(before, after) == gains(after, before) == [{}]


@EVERY_GAME
def test_every_view_that_hides_no_more_than_points_can_be_played_on_from(game: Game[Any, Any]) -> None:
    played = random_game(game, 3, seed=24, longest=150)
    for seen_by in (None, 0, 2):
        view = json.loads(json.dumps(game.view(played.position, seen_by)))
        assert view["viewer"] == seen_by
        told = analyse(game, Start(view), [], AnalysisDraws([]), "en")
        assert (
            told["legal"] == analyse(game, Start(game.document(played.position)), [], AnalysisDraws([]), "en")["legal"]
        )


def test_what_a_view_hides_besides_points_has_to_be_filled_in() -> None:
    setting = GameSetup(SPICE, SPICE.read_options({"hand_visibility": "owner_only"}, 2), 2)
    position, _ = set_up(SPICE, setting.options, 2, AnalysisDraws(None).dealer)
    with pytest.raises(ImpossiblePosition) as refused:
        SPICE.restore(SPICE.view(position, 0))
    assert refused.value.where == "players[1].hand"
