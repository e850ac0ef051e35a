"""Doubloons and victory points that come to a seat."""

from typing import NamedTuple

from projections.rules.puerto_rico.kinds import Seat


class DoubloonsGained(NamedTuple):
    """Doubloons came from the bank."""

    seat: Seat
    doubloons: int


class VpGained(NamedTuple):
    """Victory points came from the supply, or were noted after it ran out."""

    seat: Seat
    chips: int
    noted: int = 0
