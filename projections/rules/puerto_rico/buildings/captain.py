"""Effects of buildings in the captain phase."""

from itertools import combinations
from typing import Any, Final

from projections.rules.dealer import Dealer
from projections.rules.fact_recorder import FactRecorder
from projections.rules.move_collection import Moves
from projections.rules.puerto_rico.engine import effects
from projections.rules.puerto_rico.engine.awards import award, gain
from projections.rules.puerto_rico.facts.goods import GoodsSupplied
from projections.rules.puerto_rico.facts.moments import LoadingOver
from projections.rules.puerto_rico.facts.ships import FirstTurnBegun, SmallWharfUsed, WharfUsed
from projections.rules.puerto_rico.kinds import HAD_TURN, LOADED, LOADED_AGAIN, SMALL_WHARF_USED, WHARF_USED
from projections.rules.puerto_rico.long_choices.shipments import Shipments
from projections.rules.puerto_rico.moves import Move, SmallWharf, Supply, Wharf
from projections.rules.puerto_rico.phases.captain import loading_bonus
from projections.rules.puerto_rico.state.position import Position

WHARVES: Final = tuple(Wharf(good) for good in range(5))


def harbor(position: Position, fact: Any, recorder: FactRecorder[Position]) -> None:
    """Harbor: a point for every loading, wharves included (R-57)."""
    award(position, fact.seat, 1, recorder)


def lighthouse(position: Position, fact: Any, recorder: FactRecorder[Position]) -> None:
    """Lighthouse: a doubloon for every loading, one more with the captain's first (R-60)."""
    first = fact.seat == position.chooser and not position.done[fact.seat] & LOADED_AGAIN
    gain(position, fact.seat, 2 if first else 1, recorder)


def idle_lighthouse(position: Position, fact: LoadingOver, recorder: FactRecorder[Position]) -> None:
    """Lighthouse: a captain who never loaded gets his doubloon at the end of loading (R-60)."""
    if not position.done[fact.seat] & LOADED:
        gain(position, fact.seat, 1, recorder)


def union_hall(position: Position, fact: FirstTurnBegun, recorder: FactRecorder[Position]) -> None:
    """Union hall: a point for every two equal goods, before anything is loaded."""
    award(position, fact.seat, sum(amount // 2 for amount in position.goods[fact.seat]), recorder)


def wharf_loads(position: Position, seat: int) -> tuple[Move, ...]:
    """Wharf: all goods of one kind, once per phase (R-56)."""
    if position.done[seat] & WHARF_USED:
        return ()
    return tuple(WHARVES[good] for good, owned in enumerate(position.goods[seat]) if owned)


def use_wharf(position: Position, seat: int, move: Wharf, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """The goods go to the supply, for points as on a ship."""
    amount = position.goods[seat][move.good]
    points = amount + loading_bonus(position, seat)
    recorder.record(position, WharfUsed(seat, move.good, amount))
    award(position, seat, points, recorder)


def small_wharf_loads(position: Position, seat: int) -> Moves[Move] | tuple[Move, ...]:
    """Small wharf: any goods, once per phase (R-58)."""
    if position.done[seat] & SMALL_WHARF_USED or not any(position.goods[seat]):
        return ()
    return Shipments(position.goods[seat])


def use_small_wharf(
    position: Position, seat: int, move: SmallWharf, _dealer: Dealer, recorder: FactRecorder[Position]
) -> None:
    """The goods go to the supply, for a point for every two."""
    points = sum(move.goods) // 2 + loading_bonus(position, seat)
    recorder.record(position, SmallWharfUsed(seat, move.goods))
    award(position, seat, points, recorder)


def supplies(position: Position, seat: int) -> tuple[Move, ...]:
    """Royal supplier, on the first turn: goods of different kinds, as many as own nobles at most (D-CAP-RS)."""
    if position.done[seat] & HAD_TURN:
        return ()
    kinds = [good for good, owned in enumerate(position.goods[seat]) if owned]
    most = min(len(kinds), position.nobles_of(seat))
    if not most:
        return ()
    return tuple(Supply(goods) for size in range(most + 1) for goods in combinations(kinds, size))


def supply(position: Position, seat: int, move: Supply, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """A point for each good handed in, and no bonus of any kind (R-77)."""
    if move.goods:
        recorder.record(position, GoodsSupplied(seat, move.goods))
        award(position, seat, len(move.goods), recorder)


DEEDS: Final[dict[type, effects.Deed]] = {Wharf: use_wharf, SmallWharf: use_small_wharf, Supply: supply}
