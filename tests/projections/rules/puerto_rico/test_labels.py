"""Every name the rules use has a word in every language, its rulebook's or one of ours that the file owns up to."""

from string import Formatter

import pytest

from projections.rules.plurals import plural
from projections.rules.puerto_rico.text.labels import LANGUAGES, labels, read

GOODS = ("corn", "indigo", "sugar", "tobacco", "coffee")
TRANSLATED = [language for language in LANGUAGES if language != "en"]
SECTIONS = [name for name, entries in read("en").items() if isinstance(entries, dict)]


def entries(language: str) -> dict[str, object]:
    """Returns the entries of a file by `section.name`."""
    table = read(language)
    return {f"{section}.{name}": word for section in SECTIONS for name, word in table.get(section, {}).items()}


def fields(template: object) -> set[str]:
    """The values a template wants."""
    forms = template.values() if isinstance(template, dict) else [template]
    return {field for form in forms for _, field, _, _ in Formatter().parse(str(form)) if field}


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_language_says_what_english_says(language: str) -> None:
    assert set(entries(language)) == set(entries("en"))


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_sentence_wants_the_same_values_in_every_language(language: str) -> None:
    own, english = entries(language), entries("en")
    assert {name: fields(own[name]) for name in own} == {name: fields(english[name]) for name in own}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_things_of_a_section_share_a_word(language: str) -> None:
    words = labels(language)
    for section in ("roles", "goods", "tiles", "buildings"):
        named = [words.say(section, name.partition(".")[2]) for name in words.names() if name.startswith(section)]
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
def test_what_no_rulebook_of_a_language_names_has_a_word_of_ours(language: str, building: str, ours: str) -> None:
    assert labels(language).say("buildings", building) == ours
    assert set(read(language)["ours"]) <= set(entries(language))
    assert f"buildings.{building}" in read(language)["ours"]


def test_a_language_nobody_wrote_is_english() -> None:
    assert labels("tlh").say("roles", "mayor") == "mayor"
