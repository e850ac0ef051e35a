"""Changes of the position when a building is bought and items are returned to pay for it."""

from typing import Final

from projections.rules.fact_recorder import Changes
from projections.rules.puerto_rico.buildings.printed import CIRCLES, SPACES
from projections.rules.puerto_rico.changes.people import leave
from projections.rules.puerto_rico.facts import buildings as f
from projections.rules.puerto_rico.kinds import NOBLE
from projections.rules.puerto_rico.state.position import Position


def person_returned(position: Position, fact: f.PersonReturned) -> None:
    leave(position, *fact)
    position.people[fact.seat] -= 1
    if fact.person == NOBLE:
        position.nobles[fact.seat] -= 1
        position.noble_supply += 1
    else:
        position.colonist_supply += 1


def good_returned(position: Position, fact: f.GoodReturned) -> None:
    position.goods[fact.seat][fact.good] -= 1
    position.goods_supply[fact.good] += 1


def vp_returned(position: Position, fact: f.VpReturned) -> None:
    position.chips[fact.seat] -= 1
    position.vp_supply += 1


def building_bought(position: Position, fact: f.BuildingBought) -> None:
    seat, building, paid = fact
    position.doubloons[seat] -= paid
    position.owned[seat] |= 1 << building
    position.spaces[seat] += SPACES[building]
    position.circles[seat] += CIRCLES[building]
    position.display[building] -= 1
    if not position.display[building]:
        position.on_display ^= 1 << building


CHANGES: Final[Changes[Position]] = {
    f.PersonReturned: person_returned,
    f.GoodReturned: good_returned,
    f.VpReturned: vp_returned,
    f.BuildingBought: building_bought,
}
