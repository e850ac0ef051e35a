"""The no-show timer: replaces absent entrants from the reserve, or lets their seats follow the rule for leavers."""

from collections.abc import Iterator
from functools import partial
from typing import Any, Final
from uuid import UUID

from projections.games.no_shows import never_came
from projections.games.record import OPEN, RUNNING
from projections.tournaments.record import STARTED, Entry, RoundRecord, Sitting, TournamentRecord
from service.container import Container
from service.core.command_handler import BY_SERVICE
from service.games import game_state as games
from service.games.decisions import end_early
from service.tournaments.repository import TournamentUnitOfWork
from service.tournaments.start_games import seat_all

RESERVE: Final = "reserve"
WHY: Final = "Did not sit down in time"


def close_arrivals(here: Container, tournament: UUID) -> None:
    """Start the waiting games without the absent entrants, once the time to sit down is over."""
    record = here.tournaments.load(tournament).known
    current = record.round
    if current is None or current.status != STARTED or current.sit_by is None:
        return
    waiting = [table for table in current.tables if table.game is not None and not table.is_over]
    begun = [_close_table(here, tournament, current.number, table) for table in waiting]
    if all(begun):
        here.tournament_commands.execute(tournament, BY_SERVICE, partial(_say_closed, round=current.number))


def _close_table(here: Container, tournament: UUID, round: int, table: Sitting) -> bool:
    """Note the absent entrants, substitute them where the regulations say so, and start the game.

    Returns whether the game has started; at levels with entropy it may still wait for the players' entropy.
    """
    game = UUID(table.game)
    chairs = here.game_commands.settle_time(game).known.chairs
    empty = [number for chair, number in zip(chairs, table.seats, strict=True) if chair.player is None]
    for number in empty:
        here.tournament_commands.execute(
            tournament, BY_SERVICE, partial(_note, at=(round, table.number), entrant=number)
        )
    record = here.tournaments.load(tournament).known
    seated = record.rounds[round - 1].tables[table.number - 1]
    people = [record.entry(number) for number in seated.seats]
    here.game_commands.execute(game, BY_SERVICE, partial(_begin, people=people, absent=seated.absent))
    return here.game_commands.settle_time(game).known.status != OPEN


def _begin(unit: games.GameUnitOfWork, people: list[Entry], absent: tuple[int, ...]) -> None:
    """Start the game; the seats of absent entrants follow the rule for leavers."""
    seat_all(unit, people)
    for seat, entry in enumerate(people):
        if entry.number in absent and _is_awaited(unit, seat):
            end_early.resign(unit, seat, absent=True)


def _is_awaited(unit: games.GameUnitOfWork, seat: int) -> bool:
    """Returns whether a running game waits for a player that the service seated and that has not moved yet."""
    if unit.record.status != RUNNING or unit.record.chair_at(seat).engine is not None:
        return False
    return never_came((*unit.history(), *unit.events), seat)


def _note(unit: TournamentUnitOfWork, at: tuple[int, int], entrant: int) -> None:
    """Note an absent entrant once; under the reserve rule, substitute the first entrant of the reserve."""
    current = unit.record.rounds[at[0] - 1]
    table = current.tables[at[1] - 1]
    if entrant in (*table.absent, *_sat_in(unit.record, at)) or entrant not in table.seats:
        return
    about: dict[str, Any] = {"round": at[0], "table": at[1]}
    unit.write("no_show_noted", **about, entrant=entrant, game=table.game)
    spare = next(_spare(unit.record, current), None)
    if unit.record.regulations["no_show"]["then"] == RESERVE and spare is not None:
        unit.write("admitted", entrant=spare.number)
        unit.write("substituted", **about, entrant=entrant, by=spare.number, reason=unit.text(WHY))


def _spare(record: TournamentRecord, current: RoundRecord) -> Iterator[Entry]:
    """Yields the available entrants of the reserve in the order of their entry."""
    checks = record.regulations["check_in"]
    busy = {number for table in current.tables for number in table.paired}
    return (e for e in record.waiting if e.number not in busy and (e.checked_in is not None or not checks))


def _sat_in(record: TournamentRecord, at: tuple[int, int]) -> set[int]:
    """Returns the entrants that substitute at a table."""
    rulings = (ruling.data for ruling in record.rulings if ruling.kind == "substituted")
    return {int(str(data["by"])) for data in rulings if (data["round"], data["table"]) == at}


def _say_closed(unit: TournamentUnitOfWork, round: int) -> None:
    if unit.record.rounds[round - 1].sit_by is not None:
        unit.write("arrivals_closed", round=round)
