"""Changes of the position when a turn, a round or the game ends."""

from typing import Final

from projections.rules.fact_recorder import Changes
from projections.rules.spice_road.facts import frame as f
from projections.rules.spice_road.state.position import Position


def final_round_begun(position: Position, _fact: f.FinalRoundBegun) -> None:
    position.final_round = True


def turn_passed(position: Position, fact: f.TurnPassed) -> None:
    (position.turn,) = fact


def round_begun(position: Position, fact: f.RoundBegun) -> None:
    (position.round,) = fact
    position.turn = 0


def game_ended(position: Position, _fact: f.GameEnded) -> None:
    position.over = True


CHANGES: Final[Changes[Position]] = {
    f.FinalRoundBegun: final_round_begun,
    f.TurnPassed: turn_passed,
    f.RoundBegun: round_begun,
    f.GameEnded: game_ended,
}
