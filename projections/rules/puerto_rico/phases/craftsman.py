"""The craftsman phase: production, payouts, and a good more for the chooser (rules 3.7)."""

from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final

from projections.rules.dealer import Dealer
from projections.rules.fact_recorder import FactRecorder
from projections.rules.made_once import made_once
from projections.rules.puerto_rico.buildings.printed import PRODUCERS
from projections.rules.puerto_rico.engine import effects
from projections.rules.puerto_rico.facts.goods import GoodsAdded, GoodsProduced
from projections.rules.puerto_rico.facts.moments import CraftingBegun, PayoutDue
from projections.rules.puerto_rico.kinds import CORN, Goods5
from projections.rules.puerto_rico.moves import PASS, Bonus, Move
from projections.rules.puerto_rico.plan import BONUS, CRAFTING, OWN_PAYOUT, PAYOUT, PRODUCE
from projections.rules.puerto_rico.state.position import Position

GOODS_PRODUCED: Final = made_once(GoodsProduced)


def crafting(position: Position, seat: int, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """The phase begins: a moment buildings wait for."""
    if effects.listens(position, seat, CraftingBegun):
        recorder.record(position, CraftingBegun(seat))


def capacity(position: Position, seat: int, good: int) -> int:
    """Returns the units of a good that a seat could produce from an unlimited supply."""
    plantations = position.tile_people[seat][good]
    if good == CORN or not plantations:
        return plantations
    city = position.city_people[seat]
    workers = 0
    for building in PRODUCERS[good]:
        workers += city[building]
    return plantations if plantations < workers else workers


def harvest(position: Position, seat: int) -> Goods5:
    """Returns the production of a seat by good: its capacity, limited by the supply."""
    farmers, supply = position.tile_people[seat], position.goods_supply
    made = [0, 0, 0, 0, 0]
    for good in range(len(supply)):
        if farmers[good]:
            made[good] = min(capacity(position, seat, good), supply[good])
    corn, indigo, sugar, tobacco, coffee = made
    return (corn, indigo, sugar, tobacco, coffee)


def produce(position: Position, seat: int, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """Every seat produces in phase order, completely before the next (R-46)."""
    goods = harvest(position, seat)
    if any(goods):
        recorder.record(position, GOODS_PRODUCED(seat, goods))


def payout(position: Position, seat: int, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """Payment for the goods received; the chooser's waits for the privilege."""
    if seat != position.chooser:
        own_payout(position, seat, _dealer, recorder)


def own_payout(position: Position, seat: int, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """All goods are received: a moment buildings wait for."""
    if effects.listens(position, seat, PayoutDue):
        recorder.record(position, PayoutDue(seat))


def bonuses(position: Position, seat: int) -> tuple[Move, ...]:
    """D-CRA-PRIV: goods of kinds the chooser produced; the single possible set is taken without asking."""
    supply = position.goods_supply
    left = [min(2, supply[good]) if made else 0 for good, made in enumerate(position.produced[seat])]
    if not any(left):
        return ()
    moves = bonus_moves(tuple(left), effects.privilege(position, seat))
    return moves if len(moves) > 2 else moves[:1]


@lru_cache(maxsize=1024)
def bonus_moves(left: tuple[int, ...], size: int) -> tuple[Move, ...]:
    """The multisets of up to so many goods, and `pass`."""
    goods = [good for good, amount in enumerate(left) if amount]
    sets = [chosen for number in range(1, size + 1) for chosen in combinations_with_replacement(goods, number)]
    possible = [chosen for chosen in sets if all(chosen.count(good) <= left[good] for good in chosen)]
    return (*(Bonus(chosen) for chosen in possible), PASS)


def bonus(position: Position, seat: int, move: Bonus, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """The privilege goods come from the supply."""
    corn, indigo, sugar, tobacco, coffee = [move.goods.count(good) for good in range(5)]
    recorder.record(position, GoodsAdded(seat, (corn, indigo, sugar, tobacco, coffee)))


CHOICES: Final[dict[int, effects.Choice]] = {BONUS: bonuses}
DUTIES: Final[dict[int, effects.Duty]] = {
    CRAFTING: crafting,
    PRODUCE: produce,
    PAYOUT: payout,
    OWN_PAYOUT: own_payout,
}
DEEDS: Final[dict[type, effects.Deed]] = {Bonus: bonus}
