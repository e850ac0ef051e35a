"""The experts by the name of their game: a third game is a line here and a folder beside."""

from typing import Final

from workers.bots.expert import Experts
from workers.bots.puerto_rico.expert import PuertoRicoExpert
from workers.bots.spice_road.expert import SpiceRoadExpert

EXPERTS: Final[Experts] = {"puerto_rico": PuertoRicoExpert(), "spice_road": SpiceRoadExpert()}
