"""Refusals speak the languages of the labels."""

import pytest

from projections.rules.errors import IllegalMove
from tests.support.spice_road.tables import GAME, table


def test_a_refusal_is_in_icelandic_and_in_english_without_translation() -> None:
    position = table(caravan=(1, 0, 0, 0))
    with pytest.raises(IllegalMove) as refused:
        GAME.canonical(position, GAME.parse("rest"))
    assert refused.value.sentence_in("is") == "Engin útlögð spil eru til að taka aftur upp."
    assert refused.value.sentence_in("hu") == "Nincs kijátszott kártya, amelyet kézbe lehetne venni."
    assert refused.value.sentence_in("fi") == "There are no played cards to take back."
