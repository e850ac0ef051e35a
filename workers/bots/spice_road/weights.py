"""Weights of the evaluation of Spice Road, in points: tables to tune."""

from typing import Final

# A cube's place on the upgrade track, counted from one: point cards pay about a point for each of these steps.
STEPS: Final = (1.0, 2.0, 3.0, 4.0)
CARAVAN: Final = 0.42  # of its steps, a cube that is not yet part of a claim

ROUNDS_FOR_A_CLAIM: Final = 4.2
LONG_GAME: Final = 60  # rounds; usual games have half as many
ENDLESS: Final = 100  # rounds; bots repeat a cycle of moves, since no card left is worth its cost
WHIM: Final = 0.25  # of the moves of such a game, the share chosen at random
ROUNDS_TO_CHOOSE: Final = 2.0  # before that many rounds are left, cubes are more than their points at the end

STEPS_A_TURN: Final = 2.8  # how far a caravan comes in a turn
WRONG_KIND: Final = 0.55  # turns lost for each kind of cube that a cost lacks altogether
SURPLUS: Final = 0.6  # of its steps, what another cube helps towards a cost
DELAY: Final = 0.9  # of its worth, a claim one turn later
CONTESTED: Final = 0.55  # of its worth, a claim that another caravan can make first
SECOND_TARGET: Final = 0.25  # a second card the caravan is good for

ENGINE: Final = 0.55  # of the steps a hand makes in the rounds left, in points
READY: Final = 0.22  # of the steps a card makes, in points, while it is in the hand and not played
TRADES_IN_A_TURN: Final = 1.35  # how often a trade is made in a row, about
MOST_GAIN: Final = 5.0  # no card makes more in a turn than a caravan can hold
ENVY: Final = 0.3  # of the best other seat's points
ANSWERS: Final = 6  # moves that a search tries
