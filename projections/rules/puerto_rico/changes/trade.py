"""Changes of the position when goods are sold."""

from typing import Final

from projections.rules.fact_recorder import Changes
from projections.rules.puerto_rico.facts import trade as f
from projections.rules.puerto_rico.kinds import FINISHED, SOLD
from projections.rules.puerto_rico.state.position import Position


def good_sold(position: Position, fact: f.GoodSold) -> None:
    seat, good, price = fact
    position.goods[seat][good] -= 1
    position.house.append(good)
    position.doubloons[seat] += price
    position.done[seat] |= SOLD


def good_traded(position: Position, fact: f.GoodTraded) -> None:
    seat, good, price = fact
    position.goods[seat][good] -= 1
    position.goods_supply[good] += 1
    position.doubloons[seat] += price
    position.done[seat] |= SOLD


def trade_ended(position: Position, fact: f.TradeEnded) -> None:
    (seat,) = fact
    position.done[seat] |= FINISHED


def house_emptied(position: Position, _fact: f.HouseEmptied) -> None:
    for good in position.house:
        position.goods_supply[good] += 1
    position.house = []


CHANGES: Final[Changes[Position]] = {
    f.GoodSold: good_sold,
    f.GoodTraded: good_traded,
    f.TradeEnded: trade_ended,
    f.HouseEmptied: house_emptied,
}
