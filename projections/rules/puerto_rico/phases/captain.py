"""Loading in the captain phase: a seat that can load must, round after round (rules 3.9)."""

from typing import Final

from projections.rules.dealer import Dealer
from projections.rules.fact_recorder import FactRecorder
from projections.rules.made_once import by_seat, made_once
from projections.rules.puerto_rico.engine import effects
from projections.rules.puerto_rico.engine.awards import award
from projections.rules.puerto_rico.facts.moments import LoadingOver
from projections.rules.puerto_rico.facts.ships import FirstTurnBegun, GoodsLoaded, LoadingPassed
from projections.rules.puerto_rico.kinds import GREETED, HAD_TURN, LOADED, NONE
from projections.rules.puerto_rico.moves import PASS, Move, Pass, Ship
from projections.rules.puerto_rico.plan import FIRST_TURN, LOAD, LOADING, LOADING_OVER, SUPPLY
from projections.rules.puerto_rico.state.position import Position

NOTHING: Final[tuple[Move, ...]] = (PASS,)
LOADING_PASSED: Final = by_seat(LoadingPassed)
GOODS_LOADED: Final = made_once(GoodsLoaded)
SHIPS: Final = tuple({capacity: Ship(good, capacity) for capacity in range(4, 9)} for good in range(5))


def loading(position: Position) -> bool:
    """Loading goes on until every seat in a row has passed (R-55)."""
    return position.turns < position.seats


def first_turn(position: Position, seat: int, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """A seat comes up for the first time: a moment buildings wait for, also when it cannot load (R-59)."""
    if not position.done[seat] & (HAD_TURN | GREETED) and effects.listens(position, seat, FirstTurnBegun):
        recorder.record(position, FirstTurnBegun(seat))


def supplies(_position: Position, _seat: int) -> tuple[Move, ...]:
    """D-CAP-RS: only buildings offer something here."""
    return ()


def loads(position: Position, seat: int) -> tuple[Move, ...]:
    """D-CAP-LOAD: every legal loading of a ship; `pass` only where there is none."""
    goods, holds = position.goods[seat], position.holds
    moves: list[Move] = []
    for good in range(len(goods)):
        if goods[good]:
            moves += [SHIPS[good][holds[hold]] for hold in holds_for(position, good, goods[good])]
    return tuple(moves) if moves else NOTHING


def holds_for(position: Position, good: int, owned: int) -> list[int]:
    """The ships this good may go on: the one that carries it, else the empty ones that take most of it (R-54)."""
    ship_good, holds = position.ship_good, position.holds
    if good in ship_good:
        hold = ship_good.index(good)
        return [hold] if position.ship_load[hold] < holds[hold] else []
    best, found = 0, []
    for hold, carried in enumerate(ship_good):
        if carried == NONE:
            taken = min(owned, holds[hold])
            if taken > best:
                best, found = taken, [hold]
            elif taken == best:
                found.append(hold)
    return found


def load(position: Position, seat: int, move: Ship, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """As many goods go on the ship as fit."""
    good, capacity, _ = move
    hold = position.holds.index(capacity)
    amount = min(position.goods[seat][good], capacity - position.ship_load[hold])
    points = amount + loading_bonus(position, seat)
    recorder.record(position, GOODS_LOADED(seat, good, amount, hold))
    award(position, seat, points, recorder)


def loading_bonus(position: Position, seat: int) -> int:
    """The captain's privilege, with his first loading only."""
    return 0 if position.done[seat] & LOADED else effects.privilege(position, seat)


def pass_by(position: Position, seat: int, _move: Pass, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """A turn without a loading."""
    recorder.record(position, LOADING_PASSED[seat])


def loading_over(position: Position, seat: int, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """Loading has ended: a moment the captain's buildings wait for."""
    if effects.listens(position, seat, LoadingOver):
        recorder.record(position, LoadingOver(seat))


GATES: Final[dict[int, effects.Gate]] = {LOADING: loading}
CHOICES: Final[dict[int, effects.Choice]] = {SUPPLY: supplies, LOAD: loads}
DUTIES: Final[dict[int, effects.Duty]] = {FIRST_TURN: first_turn, LOADING_OVER: loading_over}
DEEDS: Final[dict[type, effects.Deed]] = {Ship: load}
PASSES: Final[dict[int, effects.Deed]] = {LOAD: pass_by}
