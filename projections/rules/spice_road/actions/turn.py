"""How a turn ends: the caravan limit, the end check, the next seat (rules 4, 6 and 8)."""

from typing import Final, TypeAlias

from projections.rules.dealer import Dealer, OneOfEach
from projections.rules.errors import IllegalMove
from projections.rules.fact_recorder import FactRecorder
from projections.rules.made_once import by_seat, made_once
from projections.rules.spice_road.facts.frame import GameEnded, RoundBegun, TurnPassed
from projections.rules.spice_road.moves import Move
from projections.rules.spice_road.state.position import Position
from projections.rules.spice_road.text.notation import notation
from projections.rules.spice_road.text.refusals import sentences

Book: TypeAlias = FactRecorder[Position]
_TURN_PASSED: Final = by_seat(TurnPassed)
_ROUND_BEGUN: Final = made_once(RoundBegun)


def draw(deck: tuple[str, ...], dealer: Dealer) -> str:
    """Any card of a face-down deck, each as likely (R-6)."""
    return dealer.draw(OneOfEach(deck))


def finish(position: Position, recorder: Book) -> None:
    """Pass the turn on, unless cubes have to be returned first (R-22, R-23)."""
    if position.excess:
        return
    following = position.turn + 1
    if following < position.seats:
        recorder.record(position, _TURN_PASSED[following])
    elif position.final_round:  # every seat has had the same number of turns
        recorder.record(position, GameEnded())
    else:
        recorder.record(position, _ROUND_BEGUN(position.round + 1))


def refused(move: Move, reason: str, rule: str, said: str = "", **values: object) -> IllegalMove:
    """Why a move is not allowed, to be raised; `said` names its sentence where a reason has several."""
    words = sentences(said or reason, **values)
    return IllegalMove(notation(move), reason, rule, words["en"], words)
