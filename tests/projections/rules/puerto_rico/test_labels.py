"""The rules' names are in the words of the rulebooks; names that no rulebook has are listed as ours."""

import json

import pytest

from projections.rules.catalogue import LANGUAGES
from projections.rules.plurals import plural
from projections.rules.puerto_rico.text.labels import CATALOGUE, labels
from tests.support.source_tree import PROJECT

OURS = json.loads((PROJECT / "projections/rules/puerto_rico/text/ours.json").read_text())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_things_of_a_section_share_a_word(language: str) -> None:
    for section in ("roles", "goods", "tiles", "buildings"):
        named = [str(text) for text in labels(language).section(section).values()]
        assert len(set(named)) == len(named)


def test_rulebook_words_are_those_of_the_rulebooks() -> None:  # rules 1.11 and 10
    assert labels("is").say("buildings", "hospice") == "Gistihús"  # not the guesthouse
    assert labels("sv").say("buildings", "construction_hut") == "Barack"
    assert labels("cs").say("buildings", "wharf") == "Loděnice"
    assert labels("hu").say("buildings", "royal_supplier") == "Kaszárnya"
    assert labels("sv").say("roles", "craftsman") == "arbetare"


def test_a_number_chooses_its_plural() -> None:
    assert labels("en").count("doubloon", 1) == "1 doubloon"
    assert labels("cs").count("doubloon", 3) == "3 dublony"
    assert labels("cs").count("doubloon", 5) == "5 dublonů"
    assert labels("is").count("doubloon", 21) == "21 doblúna"
    assert plural("is", 11) == "other"


@pytest.mark.parametrize(
    ("language", "building", "ours"), [("is", "lighthouse", "Viti"), ("sv", "royal_supplier", "Hovleverantör")]
)
def test_a_name_that_no_rulebook_has_is_listed_as_ours(language: str, building: str, ours: str) -> None:
    assert labels(language).say("buildings", building) == ours
    assert f"buildings.{building}" in OURS[language]


def test_the_list_of_our_names_holds_names_of_the_catalogue() -> None:
    known = {f"{section}.{name}" for section in CATALOGUE.subjects() for name in CATALOGUE.rows(section)}
    assert {name for names in OURS.values() for name in names} <= known


def test_an_unknown_language_is_english() -> None:
    assert labels("tlh").say("roles", "mayor") == "mayor"
