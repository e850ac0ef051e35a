"""Bots: the class that plays the games of a player, and simple engines."""

from cabildo_client.bots.engines import FirstMove, MoveChooser, RandomMove
from cabildo_client.bots.runner import BotRunner

__all__ = ["BotRunner", "FirstMove", "MoveChooser", "RandomMove"]
