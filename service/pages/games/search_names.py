"""Names that the search accepts: roles, buildings, tiles, goods, cards and options, in the reader's language."""

from collections.abc import Mapping
from functools import cache, partial
from typing import Final

from events.json_types import Json
from projections.rules.puerto_rico.text.labels import labels
from projections.rules.registry import GAMES
from projections.rules.spice_road.cards import MERCHANT, POINT
from projections.rules.spice_road.text import labels as spice_road
from service.i18n import phrases
from service.pages.games.new_game import text_of

SECTIONS: Final = ("roles", "buildings", "tiles", "goods")


@cache
def subjects(language: str) -> Mapping[str, str]:
    """Returns ids by name of all things that events are about."""
    words, cards = labels(language), spice_road.labels(language)
    named = {words.say(section, name): name for section in SECTIONS for name in words.section(section)}
    named |= {spice_road.card_in(cards, card): card for card in MERCHANT}
    return named | {
        f"{cards.say('board', 'points', points=it.points)} - {spice_road.cubes_in(cards, it.cost)}": id
        for id, it in POINT.items()
    }


@cache
def options(language: str) -> Mapping[str, str]:
    """Returns query values (`name:value`) by the label of each option and value."""
    say = partial(phrases.phrase, language)
    chosen = [(name, it) for game in GAMES.values() for name, choice in game.choices.items() for it in choice.values]
    return {f"{say(f'options.{name}')}: {_value(language, name, it)}": f"{name}:{text_of(it)}" for name, it in chosen}


def id_named(given: str, names: Mapping[str, str]) -> str:
    """Returns the id of a name, ignoring case; returns an unknown name unchanged."""
    return next((id for name, id in names.items() if name.casefold() == given.strip().casefold()), given)


def _value(language: str, name: str, value: Json) -> str:
    if isinstance(value, bool):
        return phrases.phrase(language, "common.yes" if value else "common.no")
    if name == "first_player" and isinstance(value, int):
        return phrases.phrase(language, "lobby.chair", chair=value + 1)
    if isinstance(value, int):
        return str(value)
    if name == "violet_buildings":
        return labels(language).say("buildings", str(value))
    return phrases.phrase(language, f"options.{name}_{value}")
