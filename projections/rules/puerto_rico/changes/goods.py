"""Changes of the position when goods are produced, supplied or discarded."""

from collections.abc import Sequence
from typing import Final

from projections.rules.fact_recorder import Changes
from projections.rules.puerto_rico.facts import goods as f
from projections.rules.puerto_rico.kinds import Goods5
from projections.rules.puerto_rico.state.position import Position


def goods_produced(position: Position, fact: f.GoodsProduced) -> None:
    seat, goods = fact
    give(position, seat, goods)
    position.produced[seat] = goods
    position.received[seat] = _sum(position.received[seat], goods)


def goods_added(position: Position, fact: f.GoodsAdded) -> None:
    seat, goods = fact
    give(position, seat, goods)
    position.received[seat] = _sum(position.received[seat], goods)


def goods_supplied(position: Position, fact: f.GoodsSupplied) -> None:
    for good in fact.goods:
        position.goods[fact.seat][good] -= 1
        position.goods_supply[good] += 1


def goods_discarded(position: Position, fact: f.GoodsDiscarded) -> None:
    give(position, fact.seat, [-amount for amount in fact.goods])


def give(position: Position, seat: int, goods: Sequence[int]) -> None:
    """Goods come from the supply; negative numbers go back to it."""
    own, supply = position.goods[seat], position.goods_supply
    for good in range(len(goods)):
        amount = goods[good]
        if amount:
            own[good] += amount
            supply[good] -= amount


def _sum(first: Goods5, second: Goods5) -> Goods5:
    a, b, c, d, e = first
    v, w, x, y, z = second
    return (a + v, b + w, c + x, d + y, e + z)


CHANGES: Final[Changes[Position]] = {
    f.GoodsProduced: goods_produced,
    f.GoodsAdded: goods_added,
    f.GoodsSupplied: goods_supplied,
    f.GoodsDiscarded: goods_discarded,
}
