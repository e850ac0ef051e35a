"""Goods loaded and shipped in a captain phase."""

from typing import NamedTuple

from projections.rules.puerto_rico.kinds import Good, Goods5, Seat


class FirstTurnBegun(NamedTuple):
    """A seat came up for the first time in a captain phase."""

    seat: Seat


class GoodsLoaded(NamedTuple):
    """Goods of one kind went onto a cargo ship."""

    seat: Seat
    good: Good
    amount: int
    hold: int


class WharfUsed(NamedTuple):
    """All goods of one kind were shipped from a seat's own wharf."""

    seat: Seat
    good: Good
    amount: int


class SmallWharfUsed(NamedTuple):
    """Goods were shipped from a seat's own small wharf."""

    seat: Seat
    goods: Goods5


class LoadingPassed(NamedTuple):
    """A loading turn went by without a loading."""

    seat: Seat


class ShipUnloaded(NamedTuple):
    """A full cargo ship was emptied into the supply."""

    hold: int
