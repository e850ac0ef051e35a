"""Changes of the position when goods are loaded and shipped."""

from typing import Final

from projections.rules.fact_recorder import Changes
from projections.rules.puerto_rico.changes.goods import give
from projections.rules.puerto_rico.facts import ships as f
from projections.rules.puerto_rico.kinds import (
    GREETED,
    HAD_TURN,
    LOADED,
    LOADED_AGAIN,
    NONE,
    SMALL_WHARF_USED,
    WHARF_USED,
)
from projections.rules.puerto_rico.state.position import Position


def goods_loaded(position: Position, fact: f.GoodsLoaded) -> None:
    seat, good, amount, hold = fact
    position.goods[seat][good] -= amount
    position.ship_good[hold] = good
    position.ship_load[hold] += amount
    _loaded(position, seat, 0)


def wharf_used(position: Position, fact: f.WharfUsed) -> None:
    seat, good, amount = fact
    position.goods[seat][good] -= amount
    position.goods_supply[good] += amount
    _loaded(position, seat, WHARF_USED)


def small_wharf_used(position: Position, fact: f.SmallWharfUsed) -> None:
    give(position, fact.seat, [-amount for amount in fact.goods])
    _loaded(position, fact.seat, SMALL_WHARF_USED)


def _loaded(position: Position, seat: int, more: int) -> None:
    """A seat made a loading of any kind."""
    again = LOADED_AGAIN if position.done[seat] & LOADED else 0
    position.done[seat] |= HAD_TURN | LOADED | again | more
    position.turns = 0


def loading_passed(position: Position, fact: f.LoadingPassed) -> None:
    (seat,) = fact
    position.done[seat] |= HAD_TURN
    position.turns += 1


def first_turn_begun(position: Position, fact: f.FirstTurnBegun) -> None:
    position.done[fact.seat] |= GREETED


def ship_unloaded(position: Position, fact: f.ShipUnloaded) -> None:
    (hold,) = fact
    position.goods_supply[position.ship_good[hold]] += position.ship_load[hold]
    position.ship_good[hold] = NONE
    position.ship_load[hold] = 0


CHANGES: Final[Changes[Position]] = {
    f.GoodsLoaded: goods_loaded,
    f.WharfUsed: wharf_used,
    f.SmallWharfUsed: small_wharf_used,
    f.LoadingPassed: loading_passed,
    f.FirstTurnBegun: first_turn_begun,
    f.ShipUnloaded: ship_unloaded,
}
