"""Moves tournaments on: carries rulings, records results, gives seats, starts games, runs automatic rounds."""

from typing import Final
from uuid import UUID

from psycopg import Connection

from projections.tournaments.next_due import due
from projections.tournaments.record import DECLARED, OPEN, PAIRED, PUBLISHED, STARTED, TournamentRecord
from service.container import Container
from service.core.command_handler import BY_SERVICE
from service.tournaments import rounds
from service.tournaments.commands.rounds import (
    BeginStage,
    CloseRound,
    CloseStage,
    FinishTournament,
    PublishRound,
    StartRound,
    begin_stage,
    close_round,
    close_stage,
    finish_tournament,
    publish_round,
    start_round,
)
from service.tournaments.commands.upkeep import GiveSeats, PairOrCloseStage, give_seats, pair_or_close_stage
from service.tournaments.no_shows import close_arrivals
from service.tournaments.pending_rulings import run_errands
from service.tournaments.results import collect
from service.tournaments.start_games import start_games

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
        step(here, tournament, state.known)
        if here.tournaments.load(tournament).head == state.head:
            return


def step(here: Container, tournament: UUID, record: TournamentRecord) -> None:
    """Execute the next due step."""
    current = record.round
    if current is None:
        _between_rounds(here, tournament, record)
    elif current.status == PAIRED:
        publish_round(here, PublishRound(tournament), BY_SERVICE)
    elif current.status == PUBLISHED and not all(table.settled for table in current.tables):
        give_seats(here, GiveSeats(tournament), BY_SERVICE)
    elif current.status == PUBLISHED:
        start_round(here, StartRound(tournament), BY_SERVICE)
    elif current.status == DECLARED:
        start_games(here, tournament)
    elif current.status == STARTED and current.is_over:
        close_round(here, CloseRound(tournament), BY_SERVICE)
    else:
        close_arrivals(here, tournament)


def _between_rounds(here: Container, tournament: UUID, record: TournamentRecord) -> None:
    """Pair the next round, close the stage, begin the next stage or close the tournament."""
    if record.status == OPEN:
        begin_stage(here, BeginStage(tournament), BY_SERVICE)
    elif record.stage is not None:
        if rounds.is_played_out(record, record.stage):
            close_stage(here, CloseStage(tournament, None), BY_SERVICE)
        else:
            pair_or_close_stage(here, PairOrCloseStage(tournament), BY_SERVICE)
    elif rounds.has_next_stage(record):
        begin_stage(here, BeginStage(tournament), BY_SERVICE)
    else:
        finish_tournament(here, FinishTournament(tournament), BY_SERVICE)
