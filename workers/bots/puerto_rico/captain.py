"""Ranks loadings: points now, room for the goods left, less room for the others."""

from collections.abc import Iterable
from typing import Final

from projections.rules.puerto_rico.buildings.printed import Building
from projections.rules.puerto_rico.engine import effects
from projections.rules.puerto_rico.kinds import NONE
from projections.rules.puerto_rico.moves import Move, Ship, SmallWharf, Wharf
from projections.rules.puerto_rico.phases.captain import loading_bonus
from projections.rules.puerto_rico.state.position import Position
from projections.rules.puerto_rico.tables import PRICES
from workers.bots.expert import Ranked
from workers.bots.puerto_rico.outlook import Outlook

LATER: Final = 0.75  # of the goods that could still be shipped afterwards
DENIED: Final = 0.2  # of the goods that each other seat could ship
WHARF_KEPT: Final = 0.5  # a wharf used now is not there for a heap that fits nowhere
SALE_MISSED: Final = 0.5  # of the price of the last good of a dear kind

Ships = list[tuple[int, int]]  # good and free room of each cargo ship


def rank(position: Position, seat: int, moves: Iterable[Move], outlook: Outlook) -> list[Ranked]:
    """Returns loadings with their worth: points gained, goods left to ship, goods that others can no longer ship."""
    return [Ranked(_worth(position, seat, move, outlook), move) for move in moves]


def _worth(position: Position, seat: int, move: Move, outlook: Outlook) -> float:
    ships = [
        (good, hold - load)
        for good, hold, load in zip(position.ship_good, position.holds, position.ship_load, strict=True)
    ]
    goods = position.goods[seat][:]
    points, cost = 0.0, 0.0
    if isinstance(move, Ship):
        hold = position.holds.index(move.capacity)
        loaded = min(goods[move.good], ships[hold][1])
        goods[move.good] -= loaded
        ships[hold] = (move.good, ships[hold][1] - loaded)
        points = float(loaded)
        cost = _missed(position, seat, move.good, goods[move.good], outlook)
    elif isinstance(move, Wharf):
        points = float(goods[move.good])
        goods[move.good] = 0
        cost = WHARF_KEPT + _missed(position, seat, move.good, 0, outlook)
    elif isinstance(move, SmallWharf):
        points = float(sum(move.goods) // 2)
        goods = [owned - gone for owned, gone in zip(goods, move.goods, strict=True)]
        cost = WHARF_KEPT
    else:
        return 0.0
    points += loading_bonus(position, seat) + (position.working[seat] >> Building.HARBOR & 1)
    others = sum(_best(ships, position.goods[other]) for other in range(position.seats) if other != seat)
    return points - cost + LATER * _room(ships, goods) - DENIED * others


def _missed(position: Position, seat: int, good: int, left: int, outlook: Outlook) -> float:
    """Returns the worth of selling the last good of a kind at the trading house instead."""
    if left or not PRICES[good] or good in position.house:
        return 0.0
    price = PRICES[good] + effects.total(position, seat, effects.SALE_PRICE)
    return SALE_MISSED * min(1.0, outlook.sales) * outlook.doubloon * price


def _best(ships: Ships, goods: list[int]) -> int:
    """Returns the largest number of goods that one loading could ship."""
    return max((_fits(ships, good, owned) for good, owned in enumerate(goods) if owned), default=0)


def _room(ships: Ships, goods: list[int]) -> int:
    """Returns the number of goods that could be shipped in total, kind by kind."""
    return sum(_fits(ships, good, owned) for good, owned in enumerate(goods) if owned)


def _fits(ships: Ships, good: int, owned: int) -> int:
    for carried, room in ships:
        if carried == good:
            return min(owned, room)
    return min(owned, max((room for carried, room in ships if carried == NONE), default=0))
