"""The frame of the game: turns, rounds and the end."""

from typing import NamedTuple


class FinalRoundBegun(NamedTuple):
    """The current round became the final one."""


class TurnPassed(NamedTuple):
    """The turn passed to a seat of the same round."""

    seat: int


class RoundBegun(NamedTuple):
    """A new round began with the first seat."""

    round: int


class GameEnded(NamedTuple):
    """The final round was played to its end."""
