"""Chooses a placement of people in the mayor phase: pairs of circles that start production come first."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from projections.rules.puerto_rico.buildings import printed as b
from projections.rules.puerto_rico.buildings.printed import Building
from projections.rules.puerto_rico.kinds import BUILDINGS_FROM, CORN, QUARRY, Place
from projections.rules.puerto_rico.long_choices.placements import Placements
from projections.rules.puerto_rico.moves import People, PlacePeople
from projections.rules.puerto_rico.state.position import Position
from projections.rules.puerto_rico.tables import PRICES
from workers.bots.puerto_rico import estate
from workers.bots.puerto_rico import weights as w
from workers.bots.puerto_rico.outlook import Outlook

DEAR: Final = 0.12  # points by which a doubloon of its price makes a good worth producing
BONUS_WAITS: Final = 0.25  # a large building needs its people at the end only
# Where a noble does more than a colonist would.
NOBLE_POSTS: Final = (Building.CHAPEL, Building.ZONING_OFFICE, Building.HUNTING_LODGE)


class Post(NamedTuple):
    """One or two circles that have a worth together."""

    worth: float  # for each person
    places: tuple[Place, ...]


def best(position: Position, seat: int, moves: Placements, outlook: Outlook) -> PlacePeople:
    """Returns the placement that fills the posts of the highest worth."""
    room = dict(moves.circles)
    left = moves.filled
    placed = dict.fromkeys(room, 0)
    posts = sorted(_posts(position, seat, room, outlook), key=lambda post: -post.worth)
    spare = [Post(0.0, (place,)) for place in room for _ in range(room[place])]
    for post in (*posts, *spare):
        if len(post.places) <= left and all(placed[place] < room[place] for place in post.places):
            for place in post.places:
                placed[place] += 1
            left -= len(post.places)
    return PlacePeople(_with_nobles(placed, moves.colonists, moves.nobles))


def _posts(position: Position, seat: int, room: dict[Place, int], outlook: Outlook) -> Iterator[Post]:
    """Yields every post; each further one of a kind is worth less."""
    for nth in range(room.get(QUARRY, 0)):
        yield Post(estate.quarries(nth + 1, outlook) - estate.quarries(nth, outlook), (QUARRY,))
    for nth in range(room.get(CORN, 0)):
        yield Post(_crop(CORN, nth, outlook), (CORN,))
    for good in range(CORN + 1, QUARRY):
        yield from _pairs(good, room, outlook)
    grown = estate.crops(position, seat)
    for place in room:
        building = place - BUILDINGS_FROM
        if building >= 0 and (b.VIOLET[building] or building == Building.JEWELER):
            worth = estate.effect(position, seat, building, outlook, grown)
            if building in estate.BONUSES and outlook.mayors > 1:
                worth *= BONUS_WAITS
            yield Post(worth, (place,))


def _pairs(good: int, room: dict[Place, int], outlook: Outlook) -> Iterator[Post]:
    """Yields posts of a plantation and a circle of the building that processes its good."""
    circles = [BUILDINGS_FROM + building for building in b.PRODUCERS[good]]
    workers = [place for place in circles for _ in range(room.get(place, 0))]
    for nth, place in enumerate(workers[: room.get(good, 0)]):
        yield Post(_crop(good, nth, outlook) / 2, (good, place))


def _crop(good: int, nth: int, outlook: Outlook) -> float:
    fades = 1.0 - 2 * w.CROWD * nth
    first = outlook.sales * outlook.doubloon * PRICES[good] * 0.6 if not nth else 0.0
    return outlook.crafts * (w.GOOD + DEAR * outlook.doubloon * PRICES[good]) * fades + first


def _with_nobles(placed: dict[Place, int], colonists: int, nobles: int) -> People:
    """Returns the placement with nobles where they do more, then where colonists run out."""
    places = sorted(place for place, number in placed.items() if number)
    noble = dict.fromkeys(places, 0)
    wanted = [BUILDINGS_FROM + building for building in NOBLE_POSTS]
    for place in _noble_order(places, wanted, placed):
        short = sum(placed.values()) - sum(noble.values()) - colonists
        if nobles and (short > 0 or place in wanted):
            noble[place] += 1
            nobles -= 1
    return tuple((place, placed[place] - noble[place], noble[place]) for place in places)


def _noble_order(places: Sequence[Place], wanted: Sequence[Place], placed: dict[Place, int]) -> list[Place]:
    first = [place for place in places if place in wanted]
    rest = [place for place in places if place not in wanted for _ in range(placed[place])]
    return first + rest
