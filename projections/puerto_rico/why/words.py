"""The shape of a reason, and names as a sentence says them."""

from typing import NamedTuple

from projections.puerto_rico.buildings.kinds import NAMES, members
from projections.puerto_rico.kinds import GOODS, TILES
from projections.puerto_rico.places import place_name
from projections.puerto_rico.position import Position


class Reason(NamedTuple):
    """A reason code, the number of the rule, a sentence."""

    reason: str
    rule: str
    sentence: str


def good(number: int) -> str:
    """A good in a sentence."""
    return GOODS[number]


def tile(number: int) -> str:
    """A tile in a sentence."""
    return TILES[number] if number >= len(GOODS) else f"{GOODS[number]} plantation"


def building(number: int) -> str:
    """A building in a sentence."""
    return NAMES[number].replace("_", " ")


def place(number: int) -> str:
    """A place in a sentence."""
    return place_name(number).replace("_", " ")


def number_of(number: int, one: str) -> str:
    """So many of something."""
    return f"{number} {one}" if number == 1 else f"{number} {one}s"


def unoccupied(position: Position, seat: int, kind: int, rule: str) -> Reason | None:
    """That a building is needed that is missing or empty; None when it works."""
    if not position.owned[seat] >> kind & 1:
        return Reason("no_such_building", rule, f"You do not own a {building(kind)}.")
    if not position.city_people[seat][kind]:
        return Reason("building_unoccupied", rule, f"Your {building(kind)} is not occupied.")
    return None


def waived(possible: tuple[int, ...], waiver: int, rule: str) -> Reason | None:
    """That there is nothing to waive; None when there is."""
    if waiver in possible:
        return None
    names = " or ".join(building(kind) for kind in members(waiver))
    return Reason("nothing_to_waive", rule, f"There is no effect of {names} to decline here.")
