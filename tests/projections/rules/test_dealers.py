"""Dealers draw the same piece from the cards of a deck, however these are counted."""

import random

import pytest

from projections.rules.dealer import Dealer, DeclaredDealer, OneOfEach, RandomDealer, RecordingDealer, SeededDealer
from projections.rules.errors import ImpossibleDraw
from projections.rules.spice_road.cards import MARKET


def dealers(number: int) -> list[Dealer]:
    """Dealers that draw by chance, all anew."""
    source = random.Random(number)
    return [RandomDealer(source), SeededDealer(bytes([number]) * 32), RecordingDealer(SeededDealer(b"", number))]


@pytest.mark.parametrize("number", range(20))
def test_a_deck_is_dealt_as_a_table_of_its_cards(number: int) -> None:
    deck = MARKET[number:]
    by_table = [dealer.draw(dict.fromkeys(deck, 1)) for dealer in dealers(number)]
    assert [dealer.draw(OneOfEach(deck)) for dealer in dealers(number)] == by_table


def test_only_cards_of_the_deck_can_be_declared() -> None:
    assert DeclaredDealer([MARKET[1]]).draw(OneOfEach(MARKET)) == MARKET[1]
    with pytest.raises(ImpossibleDraw) as refused:
        DeclaredDealer([MARKET[0]]).draw(OneOfEach(MARKET[1:]))
    assert refused.value.possible == tuple(sorted(MARKET[1:]))
    with pytest.raises(KeyError):
        OneOfEach(MARKET[1:])[MARKET[0]]
