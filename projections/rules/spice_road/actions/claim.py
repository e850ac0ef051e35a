"""Claim a point card: pay its cost exactly, take it and the coin above it (rules 5.4, 7 and 8)."""

from functools import cache
from typing import Final

from projections.rules.dealer import Dealer
from projections.rules.spice_road.actions.turn import Book, draw, refused
from projections.rules.spice_road.cards import POINT
from projections.rules.spice_road.cubes import Cubes, holds
from projections.rules.spice_road.facts.cards import PointCardClaimed, PointCardDealt
from projections.rules.spice_road.facts.coins import GoldTaken, SilverTaken
from projections.rules.spice_road.facts.cubes import CUBES_RETURNED
from projections.rules.spice_road.facts.frame import FinalRoundBegun
from projections.rules.spice_road.moves import Claim
from projections.rules.spice_road.state.position import POINT_ROW, Position

_PLACES: Final = range(POINT_ROW + 1)
_CLAIMS: Final = [(Claim(place),) for place in _PLACES]
_EITHER_WAY: Final = [(Claim(place), Claim(place, coin=False)) for place in _PLACES]  # with the coin and without


def offers(position: Position, payable: frozenset[str]) -> list[tuple[Claim, ...]]:
    """The payable point cards in the row, where the rulings say so with and without the coin."""
    optional = position.rulings.coin_taking == "optional"
    return [
        _EITHER_WAY[place] if optional and coin_above(position, place) else _CLAIMS[place]
        for place, card in enumerate(position.point_row, start=1)
        if card in payable
    ]


@cache  # of the 1001 caravans an action can begin with
def payable_with(caravan: Cubes) -> frozenset[str]:
    """The point cards whose cost is in the caravan; nothing stands in for a required cube (R-17)."""
    return frozenset(card.id for card in POINT.values() if holds(caravan, card.cost))


def coin_above(position: Position, place: int) -> type[GoldTaken | SilverTaken] | None:
    """The coin a claim at this place brings, if any; silver moves to place 1 when the gold is gone (R-20)."""
    if place == 1 and position.gold_supply:
        return GoldTaken
    if place == (2 if position.gold_supply else 1) and position.silver_supply:
        return SilverTaken
    return None


def check(position: Position, move: Claim) -> Claim:
    """The move as listed; refused when the cost is not there."""
    row = len(position.point_row)
    if not 1 <= move.position <= row:
        raise refused(move, "no_such_position", "5.4", said="point_row_ends", row=row)
    if position.point_row[move.position - 1] not in payable_with(position.caravans[position.turn]):
        raise refused(move, "cost_not_met", "R-17")
    if move.coin:
        return move
    if position.rulings.coin_taking == "automatic":
        raise refused(move, "coin_is_automatic", "R-19")
    return move if coin_above(position, move.position) else Claim(move.position)


def claim(position: Position, move: Claim, dealer: Dealer, recorder: Book) -> None:
    """Pay, take the card and its coin, refill; the card may begin the final round."""
    seat, card = position.turn, POINT[position.point_row[move.position - 1]]
    coin = coin_above(position, move.position)  # by the position before the row slides
    recorder.record(position, CUBES_RETURNED(seat, card.cost))
    recorder.record(position, PointCardClaimed(seat, card.id))
    if coin and move.coin:
        recorder.record(position, coin(seat))
    if position.point_deck:
        recorder.record(position, PointCardDealt(draw(position.point_deck, dealer)))
    if not position.final_round and _ends_soon(position):
        recorder.record(position, FinalRoundBegun())


def _ends_soon(position: Position) -> bool:
    """Whether this is the final round: enough point cards, or none left to claim (R-24, R-16)."""
    return len(position.claimed[position.turn]) >= position.threshold or not position.point_row


CHECKS: Final = {Claim: check}
DEEDS: Final = {Claim: claim}
