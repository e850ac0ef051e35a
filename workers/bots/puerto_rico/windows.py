"""Ranks small decisions: guests of the guesthouse, the draft of buildings, people from the colonist ship."""

from collections.abc import Iterable
from typing import Final

from projections.rules.puerto_rico.buildings.printed import Building
from projections.rules.puerto_rico.engine.apply import apply_fact
from projections.rules.puerto_rico.facts.people import GuestMoved
from projections.rules.puerto_rico.kinds import BUILDINGS_FROM, CRAFTSMAN, FINAL_GUESTS, NOBLE
from projections.rules.puerto_rico.moves import Draft, Move, MoveGuests, Pick
from projections.rules.puerto_rico.state.position import Position
from workers.bots.expert import Ranked
from workers.bots.puerto_rico import estate
from workers.bots.puerto_rico import weights as w
from workers.bots.puerto_rico.outlook import Outlook

FLEXIBLE: Final = 0.35  # a guest who can still go anywhere, in points
NOBLE_FIRST: Final = 1.0  # a noble is a point by himself


def guests(position: Position, seat: int, moves: Iterable[Move], outlook: Outlook) -> list[Ranked]:
    """Returns moves of guests; a guest leaves when the place is worth more than the choice given up."""
    before = estate.worth(position, seat, outlook)
    choice = FLEXIBLE * min(1.0, outlook.mayors)
    return [
        Ranked(_guest_worth(position, seat, move, outlook) - before - choice * _leaving(move), move) for move in moves
    ]


def _leaving(move: Move) -> int:
    return len(move.guests) if isinstance(move, MoveGuests) else 0


def _guest_worth(position: Position, seat: int, move: Move, outlook: Outlook) -> float:
    if not isinstance(move, MoveGuests):
        return estate.worth(position, seat, outlook)
    after = position.copy()
    for person, place in move.guests:
        apply_fact(after, GuestMoved(seat, person, place, BUILDINGS_FROM + Building.GUESTHOUSE))
    produces_now = position.phase == CRAFTSMAN or position.phase == FINAL_GUESTS
    return estate.worth(after, seat, outlook) + (0.3 if produces_now else 0.0)


def drafts(moves: Iterable[Move]) -> list[Ranked]:
    """Returns buildings of the draft by the worth of their effects."""
    return [Ranked(sum(w.EFFECT.get(move.building, (0.5, 0.5))), move) for move in moves if isinstance(move, Draft)]


def picks(moves: Iterable[Move]) -> list[Ranked]:
    """Returns picks; a noble is worth a point at any place."""
    return [Ranked(NOBLE_FIRST if isinstance(move, Pick) and move.person == NOBLE else 0.0, move) for move in moves]
