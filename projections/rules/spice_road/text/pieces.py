"""What each card, coin, spice and place is and does, for readers who ask while they play."""

from collections.abc import Iterator
from typing import Final

from events.json_types import Json, JsonObject
from projections.rules.catalogue import Labels
from projections.rules.spice_road.cards import MERCHANT, POINT
from projections.rules.spice_road.cubes import SPICES
from projections.rules.spice_road.rulings import NEWEST, VERSIONS
from projections.rules.spice_road.state.position import CARAVAN_LIMIT
from projections.rules.spice_road.text.labels import ON_A_CARD, card_in, cubes_in, labels

RULES: Final = VERSIONS[NEWEST]
PLACES: Final = {
    "caravan": "6",
    "hand": "5.1",
    "played": "5.3",
    "claimed": "8",
    "lying": "5.2",
    "point_deck": "R-16",
    "merchant_deck": "R-15",
}  # with their sections


def pieces(language: str) -> dict[str, JsonObject]:
    """Returns the pieces in a language, by names such as `cards.trade_yy_g`."""
    words = labels(language)
    return dict((*_cards(words), *_point_cards(words), *_spices(words), *_coins(words), *_places(words)))


def _piece(name: str, effect: str, rule: str, **printed: Json) -> JsonObject:
    return {"name": name, "effect": effect, "rule": rule, **printed}


def _cards(words: Labels) -> Iterator[tuple[str, JsonObject]]:
    for card in MERCHANT.values():
        give, receive = (cubes_in(words, cubes, ON_A_CARD) for cubes in (card.give, card.receive))
        effect = words.say("piece_effects", card.kind, give=give, receive=receive, steps=card.steps)
        yield f"cards.{card.id}", _piece(_capital(card_in(words, card.id)), effect, "5.1", kind=card.kind)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _point_cards(words: Labels) -> Iterator[tuple[str, JsonObject]]:
    for card in POINT.values():
        cost = cubes_in(words, card.cost, ON_A_CARD)
        effect = words.say("piece_effects", "point_card", cost=cost, points=card.points)
        name = words.say("pieces", "point_card", points=card.points)
        yield f"point_cards.{card.id}", _piece(name, effect, "5.4", points=card.points)


def _spices(words: Labels) -> Iterator[tuple[str, JsonObject]]:
    for spice, following in zip(SPICES, (*SPICES[1:], ""), strict=True):
        row = spice if spice in (SPICES[0], SPICES[-1]) else "raisable"
        then = words.say("raised", following) if following else ""
        effect = words.say("piece_effects", row, next=then, points=1)
        yield f"spices.{spice}", _piece(words.say("spices", spice, n=1), effect, "5.1")


def _coins(words: Labels) -> Iterator[tuple[str, JsonObject]]:
    for coin, points in (("gold", RULES.points_of_gold), ("silver", RULES.points_of_silver)):
        effect = words.say("piece_effects", coin, points=points)
        yield f"coins.{coin}", _piece(words.say("pieces", coin), effect, "7", points=points)


def _places(words: Labels) -> Iterator[tuple[str, JsonObject]]:
    values = {"limit": CARAVAN_LIMIT, "least": min(RULES.thresholds.values()), "most": max(RULES.thresholds.values())}
    for place, section in PLACES.items():
        name = words.say("pieces", place)
        yield f"places.{place}", _piece(_capital(name), words.say("piece_effects", place, **values), section)
