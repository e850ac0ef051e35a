"""Buildings bought, and items returned to pay for one."""

from typing import NamedTuple

from projections.rules.puerto_rico.kinds import BuildingKind, Good, Place, Seat


class PersonReturned(NamedTuple):
    """A person went back to the supply as payment."""

    seat: Seat
    person: int
    place: Place


class GoodReturned(NamedTuple):
    """A good went back to the supply as payment."""

    seat: Seat
    good: Good


class VpReturned(NamedTuple):
    """A victory point chip went back to the supply as payment."""

    seat: Seat


class BuildingBought(NamedTuple):
    """A building came from the display onto a board for so many doubloons."""

    seat: Seat
    building: BuildingKind
    paid: int
