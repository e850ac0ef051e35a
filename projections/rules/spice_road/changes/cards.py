"""Changes of the position when cards move."""

from typing import Final

from projections.rules.fact_recorder import Changes
from projections.rules.made_once import made_of
from projections.rules.spice_road.cards import CODES, coded
from projections.rules.spice_road.cubes import NONE, plus
from projections.rules.spice_road.facts import cards as f
from projections.rules.spice_road.state.position import Cards, Position, RowCard

_LAID: Final = made_of(RowCard)


def hand_dealt(position: Position, fact: f.HandDealt) -> None:
    seat, cards = fact
    position.held[seat] += coded(cards)


def point_card_dealt(position: Position, fact: f.PointCardDealt) -> None:
    (card,) = fact
    position.point_deck = _without(position.point_deck, card)
    position.point_row += (card,)


def merchant_card_dealt(position: Position, fact: f.MerchantCardDealt) -> None:
    (card,) = fact
    position.merchant_deck = _without(position.merchant_deck, card)
    position.merchant_row += (_LAID((card, NONE)),)


def card_played(position: Position, fact: f.CardPlayed) -> None:
    seat, card = fact
    code, hand = CODES[card], position.held[seat]
    left = hand.replace(code, b"")
    if len(left) == len(hand):
        raise ValueError(card)
    position.held[seat] = left
    position.spent[seat] += code


def merchant_card_taken(position: Position, fact: f.MerchantCardTaken) -> None:
    seat, card, cubes = fact
    position.merchant_row = tuple([laid for laid in position.merchant_row if laid[0] != card])
    position.held[seat] += CODES[card]
    position.caravans[seat] = plus(position.caravans[seat], cubes)


def rested(position: Position, fact: f.Rested) -> None:
    (seat,) = fact
    position.held[seat] += position.spent[seat]
    position.spent[seat] = b""


def point_card_claimed(position: Position, fact: f.PointCardClaimed) -> None:
    seat, card = fact
    position.point_row = _without(position.point_row, card)
    position.claimed[seat] += (card,)


def _without(cards: Cards, card: str) -> Cards:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


CHANGES: Final[Changes[Position]] = {
    f.HandDealt: hand_dealt,
    f.PointCardDealt: point_card_dealt,
    f.MerchantCardDealt: merchant_card_dealt,
    f.CardPlayed: card_played,
    f.MerchantCardTaken: merchant_card_taken,
    f.Rested: rested,
    f.PointCardClaimed: point_card_claimed,
}
