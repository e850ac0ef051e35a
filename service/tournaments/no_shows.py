"""The no-show timer: replaces absent entrants from the reserve, or lets their seats follow the rule for leavers."""

from uuid import UUID

from projections.games.record import OPEN
from projections.tournaments.record import STARTED, Sitting
from service.container import Container
from service.core.command_handler import BY_SERVICE
from service.games.commands.settle import settled_game
from service.games.commands.tournament_games import StartWithoutAbsent, start_without_absent
from service.tournaments.commands.upkeep import NoteNoShow, RecordClosedArrivals, note_no_show, record_closed_arrivals


def close_arrivals(here: Container, tournament: UUID) -> None:
    """Start the waiting games without the absent entrants, once the time to sit down is over."""
    record = here.tournaments.load(tournament).known
    current = record.round
    if current is None or current.status != STARTED or current.sit_by is None:
        return
    waiting = [table for table in current.tables if table.game is not None and not table.is_over]
    begun = [_close_table(here, tournament, current.number, table) for table in waiting]
    if all(begun):
        record_closed_arrivals(here, RecordClosedArrivals(tournament, current.number), BY_SERVICE)


def _close_table(here: Container, tournament: UUID, round: int, table: Sitting) -> bool:
    """Note the absent entrants, substitute them where the regulations say so, and start the game.

    Returns whether the game has started; at levels with entropy it may still wait for the players' entropy.
    """
    game = UUID(table.game)
    chairs = settled_game(here, game).known.chairs
    empty = [number for chair, number in zip(chairs, table.seats, strict=True) if chair.player is None]
    for number in empty:
        note_no_show(here, NoteNoShow(tournament, round, table.number, number), BY_SERVICE)
    record = here.tournaments.load(tournament).known
    seated = record.rounds[round - 1].tables[table.number - 1]
    people = [record.entry(number) for number in seated.seats]
    start_without_absent(here, StartWithoutAbsent(game, people, seated.absent), BY_SERVICE)
    return settled_game(here, game).known.status != OPEN
