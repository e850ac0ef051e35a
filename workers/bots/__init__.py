"""The bots of the house: each chooses a move from a position and its legal moves, and sees no more than a player."""

from collections.abc import Mapping
from typing import Final

from workers.bots import uniform
from workers.bots.protocol import Bot

BOTS: Final[Mapping[str, Bot]] = {
    "random": uniform.choose,
}
