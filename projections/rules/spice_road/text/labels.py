"""The words of Spice Road in five languages: cubes, caravans and cards."""

from functools import cache
from importlib.resources import files
from typing import Final

from projections.rules.catalogue import ENGLISH, LANGUAGES, Catalogue, Labels
from projections.rules.spice_road.cards import CREATE, MERCHANT
from projections.rules.spice_road.cubes import SPICES, Cubes
from projections.rules.spice_road.state.position import CARAVAN_LIMIT

CATALOGUE: Final = Catalogue(files(__package__).joinpath("words"))
LYING: Final = "spices"  # sections of the catalogue: cubes that lie somewhere, and cubes on a card
ON_A_CARD: Final = "spices_given"


def labels(language: str) -> Labels:
    """Returns the words of a language; English for an unknown language."""
    return _labels(language if language in LANGUAGES else ENGLISH)


@cache
def _labels(language: str) -> Labels:
    return Labels(CATALOGUE, language)


def cubes_in(words: Labels, cubes: Cubes, section: str = LYING) -> str:
    """Returns cubes in words, such as `2 turmeric and 1 saffron`; the section has the names in their case."""
    kinds = [
        words.say("parts", "amount", count=count, spice=words.say(section, spice, n=count))
        for count, spice in zip(cubes, SPICES, strict=True)
        if count
    ]
    if len(kinds) < 2:
        return "".join(kinds) or words.say("parts", "nothing")
    return f"{', '.join(kinds[:-1])} {words.say('parts', 'conjunction')} {kinds[-1]}"


def caravan_in(words: Labels, caravan: Cubes) -> str:
    """Returns a caravan with its total."""
    return words.say("parts", "caravan", cubes=cubes_in(words, caravan), total=sum(caravan), limit=CARAVAN_LIMIT)


def card_in(words: Labels, card: str) -> str:
    """Returns a merchant card with its effect."""
    merchant = MERCHANT[card]
    if card == CREATE:
        return words.say("cards", "create")
    if merchant.kind == "upgrade":
        return words.say("cards", "upgrade", steps=merchant.steps)
    give, receive = (cubes_in(words, cubes, ON_A_CARD) for cubes in (merchant.give, merchant.receive))
    return words.say("cards", "trade" if merchant.kind == "trade" else "spice", give=give, receive=receive)
