"""Points of occupied large buildings at the end of the game (rules 1.7-1.9, 4)."""

from typing import Final

from projections.rules.puerto_rico.buildings.printed import PRODUCTION_LARGE, PRODUCTION_SMALL, SORT, VIOLET, members
from projections.rules.puerto_rico.state.position import Position

GUILD_PAY: Final = {PRODUCTION_SMALL: 1, PRODUCTION_LARGE: 2}
RESIDENCE_PAY: Final = {10: 5, 11: 6, 12: 7}  # filled island spaces -> points
RESIDENCE_LEAST: Final = 4
CLOISTER_PAY: Final = (0, 1, 3, 6, 10)  # points by number of sets


def guild_hall(position: Position, seat: int) -> int:
    """1 for every small, 2 for every large production building."""
    return sum(GUILD_PAY.get(SORT[building], 0) for building in members(position.owned[seat]))


def residence(position: Position, seat: int) -> int:
    """By the number of tiles, occupied or not (R-82)."""
    return RESIDENCE_PAY.get(position.island(seat), RESIDENCE_LEAST)


def fortress(position: Position, seat: int) -> int:
    """1 for every three people on the board (R-83)."""
    return position.people_of(seat) // 3


def customs_house(position: Position, seat: int) -> int:
    """1 for every four points earned during play, noted ones included (R-86)."""
    return (position.chips[seat] + position.noted[seat]) // 4


def city_hall(position: Position, seat: int) -> int:
    """1 for every violet building, itself included (R-85)."""
    return sum(1 for building in members(position.owned[seat]) if VIOLET[building])


def cloister(position: Position, seat: int) -> int:
    """By the sets of three equal tiles, forests being one kind (R-84)."""
    sets = sum(number // 3 for number in position.tiles[seat])
    return CLOISTER_PAY[min(sets, len(CLOISTER_PAY) - 1)]


def royal_garden(position: Position, seat: int) -> int:
    """1 for every noble, besides the point that each is worth anyway."""
    return position.nobles_of(seat)
