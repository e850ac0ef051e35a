"""The compact position: the one mutable object; its lists hold a frozen value per seat, so a copy is cheap."""

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from projections.rules.spice_road.cards import decoded
from projections.rules.spice_road.cubes import Cubes
from projections.rules.spice_road.rulings import Rulings

CARAVAN_LIMIT: Final = 10
POINT_ROW: Final = 5
MERCHANT_ROW: Final = 6

Cards: TypeAlias = tuple[str, ...]


class RowCard(NamedTuple):
    """A card of the merchant row and the cubes that lie on it."""

    card: str
    cubes: Cubes


@dataclass(slots=True)
class Position:
    """Everything on the table. Face-down cards are a set in the order of the ids: the position holds no secret."""

    rulings: Rulings
    caravans: list[Cubes]
    held: list[bytes]  # merchant cards in the hand, by their numbers
    spent: list[bytes]  # those that were played
    claimed: list[Cards]
    gold: list[int]
    silver: list[int]
    gold_supply: int
    silver_supply: int
    point_row: Cards
    point_deck: Cards
    merchant_row: tuple[RowCard, ...]
    merchant_deck: Cards
    turn: int
    round: int
    final_round: bool
    over: bool

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.caravans)

    @property
    def hands(self) -> list[Cards]:
        """The merchant cards in each seat's hand, by name."""
        return [decoded(cards) for cards in self.held]

    @property
    def played(self) -> list[Cards]:
        """The merchant cards that each seat has played, by name."""
        return [decoded(cards) for cards in self.spent]

    @property
    def threshold(self) -> int:
        """The number of point cards that makes a round the final one (R-24)."""
        return self.rulings.fixed.thresholds[len(self.caravans)]

    @property
    def excess(self) -> int:
        """How many cubes the seat to act has more than its caravan holds; never above 0 before its action."""
        y, r, g, b = self.caravans[self.turn]
        excess = y + r + g + b - CARAVAN_LIMIT
        return excess if excess > 0 else 0

    def copy(self) -> "Position":
        """An independent copy."""
        return Position(
            self.rulings,
            self.caravans.copy(),
            self.held.copy(),
            self.spent.copy(),
            self.claimed.copy(),
            self.gold.copy(),
            self.silver.copy(),
            self.gold_supply,
            self.silver_supply,
            self.point_row,
            self.point_deck,
            self.merchant_row,
            self.merchant_deck,
            self.turn,
            self.round,
            self.final_round,
            self.over,
        )
