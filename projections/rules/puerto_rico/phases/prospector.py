"""The prospector phase: a doubloon for the chooser (rules 3.10)."""

from typing import Final

from projections.rules.dealer import Dealer
from projections.rules.fact_recorder import FactRecorder
from projections.rules.puerto_rico.engine import effects
from projections.rules.puerto_rico.engine.awards import gain
from projections.rules.puerto_rico.plan import PROSPECT
from projections.rules.puerto_rico.state.position import Position


def prospect(position: Position, seat: int, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """The privilege is all there is."""
    gain(position, seat, effects.privilege(position, seat), recorder)


DUTIES: Final[dict[int, effects.Duty]] = {PROSPECT: prospect}
