"""The table before the first turn (rules 3)."""

from typing import Final

from projections.rules.dealer import Dealer
from projections.rules.spice_road.actions.turn import Book, draw
from projections.rules.spice_road.cards import MARKET, POINT_CARDS, STARTING
from projections.rules.spice_road.facts.cards import HandDealt, MerchantCardDealt, PointCardDealt
from projections.rules.spice_road.facts.coins import CoinsLaid
from projections.rules.spice_road.facts.cubes import CubesGained
from projections.rules.spice_road.rulings import Rulings
from projections.rules.spice_road.state.position import MERCHANT_ROW, POINT_ROW, Position

_POINT_DECK: Final = tuple(sorted(POINT_CARDS))
_MERCHANT_DECK: Final = tuple(sorted(MARKET))


def blank(rulings: Rulings, seats: int) -> Position:
    """Both decks face down, nothing dealt yet."""
    return Position(
        rulings=rulings,
        caravans=[(0, 0, 0, 0)] * seats,
        held=[b""] * seats,
        spent=[b""] * seats,
        claimed=[()] * seats,
        gold=[0] * seats,
        silver=[0] * seats,
        gold_supply=0,
        silver_supply=0,
        point_row=(),
        point_deck=_POINT_DECK,
        merchant_row=(),
        merchant_deck=_MERCHANT_DECK,
        turn=0,
        round=1,
        final_round=False,
        over=False,
    )


def deal(position: Position, dealer: Dealer, recorder: Book) -> None:
    """Deal both rows from left to right, lay out the coins, give every seat its cards and cubes."""
    fixed, seats = position.rulings.fixed, position.seats
    for _ in range(POINT_ROW):
        recorder.record(position, PointCardDealt(draw(position.point_deck, dealer)))
    recorder.record(position, CoinsLaid(fixed.coins_per_player * seats, fixed.coins_per_player * seats))
    for seat in range(seats):
        recorder.record(position, HandDealt(seat, STARTING))
    for _ in range(MERCHANT_ROW):
        recorder.record(position, MerchantCardDealt(draw(position.merchant_deck, dealer)))
    for seat in range(seats):
        recorder.record(position, CubesGained(seat, fixed.starting_cubes[seat]))
