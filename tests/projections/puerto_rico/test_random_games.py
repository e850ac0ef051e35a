"""Random games of every number of players keep the invariants of the rules (section 12) after every step."""

import random
from typing import Final

import pytest

from projections.dealer import RandomDealer
from projections.puerto_rico.game import PuertoRico
from tests.projections.puerto_rico.invariants import check

GAME: Final = PuertoRico()
GAMES_EACH: Final = 100


@pytest.mark.parametrize("seats", GAME.seats)
def test_invariants_hold_after_every_step_of_random_base_games(seats: int) -> None:
    for seed in range(GAMES_EACH):
        source = random.Random(seed)
        dealer, chronicle = RandomDealer(source), GAME.chronicle(recording=False)
        position = GAME.set_up(GAME.read_options({}, seats), seats, dealer, chronicle)
        check(position)
        while GAME.actor(position) is not None:
            GAME.play(position, GAME.legal(position).sample(source), dealer, chronicle)
            check(position)
