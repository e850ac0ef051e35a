"""Colonists and nobles: where they come from, land, stand and lodge."""

from typing import NamedTuple

from projections.rules.puerto_rico.kinds import BuildingKind, Place, Seat, Tile
from projections.rules.puerto_rico.moves import People


class ColonistsGained(NamedTuple):
    """Colonists came from the supply to San Juan."""

    seat: Seat
    colonists: int


class NobleGained(NamedTuple):
    """A noble came from the supply to San Juan."""

    seat: Seat


class PeopleLanded(NamedTuple):
    """People came from the colonist ship to San Juan."""

    seat: Seat
    colonists: int
    nobles: int = 0


class PlacementSealed(NamedTuple):
    """A seat decided where its people go; it happens when all have decided."""

    seat: Seat
    people: People


class PeoplePlaced(NamedTuple):
    """All people of a seat stand where it wanted; the rest is in San Juan."""

    seat: Seat
    people: People


class ShipRefilled(NamedTuple):
    """People came from the supply onto the colonist ship."""

    colonists: int
    nobles: int = 0


class TileStaffed(NamedTuple):
    """A colonist came onto the tile just taken; onto a forest: to San Juan."""

    seat: Seat
    tile: Tile
    source: int


class BuildingStaffed(NamedTuple):
    """A colonist came onto the building just built; without a circle: to San Juan."""

    seat: Seat
    building: BuildingKind
    source: int


class GuestMoved(NamedTuple):
    """A guest left where he lodged for an empty circle."""

    seat: Seat
    person: int
    place: Place
    left: Place


class GuestsStayed(NamedTuple):
    """A seat's guests stay until the end of the phase."""

    seat: Seat


class GuestsAsked(NamedTuple):
    """A seat wants to be asked about its guests again."""

    seat: Seat
