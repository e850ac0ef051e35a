"""The pieces of a game with their effects in a language; each names the address of its paragraph."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from events.json_types import JsonObject
from projections.rules.puerto_rico.text import pieces as puerto_rico
from projections.rules.spice_road.text import pieces as spice_road
from service.rulebook.addresses import address_of

PIECES: Final[Mapping[str, Callable[[str], Mapping[str, JsonObject]]]] = {
    "puerto_rico": puerto_rico.pieces,
    "spice_road": spice_road.pieces,
}


@cache
def pieces_document(game: str, language: str) -> JsonObject:
    """Returns every piece of a game by its name; at most as many documents are kept as there are languages."""
    told = PIECES[game](language)
    pieces = {
        name: {**piece, "rule_page": address_of(game, str(piece["rule"]), language)} for name, piece in told.items()
    }
    return {"game": game, "language": language, "pieces": pieces}
