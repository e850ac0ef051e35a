"""What buildings do in the captain phase."""

from typing import Any, Final

from projections.dealer import Dealer
from projections.puerto_rico import ask
from projections.puerto_rico.chronicle import Telling
from projections.puerto_rico.facts import WharfUsed
from projections.puerto_rico.gains import award
from projections.puerto_rico.kinds import WHARF_USED
from projections.puerto_rico.moves import Move, Wharf
from projections.puerto_rico.phases.captain import loading_bonus
from projections.puerto_rico.position import Position

WHARVES: Final = tuple(Wharf(good) for good in range(5))


def harbor(position: Position, fact: Any, chronicle: Telling) -> None:
    """Harbor: a point for every loading, wharves included (R-57)."""
    award(position, fact.seat, 1, chronicle)


def wharf_loads(position: Position, seat: int) -> tuple[Move, ...]:
    """Wharf: all goods of one kind, once per phase (R-56)."""
    if position.done[seat] & WHARF_USED:
        return ()
    return tuple(WHARVES[good] for good, owned in enumerate(position.goods[seat]) if owned)


def use_wharf(position: Position, seat: int, move: Wharf, _dealer: Dealer, chronicle: Telling) -> None:
    """The goods go to the supply, for points as on a ship."""
    amount = position.goods[seat][move.good]
    points = amount + loading_bonus(position, seat)
    chronicle.tell(position, WharfUsed(seat, move.good, amount))
    award(position, seat, points, chronicle)


DEEDS: Final[dict[type, ask.Deed]] = {Wharf: use_wharf}
