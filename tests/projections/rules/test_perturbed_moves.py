"""What is not offered is refused: perturbed legal moves are judged alike by every judge there is.

The judges: membership, the list of the legal moves where it is short enough to be gone through, `canonical`, `play`,
and the way that a posted text takes. Where a move is played, the invariants of the rules hold afterwards.
`CABILDO_RANDOM_GAMES` says how many games are played for each game, number of seats and set of options.
"""

import os
import random
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, Final

import pytest

from projections.games.execute_move import enact
from projections.rules.dealer import RandomDealer
from projections.rules.errors import IllegalMove, UnreadableMove
from projections.rules.registry import GAMES
from tests.projections.rules.test_contract import ANY_CHANCE, Case, cases, walk
from tests.support.projections.perturbed_moves import perturb
from tests.support.puerto_rico import invariants

PLAYED: Final = int(os.environ.get("CABILDO_RANDOM_GAMES", "1"))
LISTED: Final = 400  # collections up to this length are gone through
TRIED: Final = 6  # perturbed moves for each legal one
INVARIANTS: Final[Mapping[str, Callable[[Any], None]]] = {"puerto_rico": invariants.check}


@pytest.mark.parametrize("case", cases(PLAYED))
def test_perturbed_moves_are_judged_alike(case: Case) -> None:
    judged = {True: 0, False: 0}
    for position, source in walk(case):
        if case.game.actor(position) is None:
            break
        legal = case.game.legal(position)
        for move in legal.suggested():
            assert move in legal
        for text in islice(perturb(case.game.notation(legal.sample(source)), source), TRIED):
            judged[judge(case, position, text)] += 1
    assert judged[False] > judged[True] > 0


def judge(case: Case, position: Any, text: str) -> bool:
    """Whether every judge takes the move; fails where they differ."""
    game = case.game
    try:
        move = game.parse(text)
    except UnreadableMove:
        assert not accepted(case, position, text), text
        return False
    legal = game.legal(position)
    listed = move in legal
    assert game.parse(game.notation(move)) == move, text
    if len(legal) <= LISTED:
        assert (move in [*legal]) is listed, text
    same = canonical(case, position, move)
    assert (same == move) is listed, text
    assert same is None or same in legal, text
    assert plays(case, position, move) is listed, text
    assert accepted(case, position, text) is (same is not None), text
    return same is not None


def canonical(case: Case, position: Any, move: Any) -> Any:
    """The listed move that does the same; None when there is none."""
    try:
        return case.game.canonical(position, move)
    except IllegalMove:
        return None


def plays(case: Case, position: Any, move: Any) -> bool:
    """Whether the move is made; a refused one changes nothing, a made one leaves a possible position."""
    after = case.game.copy(position)
    try:
        case.game.play(after, move, ANY_CHANCE, case.game.recorder(recording=False))
    except IllegalMove:
        assert after == position
        return False
    if case.game.name in INVARIANTS:
        INVARIANTS[case.game.name](after)
    assert case.game.restore(case.game.document(after)) == after
    return True


def accepted(case: Case, position: Any, text: str) -> bool:
    """Whether a text that a client posts is made a move."""
    try:
        enact(case.game, case.game.copy(position), text, RandomDealer(random.Random(0)))
    except (IllegalMove, UnreadableMove):
        return False
    return True


@pytest.mark.parametrize("name", GAMES)
def test_every_form_of_a_move_is_perturbed_and_read_or_refused(name: str) -> None:
    game, source = GAMES[name], random.Random(1)
    for text in dict.fromkeys(form.move for form in game.examples):
        texts = [*perturb(text, source)]
        assert texts
        assert text not in texts
        assert len(set(texts)) == len(texts)
        for other in texts:
            try:
                move = game.parse(other)
            except UnreadableMove:
                continue
            assert game.parse(game.notation(move)) == move
