"""Why a role cannot be taken, or people cannot stand where they are wanted."""

from projections.puerto_rico.buildings.guests import empty_circles
from projections.puerto_rico.buildings.kinds import GUESTHOUSE
from projections.puerto_rico.kinds import COLONIST, NOBLE, PERSONS, ROLES
from projections.puerto_rico.moves import MoveGuests, PlacePeople, TakeRole
from projections.puerto_rico.phases.mayor import circles
from projections.puerto_rico.position import Position
from projections.puerto_rico.tables import ROLE_CARDS
from projections.puerto_rico.why.words import Reason, number_of, place


def take_role(position: Position, _seat: int, move: TakeRole) -> Reason | None:
    """A role card that cannot be taken."""
    name = ROLES[move.role].replace("_", " ")
    if move.role not in ROLE_CARDS[position.seats]:
        return Reason("no_such_card", "1.1", f"There is no {name} card with {position.seats} players.")
    return Reason("role_taken", "3.1", f"The {name} was taken in this round.")


def place_people(position: Position, seat: int, move: PlacePeople) -> Reason | None:
    """People who cannot be placed like this."""
    room = dict(circles(position, seat))
    for where, colonists, nobles in move.people:
        if colonists + nobles > room.get(where, 0):
            return Reason("no_circle", "3.2", f"Your {place(where)} has {number_of(room.get(where, 0), 'circle')}.")
    return _number(position, seat, move, sum(room.values()))


def _number(position: Position, seat: int, move: PlacePeople, room: int) -> Reason | None:
    nobles = position.nobles_of(seat)
    colonists = position.people_of(seat) - nobles
    placed_nobles = sum(noble for _, _, noble in move.people)
    placed_colonists = sum(colonist for _, colonist, _ in move.people)
    if placed_nobles > nobles or placed_colonists > colonists:
        own = (
            f"{number_of(colonists, 'colonist')} and {number_of(nobles, 'noble')}"
            if nobles
            else number_of(colonists, "colonist")
        )
        return Reason("too_many_people", "3.5", f"You have {own} to place.")
    wanted = min(room, colonists + nobles)
    if placed_nobles + placed_colonists < wanted:
        return Reason("circles_left_empty", "3.5", f"All circles are filled as far as people suffice: {wanted} here.")
    return None


def guests(position: Position, seat: int, move: MoveGuests) -> Reason | None:
    """Guests who cannot move like this."""
    nobles = position.city_nobles[seat][GUESTHOUSE]
    there = {"noble": nobles, "colonist": position.city_people[seat][GUESTHOUSE] - nobles}
    for sort in (COLONIST, NOBLE):
        if sum(1 for person, _ in move.guests if person == sort) > there[PERSONS[sort]]:
            have = number_of(there[PERSONS[sort]], f"{PERSONS[sort]}")
            return Reason("no_such_guest", "3.11", f"Your guesthouse holds {have}.")
    room = dict(empty_circles(position, seat))
    for _, where in move.guests:
        room[where] = room.get(where, 0) - 1
        if room[where] < 0:
            return Reason("no_empty_circle", "3.11", f"There is no empty circle for a guest on your {place(where)}.")
    return None
