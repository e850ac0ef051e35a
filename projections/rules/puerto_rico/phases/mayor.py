"""The mayor phase: people arrive, every seat redistributes its own, the ship is refilled (rules 3.5)."""

from functools import lru_cache
from typing import Final

from projections.rules.dealer import Dealer
from projections.rules.fact_recorder import FactRecorder
from projections.rules.made_once import made_once
from projections.rules.puerto_rico.buildings.printed import CIRCLES, members
from projections.rules.puerto_rico.engine import effects
from projections.rules.puerto_rico.facts.frame import EndMet
from projections.rules.puerto_rico.facts.moments import MayorTurnBegun
from projections.rules.puerto_rico.facts.people import (
    ColonistsGained,
    PeopleLanded,
    PeoplePlaced,
    PlacementSealed,
    ShipRefilled,
)
from projections.rules.puerto_rico.kinds import BUILDINGS_FROM, CIRCLED_TILES, COLONIST, COLONISTS_SHORT, NOBLE
from projections.rules.puerto_rico.long_choices.placements import Placements
from projections.rules.puerto_rico.moves import Move, Pick, PlacePeople
from projections.rules.puerto_rico.plan import (
    LAND,
    MAYOR_PRIVILEGE,
    MAYOR_TURN,
    MIXED_SHIP,
    PICK,
    PLACE,
    REFILL,
    REVEAL,
)
from projections.rules.puerto_rico.state.position import Position

COLONISTS_GAINED: Final = made_once(ColonistsGained)
PEOPLE_LANDED: Final = made_once(PeopleLanded)
SHIP_REFILLED: Final = made_once(ShipRefilled)
PICKS: Final[tuple[Move, ...]] = (Pick(COLONIST), Pick(NOBLE))


def mayor_privilege(position: Position, seat: int, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """The chooser's colonist comes from the supply, not from the ship (R-30)."""
    colonists = min(effects.privilege(position, seat), position.colonist_supply)
    if colonists:
        recorder.record(position, COLONISTS_GAINED(seat, colonists))


def mayor_turn(position: Position, seat: int, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """A seat comes up for the first time: a moment buildings wait for."""
    if effects.listens(position, seat, MayorTurnBegun):
        recorder.record(position, MayorTurnBegun(seat))


def ship_is_mixed(position: Position) -> bool:
    """Returns whether the ship holds colonists and nobles, so that its taker has a choice (R-69)."""
    return position.noble_ship > 0 and position.colonist_ship > 0


def picks(_position: Position, _seat: int) -> tuple[Move, ...]:
    """D-MAY-PICK: a colonist or a noble."""
    return PICKS


def pick(position: Position, seat: int, move: Pick, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """One person leaves the ship."""
    noble = 1 if move.person == NOBLE else 0
    recorder.record(position, PEOPLE_LANDED(seat, 1 - noble, noble))


def land(position: Position, chooser: int, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """The rest of the ship, now all of one sort, is shared out one by one from the next seat on."""
    colonists = position.colonist_ship
    people = colonists or position.noble_ship
    seats = position.seats
    first = chooser + position.turns
    for turn in range(min(seats, people)):
        share = (people - turn + seats - 1) // seats
        seat = (first + turn) % seats
        recorder.record(position, PEOPLE_LANDED(seat, share, 0) if colonists else PEOPLE_LANDED(seat, 0, share))


def places(position: Position, seat: int) -> Placements | tuple[Move, ...]:
    """D-MAY-PLACE: every assignment that fills all circles as far as the people suffice."""
    people, nobles = position.people_of(seat), position.nobles_of(seat)
    if not nobles and people >= position.room(seat):
        return (PlacePeople(tuple([(place, number, 0) for place, number in circles(position, seat)])),)
    placements = Placements(circles(position, seat), people - nobles, nobles)
    return tuple(placements) if placements.single else placements


def circles(position: Position, seat: int) -> tuple[tuple[int, int], ...]:
    """The circles of a board by place, occupied or not."""
    return island_circles(tuple(position.tiles[seat])) + city_circles(position.owned[seat])


@lru_cache(maxsize=1 << 14)
def island_circles(tiles: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """The circles of these tiles, by place."""
    return tuple([(tile, tiles[tile]) for tile in range(CIRCLED_TILES) if tiles[tile]])


@lru_cache(maxsize=1 << 14)
def city_circles(buildings: int) -> tuple[tuple[int, int], ...]:
    """The circles of these buildings, by place."""
    return tuple([(BUILDINGS_FROM + kind, CIRCLES[kind]) for kind in members(buildings) if CIRCLES[kind]])


def place(position: Position, seat: int, move: PlacePeople, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """The people go where the move says, or will go there when all have decided (R-26)."""
    if position.rulings.sealed_placement:
        recorder.record(position, PlacementSealed(seat, move.people))
    else:
        recorder.record(position, PeoplePlaced(seat, move.people))


def reveal(position: Position, chooser: int, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """Sealed placements happen together."""
    for seat in position.order(chooser):
        people = position.sealed[seat]
        if people is not None:
            recorder.record(position, PeoplePlaced(seat, people))


def refill(position: Position, _seat: int, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """As many people board the ship as there are empty circles in the cities, and no fewer than players."""
    need = 0
    for seat in range(position.seats):
        need += position.circles[seat] - position.people_in_city(seat)
    need = max(position.seats, need)
    supply = position.colonist_supply
    if position.rulings.nobles:  # neither shortage ends the game
        noble = min(1, position.noble_supply)
        _board(position, min(need - noble, supply), noble, recorder)
        return
    if supply < need:
        recorder.record(position, EndMet(COLONISTS_SHORT))
        if not position.rulings.partial_ship:
            return
    _board(position, min(need, supply), 0, recorder)


def _board(position: Position, colonists: int, nobles: int, recorder: FactRecorder[Position]) -> None:
    if colonists or nobles:
        recorder.record(position, SHIP_REFILLED(colonists, nobles))


GATES: Final[dict[int, effects.Gate]] = {MIXED_SHIP: ship_is_mixed}
CHOICES: Final[dict[int, effects.Choice]] = {PICK: picks, PLACE: places}
DUTIES: Final[dict[int, effects.Duty]] = {
    MAYOR_PRIVILEGE: mayor_privilege,
    MAYOR_TURN: mayor_turn,
    LAND: land,
    REVEAL: reveal,
    REFILL: refill,
}
DEEDS: Final[dict[type, effects.Deed]] = {Pick: pick, PlacePeople: place}
