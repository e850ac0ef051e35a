"""The pages of the documentation that are made from the games: the notation of moves, and the options."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from events.json_types import Json, JsonObject
from projections.rules.errors import UnreadableMove
from projections.rules.registry import GAMES
from service.pages.games.decision_names import decision_names
from service.pages.games.game_lists import TITLES
from service.rulebook.addresses import KINDS, address_of
from service.rulebook.option_texts import option_document, value_words

NOTATION: Final = KINDS[UnreadableMove]  # game -> the chapter on its notation


class DecisionForms(NamedTuple):
    """The forms of the moves at a decision."""

    name: str
    words: str
    forms: Sequence[tuple[str, str]]  # a move and its meaning


class GameNotation(NamedTuple):
    """The notation of a game."""

    game: str
    title: str
    rules: str  # the address of the chapter
    decisions: Sequence[DecisionForms]


class ShownOption(NamedTuple):
    """An option, its default in words."""

    document: JsonObject
    default: str
    choices: Mapping[str, str]  # words by value, as the API writes it


class GameOptions(NamedTuple):
    """The options of a game."""

    game: str
    title: str
    options: Sequence[ShownOption]


def notation(language: str) -> Iterator[GameNotation]:
    """Yields the notation of each game."""
    for name, game in GAMES.items():
        names = decision_names(name, language)
        decisions = [
            DecisionForms(decision, names[decision], [(form.move, str(form.meaning[language])) for form in forms])
            for decision, forms in groupby(game.examples, key=lambda form: form.decision)
        ]
        yield GameNotation(name, TITLES[name], address_of(name, NOTATION[name], language), decisions)


def options(language: str) -> Iterator[GameOptions]:
    """Yields the options of each game."""
    for name, game in GAMES.items():
        shown = [
            ShownOption(
                option_document(name, option, choice, language),
                "" if choice.several else value_words(name, option, choice.values[0], language),
                {_written(value): value_words(name, option, value, language) for value in choice.values},
            )
            for option, choice in game.choices.items()
        ]
        yield GameOptions(name, TITLES[name], shown)


def _written(value: Json) -> str:
    """Returns a value as JSON writes it, without quotation marks."""
    return str(value).lower() if isinstance(value, bool) else str(value)
