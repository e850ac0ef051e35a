"""The guesthouse: its guests may move in the windows of rules 4.5."""

from collections.abc import Callable
from typing import Final

from projections.rules.dealer import Dealer
from projections.rules.fact_recorder import FactRecorder
from projections.rules.move_collection import Moves
from projections.rules.puerto_rico import plan
from projections.rules.puerto_rico.buildings.printed import CIRCLES, Building, members
from projections.rules.puerto_rico.engine import effects
from projections.rules.puerto_rico.engine.choices import Joined
from projections.rules.puerto_rico.facts.people import GuestMoved, GuestsStayed
from projections.rules.puerto_rico.kinds import BUILDINGS_FROM, CIRCLED_TILES, DREW, FINISHED, OFFICE_USED, SOLD
from projections.rules.puerto_rico.long_choices.guest_moves import GuestMoves
from projections.rules.puerto_rico.moves import Move, MoveGuests, Stay
from projections.rules.puerto_rico.state.position import Position

STAY: Final[tuple[Move, ...]] = (Stay(),)
STAYS: Final[tuple[Move, ...]] = (Stay(), Stay(phase=True))


def window(position: Position, seat: int) -> Moves[Move] | tuple[Move, ...]:
    """The moves of the guests, unless they stay for the phase or have nowhere to go."""
    if position.staying >> seat & 1:
        return ()
    empty = empty_circles(position, seat)
    if not empty:
        return ()
    nobles = position.city_nobles[seat][Building.GUESTHOUSE]
    return Joined(STAYS, GuestMoves(position.city_people[seat][Building.GUESTHOUSE] - nobles, nobles, empty))


def empty_circles(position: Position, seat: int) -> tuple[tuple[int, int], ...]:
    """The empty circles of a board outside the guesthouse, by place."""
    tiles, people = position.tiles[seat], position.tile_people[seat]
    empty = [(tile, tiles[tile] - people[tile]) for tile in range(CIRCLED_TILES) if tiles[tile] > people[tile]]
    city = position.city_people[seat]
    empty += [
        (BUILDINGS_FROM + building, CIRCLES[building] - city[building])
        for building in members(position.owned[seat])
        if building != Building.GUESTHOUSE and CIRCLES[building] > city[building]
    ]
    return tuple(empty)


def after_draw(position: Position, seat: int) -> bool:
    """GW-4: a face-down tile was placed."""
    return bool(position.done[seat] & DREW)


def with_library(position: Position, seat: int) -> bool:
    """GW-5: the chooser owns a library, occupied or not."""
    return bool(position.owned[seat] >> Building.LIBRARY & 1)


def before_more_trade(position: Position, seat: int) -> bool:
    """GW-9: something could still be sold, or a land office of one's own used."""
    done = position.done[seat]
    if done & FINISHED:
        return False
    return not done & SOLD or (not done & OFFICE_USED and bool(position.owned[seat] >> Building.LAND_OFFICE & 1))


def only(condition: Callable[[Position, int], bool]) -> effects.Offer:
    """A window that is asked on a condition."""

    def conditional(position: Position, seat: int) -> Moves[Move] | tuple[Move, ...]:
        return window(position, seat) if condition(position, seat) else ()

    return conditional


def last_window(position: Position, seat: int) -> Moves[Move] | tuple[Move, ...]:
    """GW-10: no phase is left to stay for."""
    found = window(position, seat)
    return Joined(STAY, found.long) if isinstance(found, Joined) else found


WINDOWS: Final[dict[int, effects.Offer]] = {
    **dict.fromkeys(plan.WINDOWS, window),
    plan.GW_4: only(after_draw),
    plan.GW_5: only(with_library),
    plan.GW_9: only(before_more_trade),
    plan.GW_10: last_window,
}


def move_guests(
    position: Position, seat: int, move: MoveGuests, _dealer: Dealer, recorder: FactRecorder[Position]
) -> None:
    """Guests leave the guesthouse and are ordinary people from now on."""
    for person, place in move.guests:
        recorder.record(position, GuestMoved(seat, person, place, BUILDINGS_FROM + Building.GUESTHOUSE))


def stay(position: Position, seat: int, move: Stay, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """No guest moves, now or until the end of the phase."""
    if move.phase:
        recorder.record(position, GuestsStayed(seat))


DEEDS: Final[dict[type, effects.Deed]] = {MoveGuests: move_guests, Stay: stay}
