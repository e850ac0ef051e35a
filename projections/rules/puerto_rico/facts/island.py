"""Island tiles: taken, bought, drawn, removed, and the row they come from."""

from typing import NamedTuple

from projections.rules.puerto_rico.kinds import Good, Seat, Tile


class TileTaken(NamedTuple):
    """A settler took a tile from the row or the quarry stack; of a forest the tile is its face."""

    seat: Seat
    tile: Tile
    forest: bool = False


class SecondTileTaken(NamedTuple):
    """A settler with a doubled privilege took one more tile."""

    seat: Seat
    tile: Tile
    forest: bool = False


class TileBought(NamedTuple):
    """A tile of the row was bought in a trader phase for one doubloon."""

    seat: Seat
    tile: Tile
    forest: bool = False


class DrawPaid(NamedTuple):
    """A doubloon was paid for the top face-down plantation."""

    seat: Seat


class TileDrawn(NamedTuple):
    """The top face-down plantation was turned over."""

    seat: Seat
    tile: Tile


class DrawnTilePlaced(NamedTuple):
    """The drawn tile came onto the island, perhaps as a forest."""

    seat: Seat
    forest: bool = False


class TileRemoved(NamedTuple):
    """A tile left an island; its occupant went to San Juan. A forest is named with its face."""

    seat: Seat
    tile: Tile
    person: int = 0
    face: Good = -1


class TileSold(NamedTuple):
    """A tile left an island for one doubloon."""

    seat: Seat
    tile: Tile
    person: int = 0
    face: Good = -1


class RowCleared(NamedTuple):
    """The tiles left in the row were discarded."""


class DiscardsShuffled(NamedTuple):
    """The discards became the new face-down pile."""


class RowDealt(NamedTuple):
    """Face-down tiles were turned up into the row."""

    tiles: tuple[Tile, ...]
