"""The table of adapters by game."""

from collections.abc import Mapping
from typing import Final

from workers.rl.game_adapter import GameAdapter
from workers.rl.puerto_rico import PUERTO_RICO
from workers.rl.spice_road import SPICE_ROAD

GAME_ADAPTERS: Final[Mapping[str, GameAdapter]] = {"puerto_rico": PUERTO_RICO, "spice_road": SPICE_ROAD}
