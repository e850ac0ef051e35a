"""The trader phase: every seat may sell one good (rules 3.8)."""

from functools import lru_cache
from typing import Final

from projections.rules.dealer import Dealer
from projections.rules.fact_recorder import FactRecorder
from projections.rules.made_once import by_seat, made_once
from projections.rules.puerto_rico.engine import effects
from projections.rules.puerto_rico.facts.trade import GoodSold, HouseEmptied, TradeEnded
from projections.rules.puerto_rico.kinds import FINISHED, SOLD
from projections.rules.puerto_rico.moves import PASS, Move, Pass, Sell
from projections.rules.puerto_rico.plan import EMPTY_HOUSE, TRADE, TRADE_AGAIN
from projections.rules.puerto_rico.state.position import Position
from projections.rules.puerto_rico.tables import HOUSE_PLACES, PRICES

GOOD_SOLD: Final = made_once(GoodSold)
TRADE_ENDED: Final = by_seat(TradeEnded)


def price(position: Position, seat: int, good: int) -> int:
    """Returns the price that the trading house pays this seat."""
    return PRICES[good] + effects.privilege(position, seat) + effects.total(position, seat, effects.SALE_PRICE)


def trades(position: Position, seat: int) -> tuple[Move, ...]:
    """D-TRD: a sale to the house; buildings add others; or finish."""
    done = position.done[seat]
    if done & FINISHED or (done & SOLD and not effects.allowed(position, seat, effects.TRADE_TWICE)):
        return ()
    return sale_moves(0 if done & SOLD else sellable(position, seat))


def sellable(position: Position, seat: int) -> int:
    """The kinds the house takes from this seat, as bits."""
    house = position.house
    if len(house) >= HOUSE_PLACES:
        return 0
    duplicates = effects.allowed(position, seat, effects.SELL_DUPLICATE)
    goods = position.goods[seat]
    mask = 0
    for good in range(5):
        if goods[good] and (duplicates or good not in house):
            mask |= 1 << good
    return mask


@lru_cache(maxsize=32)
def sale_moves(kinds: int) -> tuple[Move, ...]:
    """The sales of these kinds, and `pass`."""
    return (*(Sell(good) for good in range(5) if kinds >> good & 1), PASS)


def sell(position: Position, seat: int, move: Sell, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """A good goes to the trading house."""
    good = move.good
    recorder.record(position, GOOD_SOLD(seat, good, price(position, seat, good)))


def finish(position: Position, seat: int, _move: Pass, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """The seat wants nothing more in this phase."""
    recorder.record(position, TRADE_ENDED[seat])


def empty_house(position: Position, _seat: int, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """A full house is emptied; otherwise the goods wait for the next trader."""
    if len(position.house) == HOUSE_PLACES:
        recorder.record(position, HouseEmptied())


CHOICES: Final[dict[int, effects.Choice]] = {TRADE: trades, TRADE_AGAIN: trades}
DUTIES: Final[dict[int, effects.Duty]] = {EMPTY_HOUSE: empty_house}
DEEDS: Final[dict[type, effects.Deed]] = {Sell: sell}
PASSES: Final[dict[int, effects.Deed]] = {TRADE: finish, TRADE_AGAIN: finish}
