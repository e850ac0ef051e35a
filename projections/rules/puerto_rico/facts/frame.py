"""The frame of the game: phases, rounds, whose turn it is, and the end."""

from typing import NamedTuple

from projections.rules.puerto_rico.kinds import BuildingKind, Role, Seat


class BuildingsLaidOut(NamedTuple):
    """The dealer drew which violet buildings are in play."""

    buildings: tuple[BuildingKind, ...]


class BuildingDrafted(NamedTuple):
    """A kind of violet building came into play with all its copies."""

    seat: Seat
    building: BuildingKind


class PhaseBegun(NamedTuple):
    """A phase that no role card opens began; the deeds of the last one are cleared."""

    phase: int
    chooser: Seat


class Awaits(NamedTuple):
    """The game waits for a seat's decision."""

    seat: Seat
    step: int


class RoleTaken(NamedTuple):
    """A seat took a role card, with the doubloons on it, and opened its phase."""

    seat: Seat
    role: Role


class RoundEnded(NamedTuple):
    """Cards left over gained a doubloon, all cards came back, this seat is governor."""

    governor: Seat


class EndMet(NamedTuple):
    """An end condition was met; the game ends with this round."""

    end: int


class GameEnded(NamedTuple):
    """The game is over; no seat is to act."""
