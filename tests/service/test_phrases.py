"""What the pages say is said in five languages, with the same places to fill in."""

import string

import pytest

from service.pages import phrases
from service.transfer import LANGUAGES

SUBJECTS = sorted(file.stem for file in phrases.FOLDER.glob("*.json"))


def places(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@pytest.mark.parametrize("subject", SUBJECTS)
def test_every_phrase_is_said_in_every_language(subject: str) -> None:
    wrong = [name for name, row in phrases.read(subject).items() if [*row] != [*LANGUAGES] or not all(row.values())]
    assert wrong == []


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_phrase_has_the_same_places_in_every_language(subject: str) -> None:
    table = phrases.read(subject)
    assert [name for name, row in table.items() if len({frozenset(places(said)) for said in row.values()}) > 1] == []


def test_a_phrase_is_filled_in_and_english_stands_in_for_other_languages() -> None:
    assert phrases.say("cs", "chrome.lobby") == "Lobby"
    assert phrases.say("fi", "chrome.log_in") == "Log in"
    assert phrases.phrases("chrome", "is")["my_games"] == "Spilin mín"
