"""Changes of the places of colonists and nobles."""

from typing import Final

from projections.rules.fact_recorder import Changes
from projections.rules.puerto_rico.buildings.printed import CIRCLES, COUNT, NOBLE_POSTS, POSTS, SAN_JUAN
from projections.rules.puerto_rico.facts import people as f
from projections.rules.puerto_rico.kinds import BUILDINGS_FROM, FOREST, FROM_SUPPLY, NOBLE
from projections.rules.puerto_rico.moves import People
from projections.rules.puerto_rico.state.position import Position


def colonists_gained(position: Position, fact: f.ColonistsGained) -> None:
    seat, colonists = fact
    position.colonist_supply -= colonists
    arrive(position, seat, colonists, 0)


def noble_gained(position: Position, fact: f.NobleGained) -> None:
    position.noble_supply -= 1
    arrive(position, fact.seat, 1, 1)


def people_landed(position: Position, fact: f.PeopleLanded) -> None:
    seat, colonists, nobles = fact
    position.colonist_ship -= colonists
    position.noble_ship -= nobles
    position.turns += 1
    arrive(position, seat, colonists + nobles, nobles)


def placement_sealed(position: Position, fact: f.PlacementSealed) -> None:
    position.sealed[fact.seat] = fact.people


def people_placed(position: Position, fact: f.PeoplePlaced) -> None:
    seat, people = fact
    total, nobles = position.people[seat], position.nobles[seat]
    position.tile_people[seat] = on_tiles = [0] * 7
    position.city_people[seat] = in_city = [0] * COUNT
    if nobles:
        position.tile_nobles[seat] = [0] * 7
        position.city_nobles[seat] = [0] * COUNT
        nobles -= _place_nobles(position, seat, people)
    working = 0
    for place, colonists, noble in people:
        total -= colonists + noble
        if place < BUILDINGS_FROM:
            on_tiles[place] = colonists + noble
        else:
            building = place - BUILDINGS_FROM
            in_city[building] = colonists + noble
            working |= NOBLE_POSTS[building] if noble else POSTS[building]
    position.working[seat] = working
    position.san_juan[seat] = total
    position.san_juan_nobles[seat] = nobles
    position.sealed[seat] = None


def _place_nobles(position: Position, seat: int, people: People) -> int:
    placed = 0
    for place, _, nobles in people:
        placed += nobles
        if place < BUILDINGS_FROM:
            position.tile_nobles[seat][place] = nobles
        else:
            position.city_nobles[seat][place - BUILDINGS_FROM] = nobles
    return placed


def ship_refilled(position: Position, fact: f.ShipRefilled) -> None:
    colonists, nobles = fact
    position.colonist_supply -= colonists
    position.colonist_ship += colonists
    position.noble_supply -= nobles
    position.noble_ship += nobles


def _fetch(position: Position, seat: int, source: int) -> None:
    position.people[seat] += 1
    if source == FROM_SUPPLY:
        position.colonist_supply -= 1
    else:
        position.colonist_ship -= 1


def tile_staffed(position: Position, fact: f.TileStaffed) -> None:
    seat, tile, source = fact
    _fetch(position, seat, source)
    if tile == FOREST:
        position.san_juan[seat] += 1
    else:
        position.tile_people[seat][tile] += 1


def building_staffed(position: Position, fact: f.BuildingStaffed) -> None:
    seat, building, source = fact
    _fetch(position, seat, source)
    if CIRCLES[building]:
        position.city_people[seat][building] += 1
        position.rework(seat, building)
    else:
        position.san_juan[seat] += 1


def guest_moved(position: Position, fact: f.GuestMoved) -> None:
    seat, person, place, left = fact
    leave(position, seat, person, left)
    noble = 1 if person == NOBLE else 0
    if place < BUILDINGS_FROM:
        position.tile_people[seat][place] += 1
        position.tile_nobles[seat][place] += noble
    else:
        building = place - BUILDINGS_FROM
        position.city_people[seat][building] += 1
        position.city_nobles[seat][building] += noble
        position.rework(seat, building)


def guests_stayed(position: Position, fact: f.GuestsStayed) -> None:
    position.staying |= 1 << fact.seat


def guests_asked(position: Position, fact: f.GuestsAsked) -> None:
    position.staying &= ~(1 << fact.seat)


def leave(position: Position, seat: int, person: int, place: int) -> None:
    """A person leaves the place where he stands."""
    noble = 1 if person == NOBLE else 0
    if place == SAN_JUAN:
        to_san_juan(position, seat, -1, -noble)
    elif place < BUILDINGS_FROM:
        leave_tile(position, seat, place, person)
    else:
        building = place - BUILDINGS_FROM
        position.city_people[seat][building] -= 1
        position.city_nobles[seat][building] -= noble
        position.rework(seat, building)


def leave_tile(position: Position, seat: int, tile: int, person: int) -> None:
    """A person leaves an island tile."""
    position.tile_people[seat][tile] -= 1
    if person == NOBLE:
        position.tile_nobles[seat][tile] -= 1


def arrive(position: Position, seat: int, people: int, nobles: int) -> None:
    """So many people come onto a board, to San Juan, so many of them nobles."""
    position.people[seat] += people
    position.nobles[seat] += nobles
    to_san_juan(position, seat, people, nobles)


def to_san_juan(position: Position, seat: int, people: int, nobles: int) -> None:
    """So many people come to San Juan, so many of them nobles; negative numbers leave it."""
    position.san_juan[seat] += people
    position.san_juan_nobles[seat] += nobles


CHANGES: Final[Changes[Position]] = {
    f.ColonistsGained: colonists_gained,
    f.NobleGained: noble_gained,
    f.PeopleLanded: people_landed,
    f.PlacementSealed: placement_sealed,
    f.PeoplePlaced: people_placed,
    f.ShipRefilled: ship_refilled,
    f.TileStaffed: tile_staffed,
    f.BuildingStaffed: building_staffed,
    f.GuestMoved: guest_moved,
    f.GuestsStayed: guests_stayed,
    f.GuestsAsked: guests_asked,
}
