"""Applies a move to the mover's own board by facts of the rules, so that the board can be evaluated."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from projections.rules.protocol import Fact
from projections.rules.puerto_rico.engine.apply import apply_fact
from projections.rules.puerto_rico.engine.effects import listens, privilege
from projections.rules.puerto_rico.facts.bank import VpGained
from projections.rules.puerto_rico.facts.buildings import BuildingBought, GoodReturned, PersonReturned, VpReturned
from projections.rules.puerto_rico.facts.goods import GoodsAdded, GoodsDiscarded, GoodsSupplied
from projections.rules.puerto_rico.facts.island import (
    DrawnTilePlaced,
    SecondTileTaken,
    TileBought,
    TileRemoved,
    TileSold,
    TileTaken,
)
from projections.rules.puerto_rico.facts.people import TileStaffed
from projections.rules.puerto_rico.facts.trade import GoodSold, GoodTraded
from projections.rules.puerto_rico.kinds import FROM_SUPPLY, NONE, QUARRY, Goods5
from projections.rules.puerto_rico.moves import Bonus, Build, Keep, Move, Plant, Sell, Store, Supply, Take, Unplant
from projections.rules.puerto_rico.phases import builder, trader
from projections.rules.puerto_rico.plan import LODGE, SECOND_TAKE
from projections.rules.puerto_rico.state.position import Position
from projections.rules.puerto_rico.tables import PRICES

Facts = Iterator[Fact]


def after(position: Position, seat: int, move: Move) -> Position:
    """Returns a copy of the position after the move, as far as it changes the mover's own board."""
    copy = position.copy()
    facts = FACTS.get(move.__class__)
    if facts is not None:
        for fact in facts(position, seat, move):
            apply_fact(copy, fact)
    return copy


def _take(position: Position, seat: int, move: Take) -> Facts:
    if position.step == SECOND_TAKE:
        yield SecondTileTaken(seat, move.tile, move.forest)
        return
    yield TileTaken(seat, move.tile, move.forest)
    if listens(position, seat, TileTaken) and not move.waived and not move.forest and position.colonist_supply:
        yield TileStaffed(seat, move.tile, FROM_SUPPLY)


def _keep(_position: Position, seat: int, move: Keep) -> Facts:
    yield DrawnTilePlaced(seat, move.forest)


def _plant(_position: Position, seat: int, move: Plant) -> Facts:
    if move.tile != NONE:
        yield TileBought(seat, move.tile, move.forest)


def _unplant(position: Position, seat: int, move: Unplant) -> Facts:
    removed = TileRemoved if position.step == LODGE else TileSold
    yield removed(seat, move.tile, move.person, move.face)


def _build(position: Position, seat: int, move: Build) -> Facts:
    paid = min(builder.price(position, seat, move.building), position.doubloons[seat])
    if move.person is not None:
        yield PersonReturned(seat, *move.person)
    if move.good != NONE:
        yield GoodReturned(seat, move.good)
    if move.vp:
        yield VpReturned(seat)
    yield BuildingBought(seat, move.building, paid)


def _sell(position: Position, seat: int, move: Sell) -> Facts:
    if move.own_post:
        yield GoodTraded(seat, move.good, PRICES[move.good] + privilege(position, seat))
    else:
        yield GoodSold(seat, move.good, trader.price(position, seat, move.good))


def _bonus(_position: Position, seat: int, move: Bonus) -> Facts:
    yield GoodsAdded(seat, _counted(move.goods))


def _supply(_position: Position, seat: int, move: Supply) -> Facts:
    if move.goods:
        yield GoodsSupplied(seat, move.goods)
        yield VpGained(seat, 0, len(move.goods))


def _store(position: Position, seat: int, move: Store) -> Facts:
    left = [owned - kept for owned, kept in zip(position.goods[seat], move.goods, strict=True)]
    corn, indigo, sugar, tobacco, coffee = left
    yield GoodsDiscarded(seat, (corn, indigo, sugar, tobacco, coffee))


def _counted(goods: tuple[int, ...]) -> Goods5:
    corn, indigo, sugar, tobacco, coffee = [goods.count(good) for good in range(QUARRY)]
    return corn, indigo, sugar, tobacco, coffee


FACTS: Final[Mapping[type, Callable[[Position, int, Any], Facts]]] = {
    Take: _take,
    Keep: _keep,
    Plant: _plant,
    Unplant: _unplant,
    Build: _build,
    Sell: _sell,
    Bonus: _bonus,
    Supply: _supply,
    Store: _store,
}
