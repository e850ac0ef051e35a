"""The typed positions of both games, by the name of the game."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from cabildo_client.decode import read
from cabildo_client.errors import UnreadableAnswer
from cabildo_client.json_values import JsonObject
from cabildo_client.puerto_rico import PuertoRicoPosition
from cabildo_client.spice_road import SpiceRoadPosition

Position: TypeAlias = PuertoRicoPosition | SpiceRoadPosition
POSITIONS: Final[Mapping[str, type[Position]]] = {"puerto_rico": PuertoRicoPosition, "spice_road": SpiceRoadPosition}


def position_of(document: JsonObject) -> Position:
    """Returns the typed position of a document; raises UnreadableAnswer for a game that this package does not know."""
    kind = POSITIONS.get(str(document.get("game")))
    if kind is None:
        raise UnreadableAnswer(f"this package knows {', '.join(POSITIONS)}, and not {document.get('game')!r}")
    return read(kind, document)
