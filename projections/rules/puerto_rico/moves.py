"""Moves: small frozen values. The last field is the verb, so that two kinds are never equal."""

from typing import NamedTuple, TypeAlias

from projections.rules.puerto_rico.kinds import NO_GOODS, NOBODY, NONE, BuildingKind, Good, Goods5, Place, Role, Tile

People: TypeAlias = tuple[tuple[Place, int, int], ...]  # (place, colonists, nobles), places ascending, no zeros
Person: TypeAlias = tuple[int, Place]  # (colonist or noble, where he stands)


class Draft(NamedTuple):
    """Bring a kind of violet building into the game."""

    building: BuildingKind
    word: str = "draft"


class TakeRole(NamedTuple):
    """Take a role card."""

    role: Role
    word: str = "role"


class Draw(NamedTuple):
    """Turn over the top face-down plantation and place it."""

    word: str = "draw"


class Keep(NamedTuple):
    """Place the drawn tile as it is, or as a forest."""

    forest: bool = False
    word: str = "keep"


class Take(NamedTuple):
    """Take a tile; `waived` is a set of buildings whose optional effect is declined."""

    tile: Tile
    forest: bool = False
    waived: int = 0
    word: str = "take"


class Unplant(NamedTuple):
    """Remove a tile of one's own: its kind, its occupant, and the hidden face of a forest."""

    tile: Tile
    person: int = NOBODY
    face: Good = NONE
    word: str = "unplant"


class Pick(NamedTuple):
    """Take this sort of person from the colonist ship."""

    person: int
    word: str = "pick"


class PlacePeople(NamedTuple):
    """Put people on circles; the rest goes to San Juan."""

    people: People = ()
    word: str = "place"


class Build(NamedTuple):
    """Buy a building, perhaps paying part of it with a person, a good and a victory point."""

    building: BuildingKind
    person: Person | None = None
    good: Good = NONE
    vp: bool = False
    waived: int = 0
    word: str = "build"


class Bonus(NamedTuple):
    """Take the craftsman's privilege: one good, with a doubled privilege up to two."""

    goods: tuple[Good, ...]
    word: str = "bonus"


class Sell(NamedTuple):
    """Sell a good to the trading house, or at one's own trading post."""

    good: Good
    own_post: bool = False
    word: str = "sell"


class Plant(NamedTuple):
    """Buy a tile in the trader phase: the top face-down one, or one from the row."""

    tile: Tile = NONE
    forest: bool = False
    word: str = "plant"


class Ship(NamedTuple):
    """Load all that fits of a good on the cargo ship with this capacity."""

    good: Good
    capacity: int
    word: str = "ship"


class Wharf(NamedTuple):
    """Ship all goods of one kind from one's own wharf."""

    good: Good
    word: str = "wharf"


class SmallWharf(NamedTuple):
    """Ship any goods from one's own small wharf."""

    goods: Goods5 = NO_GOODS
    word: str = "small_wharf"


class Supply(NamedTuple):
    """Hand in goods of different kinds for a victory point each."""

    goods: tuple[Good, ...] = ()
    word: str = "supply"


class Store(NamedTuple):
    """Keep these goods at the end of a captain phase."""

    goods: Goods5 = NO_GOODS
    word: str = "store"


class MoveGuests(NamedTuple):
    """Move guests to empty circles."""

    guests: tuple[Person, ...]
    word: str = "guest"


class Stay(NamedTuple):
    """Leave the guests where they are, now or until the end of the phase."""

    phase: bool = False
    word: str = "stay"


class Recall(NamedTuple):
    """Take back an earlier `stay phase`: ask about the guests again."""

    word: str = "ask_guests"


class Pass(NamedTuple):
    """Decline."""

    word: str = "pass"


Move: TypeAlias = (
    Draft | TakeRole | Draw | Keep | Take | Unplant | Pick | PlacePeople | Build | Bonus | Sell | Plant | Ship | Wharf
    | SmallWharf | Supply | Store | MoveGuests | Stay | Recall | Pass
)  # fmt: skip

PASS = Pass()
