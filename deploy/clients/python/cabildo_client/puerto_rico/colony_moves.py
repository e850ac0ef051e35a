"""The moves of Puerto Rico as frozen values; `str(move)` is the notation."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from cabildo_client.puerto_rico.island_board import GoodCounts

GOODS: Final = ("corn", "indigo", "sugar", "tobacco", "coffee")
NO_GOODS: Final = GoodCounts()


def amounts(goods: GoodCounts) -> list[str]:
    """Returns the goods in notation, kinds without any left out."""
    return [f"{good}={getattr(goods, good)}" for good in GOODS if getattr(goods, good)]


@dataclass(frozen=True, slots=True)
class DraftMove:
    """Bring a kind of violet building into the game."""

    building: str

    def __str__(self) -> str:
        return f"draft {self.building}"


@dataclass(frozen=True, slots=True)
class RoleMove:
    """Take a role card."""

    role: str

    def __str__(self) -> str:
        return f"role {self.role}"


@dataclass(frozen=True, slots=True)
class TakeMove:
    """Take a tile, perhaps as a forest; `waived` are buildings whose effect is declined."""

    tile: str
    forest: bool = False
    waived: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join(("forest" if self.forest else "take", self.tile, *(f"-{one}" for one in self.waived)))


@dataclass(frozen=True, slots=True)
class UnplantMove:
    """Remove an own tile: its kind, the hidden face of a forest, its occupant."""

    tile: str
    face: str | None = None
    person: str | None = None

    def __str__(self) -> str:
        return " ".join(("unplant", self.tile, *(part for part in (self.face, self.person) if part)))


@dataclass(frozen=True, slots=True)
class PickMove:
    """Take a colonist or a noble from the colonist ship."""

    person: str

    def __str__(self) -> str:
        return f"pick {self.person}"


@dataclass(frozen=True, slots=True)
class Placement:
    """So many people on the circles of a place."""

    place: str
    colonists: int = 0
    nobles: int = 0

    def __str__(self) -> str:
        return f"{self.place}={self.colonists}{f'+{self.nobles}n' if self.nobles else ''}"


@dataclass(frozen=True, slots=True)
class PlaceMove:
    """Put people on circles; the rest goes to San Juan."""

    people: tuple[Placement, ...] = ()

    def __str__(self) -> str:
        return " ".join(("place", *map(str, self.people)))


@dataclass(frozen=True, slots=True)
class BuildMove:
    """Buy a building; `payment` is what a black market takes: `colonist@corn`, a good, `vp`."""

    building: str
    payment: tuple[str, ...] = ()
    waived: tuple[str, ...] = ()

    def __str__(self) -> str:
        market = [f"black_market={','.join(self.payment)}"] if self.payment else []
        return " ".join(("build", self.building, *market, *(f"-{one}" for one in self.waived)))


@dataclass(frozen=True, slots=True)
class BonusMove:
    """Take the goods of the craftsman's privilege."""

    goods: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(("bonus", *self.goods))


@dataclass(frozen=True, slots=True)
class SellMove:
    """Sell a good to the trading house, or at the own trading post."""

    good: str
    trading_post: bool = False

    def __str__(self) -> str:
        return f"sell {self.good}{' trading_post' if self.trading_post else ''}"


@dataclass(frozen=True, slots=True)
class PlantMove:
    """Buy a plantation in the trader phase: one of the row, or the top of the pile."""

    tile: str | None = None
    forest: bool = False

    def __str__(self) -> str:
        return " ".join(("plant", *([self.tile] if self.tile else []), *(["forest"] if self.forest else [])))


@dataclass(frozen=True, slots=True)
class ShipMove:
    """Load all that fits of a good on the cargo ship with this capacity."""

    good: str
    capacity: int

    def __str__(self) -> str:
        return f"ship {self.good} {self.capacity}"


@dataclass(frozen=True, slots=True)
class WharfMove:
    """Ship all goods of a kind from the own wharf."""

    good: str

    def __str__(self) -> str:
        return f"wharf {self.good}"


@dataclass(frozen=True, slots=True)
class SmallWharfMove:
    """Ship goods of any kinds from the own small wharf."""

    goods: GoodCounts = NO_GOODS

    def __str__(self) -> str:
        return " ".join(("small_wharf", *amounts(self.goods)))


@dataclass(frozen=True, slots=True)
class SupplyMove:
    """Hand in goods of different kinds for a victory point each."""

    goods: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join(("supply", *self.goods))


@dataclass(frozen=True, slots=True)
class StoreMove:
    """Keep these goods at the end of a captain phase."""

    goods: GoodCounts = NO_GOODS

    def __str__(self) -> str:
        return " ".join(("store", *amounts(self.goods)))


@dataclass(frozen=True, slots=True)
class GuestMove:
    """Move one or two guests to empty circles: `coffee_roaster`, `noble@chapel`."""

    guests: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(("guest", *self.guests))


@dataclass(frozen=True, slots=True)
class StayMove:
    """Leave the guests where they are, now or until the end of the phase."""

    phase: bool = False

    def __str__(self) -> str:
        return f"stay{' phase' if self.phase else ''}"


@dataclass(frozen=True, slots=True)
class PlainMove:
    """A move of one word: `draw`, `keep`, `forest`, `ask_guests` or `pass`."""

    word: str

    def __str__(self) -> str:
        return self.word


PuertoRicoMove: TypeAlias = (
    DraftMove | RoleMove | TakeMove | UnplantMove | PickMove | PlaceMove | BuildMove | BonusMove | SellMove | PlantMove
    | ShipMove | WharfMove | SmallWharfMove | SupplyMove | StoreMove | GuestMove | StayMove | PlainMove
)  # fmt: skip
