"""Labels of drawn boards: names in the reader's language, and the printed values of the buildings."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from projections.rules.puerto_rico.buildings.printed import KINDS, SPACES, VIOLET
from projections.rules.puerto_rico.kinds import GOODS, NONE
from projections.rules.puerto_rico.rulings import EXPANSIONS
from projections.rules.puerto_rico.tables import DRAFT_PLACES
from projections.rules.puerto_rico.text.labels import labels
from projections.rules.spice_road.cards import MERCHANT
from projections.rules.spice_road.cubes import SPICES
from projections.rules.spice_road.text import labels as spice_road

SECTIONS: Final = ("roles", "goods", "tiles", "buildings", "pieces", "phases", "counts", "ends", "board")
ROWS: Final = {
    "board": ("caravan", "hand", "played", "claimed", "coins", "gold", "silver", "final_round"),
    "parts": ("nothing", "amount"),
}


def setting(game: str, language: str) -> dict[str, Any]:
    """Returns the names and the catalogue of buildings of a game."""
    return _SETTINGS[game](language)


def _puerto_rico(language: str) -> dict[str, Any]:
    words = labels(language)
    names = {section: dict(words.section(section)) for section in SECTIONS}
    names["tiles_short"] = names["goods"] | {name: names["tiles"][name] for name in ("quarry", "forest")}
    return {"names": names, "catalogue": _catalogue(), "draft_places": DRAFT_PLACES}


def _spice_road(language: str) -> dict[str, Any]:
    words = spice_road.labels(language)
    spices = {spice: words.say("spices", spice, n=1) for spice in SPICES}
    cards = {card: spice_road.card_in(words, card) for card in MERCHANT}
    names = {name: words.template(section, name) for section, rows in ROWS.items() for name in rows}
    return {"names": {"spices": spices, "cards": cards} | names}


def _catalogue() -> dict[str, dict[str, Any]]:
    return {
        kind.name: {
            "cost": kind.cost,
            "vp": kind.vp,
            "column": kind.column,
            "circles": kind.circles,
            "large": SPACES[number] == 2,
            "violet": VIOLET[number],
            "expansion": ("base", *EXPANSIONS)[kind.expansion],
            "produces": GOODS[kind.produces] if kind.produces != NONE else None,
        }
        for number, kind in enumerate(KINDS)
    }


_SETTINGS: Final[Mapping[str, Callable[[str], dict[str, Any]]]] = {
    "puerto_rico": _puerto_rico,
    "spice_road": _spice_road,
}
