"""The black market: a person, a good and a point stand in for up to three missing doubloons (rules 4.3)."""

from projections.rules.move_collection import Moves
from projections.rules.puerto_rico.buildings.printed import SAN_JUAN, Building, members
from projections.rules.puerto_rico.changes.buildings import person_returned
from projections.rules.puerto_rico.engine import effects
from projections.rules.puerto_rico.facts.buildings import BuildingBought, PersonReturned
from projections.rules.puerto_rico.kinds import BUILDINGS_FROM, CIRCLED_TILES, COLONIST, NOBLE
from projections.rules.puerto_rico.long_choices.payments import Bargains, Waivers
from projections.rules.puerto_rico.moves import Move, Person
from projections.rules.puerto_rico.phases.builder import buildable, price
from projections.rules.puerto_rico.state.position import Position


def purchases(position: Position, seat: int) -> Moves[Move] | tuple[Move, ...]:
    """Returns the purchases that cost exactly as many returned items as doubloons are missing (R-34)."""
    goods = [good for good, owned in enumerate(position.goods[seat]) if owned]
    persons = returnable(position, seat)
    vp = position.chips[seat] > 0  # noted points cannot be returned
    most = bool(persons) + bool(goods) + vp
    doubloons = position.doubloons[seat]
    missing = {}
    for building in members(buildable(position, seat)):
        items = price(position, seat, building) - doubloons
        if 0 < items <= most:
            missing[building] = items
    if not missing:
        return ()
    waivers: dict[Person | None, Waivers] = {None: effects.waivers(position, seat, BuildingBought)}
    waivers |= {person: waivers_after(position, seat, person) for person in persons}
    return Bargains(missing, waivers, goods, vp=vp)


def returnable(position: Position, seat: int) -> list[Person]:
    """Returns every person on the board except the one on the black market (R-35)."""
    people, nobles = position.tile_people[seat], position.tile_nobles[seat]
    standing = [(tile, people[tile], nobles[tile]) for tile in range(CIRCLED_TILES)]
    city, city_nobles = position.city_people[seat], position.city_nobles[seat]
    standing += [
        (BUILDINGS_FROM + building, city[building], city_nobles[building])
        for building in members(position.owned[seat])
        if building != Building.BLACK_MARKET
    ]
    standing.append((SAN_JUAN, position.san_juan[seat], position.san_juan_nobles[seat]))
    colonists = [(COLONIST, place) for place, number, noble in standing if number > noble]
    return colonists + [(NOBLE, place) for place, _, noble in standing if noble]


def waivers_after(position: Position, seat: int, person: Person) -> Waivers:
    """The effects that may be declined once this person is gone: his building may have stopped working (R-40)."""
    after = position.copy()
    person_returned(after, PersonReturned(seat, *person))
    return effects.waivers(after, seat, BuildingBought)
