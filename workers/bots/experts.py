"""The table of experts by game: a third game adds a row here and a folder beside."""

from typing import Final

from workers.bots.expert import Experts
from workers.bots.puerto_rico.expert import PuertoRicoExpert
from workers.bots.spice_road.expert import SpiceRoadExpert

EXPERTS: Final[Experts] = {"puerto_rico": PuertoRicoExpert(), "spice_road": SpiceRoadExpert()}
