"""Moments that buildings listen to; they change nothing."""

from typing import NamedTuple

from projections.rules.puerto_rico.kinds import Seat


class MayorTurnBegun(NamedTuple):
    """A seat came up for the first time in a mayor phase."""

    seat: Seat


class CraftingBegun(NamedTuple):
    """A craftsman phase began for a seat."""

    seat: Seat


class PayoutDue(NamedTuple):
    """A seat has received all its goods of a craftsman phase."""

    seat: Seat


class LoadingOver(NamedTuple):
    """Loading ended; told for the captain."""

    seat: Seat


class SettlingOver(NamedTuple):
    """All tiles of a settler phase are taken; told for each seat."""

    seat: Seat
