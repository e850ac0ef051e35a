"""Moves tournaments on: carries rulings, records results, gives seats, starts games, runs automatic rounds."""

from collections.abc import Callable
from functools import partial
from typing import Final
from uuid import UUID

from psycopg import Connection

from projections.tournaments.next_due import due
from projections.tournaments.record import DECLARED, OPEN, PAIRED, PUBLISHED, STARTED, TournamentRecord
from service.container import Container
from service.core.command_handler import BY_SERVICE
from service.core.errors import NotAtThisStage
from service.tournaments import declare, rounds, seats
from service.tournaments.no_shows import close_arrivals
from service.tournaments.pending_rulings import run_errands
from service.tournaments.repository import TournamentUnitOfWork
from service.tournaments.results import collect
from service.tournaments.start_games import show_deal, start_games

DUE: Final = """
SELECT id FROM (
    SELECT id FROM tournaments WHERE due <= %(now)s
    UNION SELECT id FROM errands
    UNION SELECT d.id FROM games_declared d JOIN games g ON g.id = d.game
        WHERE NOT d.settled AND g.status IN ('finished', 'aborted')
) AS waiting
WHERE id > %(after)s
    AND NOT EXISTS (SELECT FROM stuck_streams WHERE duty = 'tournaments' AND stream = waiting.id)
ORDER BY id LIMIT %(most)s
"""
MOST_STEPS: Final = 20  # of one tournament, before the next one


def waiting(connection: Connection, now: int, after: UUID, most: int) -> list[UUID]:
    """Returns the next tournaments with work to do, in the order of their ids, without those that were put off."""
    asked = {"now": now, "after": after, "most": most}
    return [tournament for (tournament,) in connection.execute(DUE, asked).fetchall()]


def attend(here: Container, connection: Connection, tournament: UUID, now: int) -> None:
    """Execute all due steps of a tournament; idempotent."""
    run_errands(here, connection, tournament)
    collect(here, tournament)
    for _ in range(MOST_STEPS):
        state = here.tournaments.load(tournament)
        at = due(state.known)
        if at is None or at > now:
            return
        step(here, connection, tournament, state.known)
        if here.tournaments.load(tournament).head == state.head:
            return


def step(here: Container, connection: Connection, tournament: UUID, record: TournamentRecord) -> None:
    """Execute the next due step."""
    current = record.round
    if current is None:
        _between_rounds(here, tournament, record)
    elif current.status == PAIRED:
        _do(here, tournament, rounds.publish)
    elif current.status == PUBLISHED and not all(table.settled for table in current.tables):
        _do(here, tournament, lambda unit: seats.give(unit, connection))
    elif current.status == PUBLISHED:
        _do(here, tournament, rounds.declare)
    elif current.status == DECLARED:
        start_games(here, tournament)
    elif current.status == STARTED and current.is_over:
        _do(here, tournament, prepared_closing(here, tournament))
    else:
        close_arrivals(here, tournament)


def prepared_closing(here: Container, tournament: UUID) -> Callable[[TournamentUnitOfWork], None]:
    """Collect the results and reveal the shared deal. Returns what closes the round.

    Raises NotAtThisStage while a table is open.
    """
    collect(here, tournament)
    current = rounds.in_status(here.tournaments.load(tournament).known, STARTED)
    if not current.is_over or here.deals.still_played(current.deal):  # a ruling may be pending
        raise NotAtThisStage(current.status, "tables of the round are still open")
    return partial(rounds.close_round, deal_seed=show_deal(here, current))


def _between_rounds(here: Container, tournament: UUID, record: TournamentRecord) -> None:
    """Pair the next round, close the stage, begin the next stage or close the tournament."""
    if record.status == OPEN:
        _do(here, tournament, rounds.begin)
    elif record.stage is not None:
        over = rounds.is_played_out(record, record.stage)
        _do(here, tournament, rounds.close_stage if over else rounds.pair_or_close)
    elif rounds.has_next_stage(record):
        _do(here, tournament, rounds.begin)
    else:
        _do(here, tournament, partial(declare.close, cause=declare.FINISHED))


def _do(here: Container, tournament: UUID, decide: Callable[[TournamentUnitOfWork], None]) -> None:
    here.tournament_commands.execute(tournament, BY_SERVICE, decide)
