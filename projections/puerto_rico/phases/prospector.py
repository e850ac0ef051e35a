"""The prospector phase: a doubloon for the chooser (rules 3.10)."""

from typing import Final

from projections.dealer import Dealer
from projections.puerto_rico import ask
from projections.puerto_rico.chronicle import Telling
from projections.puerto_rico.gains import gain
from projections.puerto_rico.plan import PROSPECT
from projections.puerto_rico.position import Position


def prospect(position: Position, seat: int, _dealer: Dealer, chronicle: Telling) -> None:
    """The privilege is all there is."""
    gain(position, seat, ask.privilege(position, seat), chronicle)


DUTIES: Final[dict[int, ask.Duty]] = {PROSPECT: prospect}
