"""Random games of every size, with the usual options and any mixture, keep the invariants of rules 12 at every step.

`CABILDO_RANDOM_GAMES` says how many games are played for each number of players and each choice of expansions.
"""

import os
import random
from typing import Any, Final

import pytest

from events.json_types import Json
from projections.rules.dealer import RandomDealer
from projections.rules.puerto_rico.facts.buildings import BuildingBought, GoodReturned, PersonReturned, VpReturned
from projections.rules.puerto_rico.rulings import CHOICES
from projections.rules.puerto_rico.state.position import Position
from tests.support.puerto_rico import reference_scorer
from tests.support.puerto_rico.fact_invariants import LAWS
from tests.support.puerto_rico.invariants import check
from tests.support.puerto_rico.scenes import GAME

GAMES: Final = int(os.environ.get("CABILDO_RANDOM_GAMES", "25"))
EXPANSIONS: Final[list[list[Json]]] = [[], ["new_buildings"], ["nobles"], ["new_buildings", "nobles"]]
ITEMS: Final = (PersonReturned, GoodReturned, VpReturned)  # payments at a black market
LONGEST: Final = 5_000  # moves; a random game takes a few hundred


@pytest.mark.parametrize("expansions", EXPANSIONS, ids=lambda names: "+".join(names) or "base")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_random_games_keep_the_invariants_and_score_as_the_rules_say(
    seats: int, expansions: list[Json]
) -> None:  # rules 12
    for seed in range(GAMES):
        source = random.Random(f"{seats} {expansions} {seed}")
        given = mixed(source, expansions) if seed % 2 else {"expansions": expansions}
        options = GAME.read_options(given, seats)
        position = GAME.set_up(options, seats, RandomDealer(source), GAME.recorder(recording=False))
        assert GAME.restore(GAME.document(position)) == position
        play_on(position, source)
        a_second_scorer_agrees(position)


def mixed(source: random.Random, expansions: list[Json]) -> dict[str, Json]:
    """Any options that fit together."""
    options: dict[str, Json] = {name: source.choice(values) for name, values in CHOICES.items()}
    return options | {"expansions": expansions, "exp1_selection": source.choice(["draft", "all", "random"])}


def play_on(position: Position, source: random.Random) -> None:
    """Play at random to the end; beside it the facts alone lead to the same position, step by step."""
    dealer, by_facts = RandomDealer(source), GAME.copy(position)
    for _ in range(LONGEST):
        if GAME.actor(position) is None:
            return
        recorder = GAME.recorder(recording=True)
        GAME.play(position, GAME.legal(position).sample(source), dealer, recorder)
        returned = False  # whether items have just gone back for a purchase
        for stored in map(GAME.encode, recorder.facts):
            fact = GAME.decode(stored)
            happen(by_facts, fact)
            if isinstance(fact, BuildingBought) and returned:
                assert by_facts.doubloons[fact.seat] == 0  # invariant 11
            returned = isinstance(fact, ITEMS)
        assert by_facts == position
        check(position)
    raise AssertionError("the game does not end")


def happen(position: Position, fact: Any) -> None:
    """Let a fact happen, and ask the laws about it."""
    laws = LAWS.get(type(fact), ())
    before = GAME.copy(position) if laws else position
    GAME.apply(position, fact)
    for law in laws:
        law(before, position, fact)


def a_second_scorer_agrees(position: Position) -> None:
    """Points, tie-break and places of the finished game as the rules give them."""
    players: Any = GAME.document(position)["players"]
    outcome = GAME.outcome(position)
    assert outcome is not None
    assert list(outcome.points) == [reference_scorer.total(player) for player in players]
    assert list(outcome.tie_break) == [reference_scorer.tie_break(player) for player in players]
    ranked = list(zip(outcome.points, outcome.tie_break, strict=True))
    assert list(outcome.places) == reference_scorer.places(ranked)
