"""The options of a game in words: the name of each, its values, and what it decides."""

from typing import Any, Final

from events.json_types import Json, JsonObject
from projections.rules.options import GameOption
from service.i18n.phrases import phrase
from service.rulebook.addresses import address_of
from service.rulebook.pieces import pieces_document

CHAIR: Final = "first_player"  # the option whose numbers are chairs
BUILDINGS: Final = "violet_buildings"  # the option whose values are buildings


def value_words(game: str, option: str, value: Json, language: str) -> str:
    """Returns a value of an option in words."""
    if isinstance(value, bool):
        return phrase(language, "common.yes" if value else "common.no")
    if isinstance(value, int):
        return phrase(language, "lobby.chair", chair=value + 1) if option == CHAIR else str(value)
    if option == BUILDINGS:
        pieces: Any = pieces_document(game, language)["pieces"]
        return str(pieces[f"buildings.{value}"]["name"])
    return phrase(language, f"options.{option}_{value}")


def option_document(game: str, name: str, choice: GameOption, language: str) -> JsonObject:
    """Returns an option with its values, its default, and the words for all of it."""
    return {
        "name": name,
        "values": list(choice.values),
        "default": [] if choice.several else choice.values[0],
        "several": choice.several,
        "title": phrase(language, f"options.{name}"),
        "about": phrase(language, f"option_notes.{name}"),
        "value_titles": [value_words(game, name, value, language) for value in choice.values],
        "rule_page": address_of(game, f"opt-{name}", language),
    }
