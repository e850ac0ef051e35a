"""Games of tournaments: seats the entrants, starts without the absent ones, reveals a shared seed."""

from collections.abc import Sequence

from projections.games.no_shows import never_came
from projections.games.record import OPEN, RUNNING
from projections.tournaments.record import Entry
from service.games.decisions import end_early, endings, game_start, take_seats
from service.games.game_state import GameUnitOfWork


def seat_entrants(unit: GameUnitOfWork, people: Sequence[Entry]) -> None:
    """Seat the entrants on their chairs; a table of bots alone has already started."""
    if unit.record.status == OPEN:
        for chair, entry in enumerate(people):
            if unit.record.chairs[chair].player is None:
                take_seats.sit_down(unit, chair, entry.player, program=entry.program)
        game_start.start_when_ready(unit)


def start_without(unit: GameUnitOfWork, people: Sequence[Entry], absent: Sequence[int]) -> None:
    """Start the game; the seats of absent entrants follow the rule for leavers."""
    seat_entrants(unit, people)
    for seat, entry in enumerate(people):
        if entry.number in absent and _is_awaited(unit, seat):
            end_early.resign(unit, seat, absent=True)


def _is_awaited(unit: GameUnitOfWork, seat: int) -> bool:
    """Returns whether a running game waits for a player that the service seated and that has not moved yet."""
    if unit.record.status != RUNNING or unit.record.chair_at(seat).engine is not None:
        return False
    return never_came((*unit.history(), *unit.events), seat)


def show_shared_seed(unit: GameUnitOfWork) -> None:
    """Reveal the shared seed in a game that is over, once."""
    if unit.record.deal is not None and unit.record.seed is None and unit.record.result is not None:
        endings.show_seed(unit)
