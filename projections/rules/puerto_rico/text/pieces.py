"""What each building, role, good, tile and place is and does, for readers who ask while they play.

The effects are sentences of our own in the catalogue; numbers that the rules keep as data are printed from them.
"""

from collections.abc import Iterator
from typing import Final

from events.json_types import Json, JsonObject
from projections.rules.catalogue import Labels
from projections.rules.puerto_rico.buildings.printed import KINDS, NAMES, PRODUCERS, PrintedBuilding
from projections.rules.puerto_rico.kinds import GOODS, NONE, ROLES, TILES
from projections.rules.puerto_rico.tables import PRICES
from projections.rules.puerto_rico.text.labels import labels

PRODUCTION: Final = "4.1"
ROLE_SECTIONS: Final = ("3.4", "3.5", "3.6", "3.7", "3.8", "3.9", "3.10")
PLACES: Final = {  # piece on a board -> the word for it, and its section
    "cargo_ship": ("cargo_ship", "3.9"),
    "trading_house": ("trading_house", "3.8"),
    "colonist_ship": ("colonist_ship", "3.5"),
    "face_down": ("plantation", "3.4"),
    "vp_supply": ("victory_point", "5.2"),
    "colonist_supply": ("colonist", "3.5"),
    "noble": ("noble", "6.2"),
    "doubloon": ("doubloon", "5.3"),
    "victory_point": ("victory_point", "5.3"),
    "san_juan": ("san_juan", "3.5"),
    "governor": ("governor", "3.1"),
}


def pieces(language: str) -> dict[str, JsonObject]:
    """Returns the pieces in a language, by names such as `buildings.hacienda`."""
    words = labels(language)
    return dict((*_buildings(words), *_roles(words), *_goods(words), *_tiles(words), *_places(words)))


def _piece(name: str, effect: str, rule: str, **printed: Json) -> JsonObject:
    return {"name": name, "effect": effect, "rule": rule, **printed}


def _buildings(words: Labels) -> Iterator[tuple[str, JsonObject]]:
    for kind in KINDS:
        printed: JsonObject = {
            "cost": kind.cost,
            "points": kind.vp,
            "column": kind.column,
            "circles": kind.circles,
        }
        piece = _piece(words.say("buildings", kind.name), _effect(words, kind), section_of(kind), **printed)
        yield f"buildings.{kind.name}", piece


def _effect(words: Labels, kind: PrintedBuilding) -> str:
    if kind.produces == NONE:
        return words.say("building_effects", kind.name)
    good = words.say("goods", GOODS[kind.produces])
    return words.say("building_effects", "production", good=good, circles=kind.circles)


def section_of(kind: PrintedBuilding) -> str:
    """Returns the anchor of the paragraph about a building."""
    return PRODUCTION if kind.produces != NONE else kind.name


def _roles(words: Labels) -> Iterator[tuple[str, JsonObject]]:
    for role in ROLES:
        known = role.partition("_")[0]
        section = ROLE_SECTIONS[ROLES.index(known)]
        yield f"roles.{role}", _piece(words.say("roles", role), words.say("piece_effects", known), section)


def _goods(words: Labels) -> Iterator[tuple[str, JsonObject]]:
    for good, name in enumerate(GOODS):
        price = words.count("doubloon", PRICES[good])
        row = "good" if PRODUCERS[good] else "corn"
        effect = words.say("piece_effects", row, price=price, buildings=_makers(words, good))
        yield f"goods.{name}", _piece(words.say("goods", name), effect, "1.2", price=PRICES[good])


def _makers(words: Labels, good: int) -> str:
    return ", ".join(words.say("buildings", NAMES[building]) for building in PRODUCERS[good])


def _tiles(words: Labels) -> Iterator[tuple[str, JsonObject]]:
    for tile, name in enumerate(TILES):
        plantation = tile < len(GOODS)
        row = name if not plantation else "plantation" if PRODUCERS[tile] else "corn_plantation"
        effect = words.say("piece_effects", row, buildings=_makers(words, tile) if plantation else "")
        section = "3.7" if plantation else "3.6" if name == "quarry" else "forest_house"
        yield f"tiles.{name}", _piece(words.say("tiles", name), effect, section)


def _places(words: Labels) -> Iterator[tuple[str, JsonObject]]:
    for place, (word, section) in PLACES.items():
        yield f"places.{place}", _piece(words.say("pieces", word), words.say("piece_effects", place), section)
