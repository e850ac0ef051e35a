"""Refusals speak the languages of the labels."""

from string import Formatter

import pytest

from projections.rules.errors import IllegalMove
from projections.rules.spice_road.text.refusals import SENTENCES
from tests.support.spice_road.tables import GAME, table


def test_every_sentence_exists_in_every_language() -> None:
    fields = [
        {key: sorted(field or "" for _, field, _, _ in Formatter().parse(sentence)) for key, sentence in words.items()}
        for words in SENTENCES.values()
    ]
    assert [words.keys() for words in fields] == [fields[0].keys()] * len(fields)
    named = [{key: {*names} - {""} for key, names in words.items()} for words in fields]
    assert named == [named[0]] * len(named)


def test_a_refusal_is_in_icelandic_and_in_english_without_translation() -> None:
    position = table(caravan=(1, 0, 0, 0))
    with pytest.raises(IllegalMove) as refused:
        GAME.canonical(position, GAME.parse("rest"))
    assert refused.value.sentence_in("is") == "Engin útlögð spil eru til að taka aftur upp."
    assert refused.value.sentence_in("hu") == "Nincs kijátszott kártya, amelyet kézbe lehetne venni."
    assert refused.value.sentence_in("fi") == "There are no played cards to take back."
