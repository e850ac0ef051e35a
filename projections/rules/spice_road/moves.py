"""Moves: the four actions, and the return of cubes above the limit."""

from typing import Final, NamedTuple, TypeAlias

from projections.rules.spice_road.cubes import Cubes


class PlaySpice(NamedTuple):
    """Play a spice card."""

    card: str


class PlayUpgrade(NamedTuple):
    """Play an upgrade card; each step names the spice that is raised, lowest first when listed."""

    card: str
    steps: str


class PlayTrade(NamedTuple):
    """Play a trade card so many times in a row."""

    card: str
    times: int


class Buy(NamedTuple):
    """Acquire the merchant card at a position, with one cube for each card to its left."""

    position: int
    cubes: str


class Rest(NamedTuple):
    """Take all played cards back into the hand."""


class Claim(NamedTuple):
    """Claim the point card at a position, and its coin unless that is waived."""

    position: int
    coin: bool = True


class Drop(NamedTuple):
    """Return the cubes that the caravan cannot hold."""

    cubes: Cubes


Play: TypeAlias = PlaySpice | PlayUpgrade | PlayTrade
Move: TypeAlias = Play | Buy | Rest | Claim | Drop

KINDS: Final = frozenset((PlaySpice, PlayUpgrade, PlayTrade, Buy, Rest, Claim, Drop))
