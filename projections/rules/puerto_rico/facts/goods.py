"""Goods produced, handed in and discarded."""

from typing import NamedTuple

from projections.rules.puerto_rico.kinds import Good, Goods5, Seat


class GoodsProduced(NamedTuple):
    """A seat's plantations and buildings produced."""

    seat: Seat
    goods: Goods5


class GoodsAdded(NamedTuple):
    """Goods came from the supply besides the production, in the same phase."""

    seat: Seat
    goods: Goods5


class GoodsSupplied(NamedTuple):
    """Goods of different kinds were handed in."""

    seat: Seat
    goods: tuple[Good, ...]


class GoodsDiscarded(NamedTuple):
    """Goods that could not or should not be stored went to the supply."""

    seat: Seat
    goods: Goods5
