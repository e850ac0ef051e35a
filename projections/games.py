"""Every game there is: a third one is a new folder and a line here."""

from typing import Any, Final

from projections.protocol import Game
from projections.puerto_rico.game import PuertoRico
from projections.spice_road.game import SpiceRoad

GAMES: Final[dict[str, Game[Any, Any]]] = {"puerto_rico": PuertoRico(), "spice_road": SpiceRoad()}
