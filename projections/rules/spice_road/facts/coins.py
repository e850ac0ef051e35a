"""Facts about coins."""

from typing import NamedTuple

from projections.rules.spice_road.state.position import Position


class CoinsLaid(NamedTuple):
    """Coins were put above the two leftmost point cards."""

    gold: int
    silver: int

    def change(self, position: Position) -> None:
        position.gold_supply += self.gold
        position.silver_supply += self.silver


class GoldTaken(NamedTuple):
    """A player took a gold coin."""

    seat: int

    def change(self, position: Position) -> None:
        position.gold_supply -= 1
        position.gold[self.seat] += 1


class SilverTaken(NamedTuple):
    """A player took a silver coin."""

    seat: int

    def change(self, position: Position) -> None:
        position.silver_supply -= 1
        position.silver[self.seat] += 1
