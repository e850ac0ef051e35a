"""Goods sold, to the trading house and past it."""

from typing import NamedTuple

from projections.rules.puerto_rico.kinds import Good, Seat


class GoodSold(NamedTuple):
    """A good went to the trading house for a price."""

    seat: Seat
    good: Good
    price: int


class GoodTraded(NamedTuple):
    """A good was sold past the trading house; it went to the supply."""

    seat: Seat
    good: Good
    price: int


class TradeEnded(NamedTuple):
    """A seat wants nothing more in this trader phase."""

    seat: Seat


class HouseEmptied(NamedTuple):
    """The full trading house was emptied into the supply."""
