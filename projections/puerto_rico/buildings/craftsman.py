"""What buildings do in the craftsman phase."""

from typing import Final

from projections.puerto_rico.chronicle import Telling
from projections.puerto_rico.facts import PayoutDue
from projections.puerto_rico.gains import gain
from projections.puerto_rico.position import Position

FACTORY_PAY: Final = (0, 0, 1, 2, 3, 5)  # doubloons by number of kinds


def factory(position: Position, fact: PayoutDue, chronicle: Telling) -> None:
    """Factory: doubloons by the number of kinds really received."""
    kinds = sum(1 for amount in position.received[fact.seat] if amount)
    gain(position, fact.seat, FACTORY_PAY[kinds], chronicle)
