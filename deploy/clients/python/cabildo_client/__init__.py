"""Client of Cabildo: plays Puerto Rico and Spice Road over HTTP, follows games, keeps receipts, runs bots."""

from cabildo_client.async_client import AsyncClient
from cabildo_client.bots import BotRunner, FirstMove, MoveChooser, RandomMove
from cabildo_client.client import Client
from cabildo_client.errors import ClientError, Refused, Unreachable
from cabildo_client.positions import Position, position_of
from cabildo_client.turns import Move, PlayerTurn, move_of
from cabildo_client.version import VERSION

__version__ = VERSION
__all__ = [
    "AsyncClient",
    "BotRunner",
    "Client",
    "ClientError",
    "FirstMove",
    "Move",
    "MoveChooser",
    "PlayerTurn",
    "Position",
    "RandomMove",
    "Refused",
    "Unreachable",
    "move_of",
    "position_of",
]
