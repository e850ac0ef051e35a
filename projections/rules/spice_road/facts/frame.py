"""The frame of the game: turns, rounds and the end."""

from typing import NamedTuple

from projections.rules.spice_road.state.position import Position


class FinalRoundBegun(NamedTuple):
    """The current round became the final one."""

    def change(self, position: Position) -> None:
        position.final_round = True


class TurnPassed(NamedTuple):
    """The turn passed to a seat of the same round."""

    seat: int

    def change(self, position: Position) -> None:
        position.turn = self.seat


class RoundBegun(NamedTuple):
    """A new round began with the first seat."""

    round: int

    def change(self, position: Position) -> None:
        position.round = self.round
        position.turn = 0


class GameEnded(NamedTuple):
    """The final round was played to its end."""

    def change(self, position: Position) -> None:
        position.over = True
