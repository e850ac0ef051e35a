"""A board is what the recorded facts make of it, at every version, whatever was undone on the way."""

import random
from typing import Any

import pytest

from projections.games.execute_move import digest, execute
from projections.games.replay import position_at, steps
from projections.rules.dealer import RandomDealer
from projections.rules.protocol import Game
from projections.rules.registry import GAMES
from tests.support.projections.random_games import Act, PlayedGame, random_game

EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())


def with_way_back(played: PlayedGame, to: int) -> PlayedGame:
    """The game, its last moves taken back to a version, and another move made there."""
    game, events = played.setting.game, [*played.events]
    events.append(Act(len(events) + 1, "undone", {"seat": 0, "to": to}))
    position = position_at(played.setting, events)
    seat, move = game.actor(position), next(iter(game.legal(position)))
    deed = execute(game, position, move, RandomDealer(random.Random(99)))
    events.append(Act(len(events) + 1, "moved", {"seat": seat, "move": game.notation(move), **deed.data()}))
    return PlayedGame(played.setting, events, position)


@EVERY_GAME
def test_facts_alone_lead_to_the_same_board(game: Game[Any, Any]) -> None:
    for seats in game.seats:
        played = random_game(game, seats, seed=seats)
        assert game.document(position_at(played.setting, played.events)) == game.document(played.position)


@EVERY_GAME
def test_the_board_at_every_version_has_the_digest_its_event_recorded(game: Game[Any, Any]) -> None:
    played = random_game(game, 3, seed=7, longest=80)
    for event in played.events[1:]:
        assert digest(game, position_at(played.setting, played.events, event.seq)) == event.data["digest"]


@EVERY_GAME
def test_every_step_shows_the_board_after_its_event(game: Game[Any, Any]) -> None:
    played = random_game(game, 2, seed=5, longest=60)
    told = [(step.event.seq, digest(game, step.position)) for step in steps(played.setting, played.events)]
    assert told == [(event.seq, event.data["digest"]) for event in played.events[1:]]


@EVERY_GAME
def test_what_was_undone_is_folded_away_or_shown_on_request(game: Game[Any, Any]) -> None:
    played = with_way_back(random_game(game, 3, seed=4, longest=30), to=20)

    folded = list(steps(played.setting, played.events))
    assert [step.event.seq for step in folded] == [*range(2, 21), 32]
    assert all(step.kept for step in folded)

    shown = list(steps(played.setting, played.events, undone=True))
    assert [step.event.seq for step in shown] == [*range(2, 33)]
    assert [step.event.seq for step in shown if not step.kept] == [*range(21, 31)]
    assert game.document(shown[29].position) == game.document(shown[18].position)  # the way back, and where it led
    assert game.document(folded[-1].position) == game.document(shown[-1].position) == game.document(played.position)


@EVERY_GAME
def test_a_version_before_the_undoing_still_shows_what_was_undone(game: Game[Any, Any]) -> None:
    first = random_game(game, 3, seed=4, longest=30)
    later = with_way_back(first, to=20)
    assert game.document(position_at(later.setting, later.events, 30)) == game.document(first.position)


@EVERY_GAME
def test_a_ruling_may_take_the_board_back_or_leave_it(game: Game[Any, Any]) -> None:
    played = random_game(game, 2, seed=2, longest=12)
    left = [*played.events, Act(13, "ruled", {"ruling": "time_added", "to": None})]
    assert game.document(position_at(played.setting, left)) == game.document(played.position)
    back = [*left, Act(14, "ruled", {"ruling": "rollback", "to": 10})]
    assert position_at(played.setting, back) == position_at(played.setting, played.events, 10)
