"""Changes of the position when coins move."""

from typing import Final

from projections.rules.fact_recorder import Changes
from projections.rules.spice_road.facts import coins as f
from projections.rules.spice_road.state.position import Position


def coins_laid(position: Position, fact: f.CoinsLaid) -> None:
    gold, silver = fact
    position.gold_supply += gold
    position.silver_supply += silver


def gold_taken(position: Position, fact: f.GoldTaken) -> None:
    (seat,) = fact
    position.gold_supply -= 1
    position.gold[seat] += 1


def silver_taken(position: Position, fact: f.SilverTaken) -> None:
    (seat,) = fact
    position.silver_supply -= 1
    position.silver[seat] += 1


CHANGES: Final[Changes[Position]] = {f.CoinsLaid: coins_laid, f.GoldTaken: gold_taken, f.SilverTaken: silver_taken}
