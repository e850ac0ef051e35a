"""Facts about coins."""

from typing import NamedTuple


class CoinsLaid(NamedTuple):
    """Coins were put above the two leftmost point cards."""

    gold: int
    silver: int


class GoldTaken(NamedTuple):
    """A player took a gold coin."""

    seat: int


class SilverTaken(NamedTuple):
    """A player took a silver coin."""

    seat: int
