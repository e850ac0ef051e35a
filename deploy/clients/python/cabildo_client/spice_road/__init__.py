"""Century: Spice Road: typed moves and positions."""

from cabildo_client.spice_road.caravan_board import Caravan, RowCardWithCubes, SpiceCounts, SpiceRoadPosition
from cabildo_client.spice_road.caravan_moves import (
    BuyMove,
    ClaimMove,
    DropMove,
    PlaySpiceMove,
    RestMove,
    SpiceRoadMove,
    TradeMove,
    UpgradeMove,
    read_move,
)

__all__ = [
    "BuyMove",
    "Caravan",
    "ClaimMove",
    "DropMove",
    "PlaySpiceMove",
    "RestMove",
    "RowCardWithCubes",
    "SpiceCounts",
    "SpiceRoadMove",
    "SpiceRoadPosition",
    "TradeMove",
    "UpgradeMove",
    "read_move",
]
