"""Evaluates merchant cards: the steps that a hand makes with each play, and how soon it has to rest."""

from functools import lru_cache
from typing import Final

from projections.rules.spice_road.cards import MERCHANT
from projections.rules.spice_road.state.position import Cards
from workers.bots.spice_road import weights as w
from workers.bots.spice_road.caravan import steps


def _gain(card: str) -> float:
    made = MERCHANT[card]
    if made.kind == "upgrade":
        return float(made.steps)
    if made.kind == "trade":
        return min(w.MOST_GAIN, (steps(made.receive) - steps(made.give)) * w.TRADES_IN_A_TURN)
    return steps(made.receive)


GAINS: Final = {card: _gain(card) for card in MERCHANT}


@lru_cache(maxsize=1 << 13)
def engine(hand: Cards, played: Cards, rounds: float) -> float:
    """Returns the points that a hand makes until the end: each card once, then a rest, and so on."""
    ready = sum([GAINS[card] for card in hand], 0.0)
    all_cards = sum([GAINS[card] for card in played], ready)
    return w.ENGINE * rounds * all_cards / (len(hand) + len(played) + 1) + w.READY * ready * min(1.0, rounds / 3)
