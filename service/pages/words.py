"""What drawn boards need besides a position: names in the reader's language, what is printed on the buildings."""

from typing import Any

from projections.puerto_rico.buildings.kinds import KINDS, SPACES
from projections.puerto_rico.kinds import GOODS, NONE
from projections.puerto_rico.labels import labels, read

SECTIONS = ("roles", "goods", "tiles", "buildings")


def setting(game: str, language: str) -> dict[str, Any]:
    """The names and the catalogue of a game; Spice Road's cards are named by what they do, and need neither."""
    return {"names": _names(language), "catalogue": _catalogue()} if game == "puerto_rico" else {}


def _names(language: str) -> dict[str, dict[str, str]]:
    words = labels(language)
    names = {section: {name: words.say(section, name) for name in read("en")[section]} for section in SECTIONS}
    return names | {"tiles_short": names["goods"] | {name: names["tiles"][name] for name in ("quarry", "forest")}}


def _catalogue() -> dict[str, dict[str, Any]]:
    return {
        kind.name: {
            "cost": kind.cost,
            "vp": kind.vp,
            "column": kind.column,
            "circles": kind.circles,
            "large": SPACES[number] == 2,
            "produces": GOODS[kind.produces] if kind.produces != NONE else None,
        }
        for number, kind in enumerate(KINDS)
    }
