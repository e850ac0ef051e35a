"""What happens in a game, in the past tense: the only things that change a position."""

from typing import NamedTuple, TypeAlias

from projections.puerto_rico.kinds import BuildingKind, Good, Goods5, Place, Role, Seat, Tile
from projections.puerto_rico.moves import People

# --- the frame of the game ---------------------------------------------------------------------------------------


class BuildingsLaidOut(NamedTuple):
    """The dealer drew which violet buildings are in play."""

    buildings: tuple[BuildingKind, ...]


class BuildingDrafted(NamedTuple):
    """A kind of violet building came into play with all its copies."""

    seat: Seat
    building: BuildingKind


class PhaseBegun(NamedTuple):
    """A phase that no role card opens began; what was done in the last one is forgotten."""

    phase: int
    chooser: Seat


class Awaits(NamedTuple):
    """The game waits for a seat's decision."""

    seat: Seat
    step: int


class RoleTaken(NamedTuple):
    """A seat took a role card, with the doubloons on it, and opened its phase."""

    seat: Seat
    role: Role


class RoundEnded(NamedTuple):
    """Cards left over gained a doubloon, all cards came back, this seat is governor."""

    governor: Seat


class EndMet(NamedTuple):
    """An end condition was met; the game ends with this round."""

    end: int


class GameEnded(NamedTuple):
    """Nobody is to act any more."""


# --- moments that buildings listen to; they change nothing ---------------------------------------------------------


class MayorTurnBegun(NamedTuple):
    """A seat came up for the first time in a mayor phase."""

    seat: Seat


class CraftingBegun(NamedTuple):
    """A craftsman phase began for a seat."""

    seat: Seat


class PayoutDue(NamedTuple):
    """A seat has received all its goods of a craftsman phase."""

    seat: Seat


class FirstTurnBegun(NamedTuple):
    """A seat came up for the first time in a captain phase."""

    seat: Seat


class LoadingOver(NamedTuple):
    """Loading ended; told for the captain."""

    seat: Seat


class SettlingOver(NamedTuple):
    """All tiles of a settler phase are taken; told for each seat."""

    seat: Seat


# --- doubloons and victory points ----------------------------------------------------------------------------------


class DoubloonsGained(NamedTuple):
    """Doubloons came from the bank."""

    seat: Seat
    doubloons: int


class VpGained(NamedTuple):
    """Victory points came from the supply, or were noted after it ran out."""

    seat: Seat
    chips: int
    noted: int = 0


# --- island tiles --------------------------------------------------------------------------------------------------


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
    """A tile left an island; whoever stood on it went to San Juan. A forest is named with its face."""

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


# --- people --------------------------------------------------------------------------------------------------------


class ColonistsGained(NamedTuple):
    """Colonists came from the supply to San Juan."""

    seat: Seat
    colonists: int


class NobleGained(NamedTuple):
    """A noble came from the supply to San Juan."""

    seat: Seat


class PeopleLanded(NamedTuple):
    """People came from the colonist ship to San Juan."""

    seat: Seat
    colonists: int
    nobles: int = 0


class PlacementSealed(NamedTuple):
    """A seat decided where its people go; it happens when all have decided."""

    seat: Seat
    people: People


class PeoplePlaced(NamedTuple):
    """All people of a seat stand where it wanted; the rest is in San Juan."""

    seat: Seat
    people: People


class ShipRefilled(NamedTuple):
    """People came from the supply onto the colonist ship."""

    colonists: int
    nobles: int = 0


class TileStaffed(NamedTuple):
    """A colonist came onto the tile just taken; onto a forest: to San Juan."""

    seat: Seat
    tile: Tile
    source: int


class BuildingStaffed(NamedTuple):
    """A colonist came onto the building just built; without a circle: to San Juan."""

    seat: Seat
    building: BuildingKind
    source: int


class GuestMoved(NamedTuple):
    """A guest left where he lodged for an empty circle."""

    seat: Seat
    person: int
    place: Place
    left: Place


class GuestsStayed(NamedTuple):
    """A seat's guests stay until the end of the phase."""

    seat: Seat


class GuestsAsked(NamedTuple):
    """A seat wants to be asked about its guests again."""

    seat: Seat


# --- buildings -----------------------------------------------------------------------------------------------------


class PersonReturned(NamedTuple):
    """A person went back to the supply as payment."""

    seat: Seat
    person: int
    place: Place


class GoodReturned(NamedTuple):
    """A good went back to the supply as payment."""

    seat: Seat
    good: Good


class VpReturned(NamedTuple):
    """A victory point chip went back to the supply as payment."""

    seat: Seat


class BuildingBought(NamedTuple):
    """A building came from the display onto a board for so many doubloons."""

    seat: Seat
    building: BuildingKind
    paid: int


# --- goods ---------------------------------------------------------------------------------------------------------


class GoodsProduced(NamedTuple):
    """A seat's plantations and buildings produced."""

    seat: Seat
    goods: Goods5


class GoodsAdded(NamedTuple):
    """Goods came from the supply besides the production, in the same phase."""

    seat: Seat
    goods: Goods5


class GoodSold(NamedTuple):
    """A good went to the trading house for a price."""

    seat: Seat
    good: Good
    price: int


class GoodTraded(NamedTuple):
    """A good was sold past the trading house; it went to the supply."""

    seat: Seat
    good: Good
    price: int


class TradeEnded(NamedTuple):
    """A seat wants nothing more in this trader phase."""

    seat: Seat


class HouseEmptied(NamedTuple):
    """The full trading house was emptied into the supply."""


class GoodsLoaded(NamedTuple):
    """Goods of one kind went onto a cargo ship."""

    seat: Seat
    good: Good
    amount: int
    hold: int


class WharfUsed(NamedTuple):
    """All goods of one kind were shipped from a seat's own wharf."""

    seat: Seat
    good: Good
    amount: int


class SmallWharfUsed(NamedTuple):
    """Goods were shipped from a seat's own small wharf."""

    seat: Seat
    goods: Goods5


class LoadingPassed(NamedTuple):
    """A loading turn went by without a loading."""

    seat: Seat


class GoodsSupplied(NamedTuple):
    """Goods of different kinds were handed in."""

    seat: Seat
    goods: tuple[Good, ...]


class GoodsDiscarded(NamedTuple):
    """Goods that could not or should not be stored went to the supply."""

    seat: Seat
    goods: Goods5


class ShipUnloaded(NamedTuple):
    """A full cargo ship was emptied into the supply."""

    hold: int


Fact: TypeAlias = NamedTuple
