"""The titles of the games, the same in all languages."""

from collections.abc import Mapping
from typing import Final

GAME_TITLES: Final[Mapping[str, str]] = {"puerto_rico": "Puerto Rico", "spice_road": "Century: Spice Road"}
