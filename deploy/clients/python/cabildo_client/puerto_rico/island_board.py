"""A position of Puerto Rico as frozen dataclasses; hidden parts are None and named in `hides`."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class GoodCounts:
    """Goods or plantation tiles of the five kinds."""

    corn: int = 0
    indigo: int = 0
    sugar: int = 0
    tobacco: int = 0
    coffee: int = 0

    @property
    def total(self) -> int:
        """The number of pieces."""
        return self.corn + self.indigo + self.sugar + self.tobacco + self.coffee


@dataclass(frozen=True, slots=True)
class IslandTile:
    """A tile on an island; a forest may have a face that its owner alone has seen."""

    tile: str
    colonists: int
    nobles: int
    face: str | None = None
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class CityBuilding:
    """A building in a city, with its people and its circles."""

    building: str
    colonists: int
    nobles: int
    circles: int


@dataclass(frozen=True, slots=True)
class PeopleCount:
    """Colonists and nobles in San Juan."""

    colonists: int
    nobles: int


@dataclass(frozen=True, slots=True)
class ColonyBoard:
    """What a seat owns."""

    doubloons: int
    vp_chips: int | None
    vp_noted: int | None
    goods: GoodCounts
    island: tuple[IslandTile, ...]
    city: tuple[CityBuilding, ...]
    san_juan: PeopleCount
    role: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoleCard:
    """A role card, with the doubloons on it and the seat that took it."""

    role: str
    doubloons: int
    taken_by: int | None


@dataclass(frozen=True, slots=True)
class CargoShip:
    """A cargo ship and its load."""

    capacity: int
    good: str | None
    loaded: int


@dataclass(frozen=True, slots=True)
class PlantationStacks:
    """The plantations, quarries and forests beside the islands."""

    face_up: tuple[str, ...]
    face_down: GoodCounts
    discarded: GoodCounts
    quarries: int
    forests: int
    face_down_elsewhere: int = 0  # of `face_down`, so many lie as hidden faces on islands or in a hand


@dataclass(frozen=True, slots=True)
class ShipAndSupply:
    """Colonists or nobles on the ship and in the supply."""

    ship: int
    supply: int


@dataclass(frozen=True, slots=True)
class BuildingSupply:
    """A building, and how many of it nobody owns."""

    building: str
    left: int


@dataclass(frozen=True, slots=True)
class GeneralSupply:
    """Goods, points and buildings that nobody owns."""

    goods: GoodCounts
    vp_chips: int
    buildings: tuple[BuildingSupply, ...]


@dataclass(frozen=True, slots=True)
class PlacedPeople:
    """People of a placement that is sealed until all are in."""

    place: str
    colonists: int
    nobles: int


@dataclass(frozen=True, slots=True)
class RunningPhase:
    """What has happened in the running phase, by seat."""

    name: str
    chooser: int
    turns: int
    done: tuple[tuple[str, ...], ...]
    produced: tuple[GoodCounts, ...]
    received: tuple[GoodCounts, ...]
    drawn_tile: str | None
    guests_stay: tuple[int, ...]
    sealed_placements: tuple[tuple[PlacedPeople, ...] | Literal["sealed"] | None, ...]


@dataclass(frozen=True, slots=True)
class PhaseTurn:
    """The seat to act, its decision, and the step and role of the phase."""

    seat: int
    decision: str
    step: str
    role: str | None


@dataclass(frozen=True, slots=True)
class PuertoRicoOptions:
    """The options that a game is played with."""

    edition: str
    variant: str
    expansions: tuple[str, ...]
    city_geometry: str
    exclude_office_and_trading_post: bool
    exp1_selection: str
    final_guest_window: bool
    forest_face: str
    forest_mode: str
    guest_windows: str
    hospice_ship_fallback: bool
    land_office_sell_forest: bool
    land_office_source: str
    mayor_placement: str
    nobles_setup: str
    short_ship: str
    specialty_factory_count: str
    start_player: str | int
    violet_buildings: tuple[str, ...]
    vp_display: str
    vp_end_scope: str
    vp_pool_5p: int


@dataclass(frozen=True, slots=True)
class PuertoRicoPosition:
    """The whole table, as its viewer may see it."""

    game: Literal["puerto_rico"]
    options: PuertoRicoOptions
    round: int
    governor: int
    turn: PhaseTurn | None  # None: the game is over
    ends: tuple[str, ...]
    players: tuple[ColonyBoard, ...]  # by seat
    roles: tuple[RoleCard, ...]
    ships: tuple[CargoShip, ...]
    trading_house: tuple[str, ...]
    plantations: PlantationStacks
    colonists: ShipAndSupply
    nobles: ShipAndSupply
    supply: GeneralSupply
    phase: RunningPhase
    viewer: int | str | None  # a seat, None for a spectator, or "all"
    hides: tuple[str, ...]
    version: int = 0
