"""A position of Spice Road as frozen dataclasses; hidden parts are None and named in `hides`."""

from dataclasses import dataclass
from typing import Literal

from cabildo_client.legal_moves import OpenTurn


@dataclass(frozen=True, slots=True)
class SpiceCounts:
    """Cubes of the four spices, the lowest first."""

    turmeric: int = 0
    saffron: int = 0
    cardamom: int = 0
    cinnamon: int = 0

    @property
    def total(self) -> int:
        """The number of cubes."""
        return self.turmeric + self.saffron + self.cardamom + self.cinnamon


@dataclass(frozen=True, slots=True)
class RowCardWithCubes:
    """A merchant card of the row, with the cubes that lie on it."""

    card: str
    cubes: SpiceCounts


@dataclass(frozen=True, slots=True)
class Caravan:
    """What a seat owns."""

    caravan: SpiceCounts
    hand: tuple[str, ...] | None
    played: tuple[str, ...]
    point_cards: tuple[str, ...] | None
    gold: int
    silver: int
    hand_count: int
    point_card_count: int


@dataclass(frozen=True, slots=True)
class SpiceRoadOptions:
    """The options that a game is played with."""

    first_player: str
    min_upgrade_steps: int
    coin_taking: str
    empty_rest: str
    cube_scoring: str
    hand_visibility: str


@dataclass(frozen=True, slots=True)
class SpiceRoadPosition:
    """The whole table, as its viewer may see it."""

    game: Literal["spice_road"]
    rules: str
    options: SpiceRoadOptions
    round: int
    final_round: bool
    turn: OpenTurn | None  # None: the game is over
    gold: int
    silver: int
    point_row: tuple[str, ...]
    point_deck: tuple[str, ...] | None
    point_deck_count: int
    merchant_row: tuple[RowCardWithCubes, ...]
    merchant_deck: tuple[str, ...] | None
    merchant_deck_count: int
    players: tuple[Caravan, ...]  # by seat
    viewer: int | str | None  # a seat, None for a spectator, or "all"
    hides: tuple[str, ...]
    version: int = 0
