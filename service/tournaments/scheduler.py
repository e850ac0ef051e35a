"""What moves tournaments on by themselves: games start, results come in, seats are given, automatic rounds go on."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final
from uuid import UUID

from psycopg import Connection

from projections.tournaments.next_due import due
from projections.tournaments.record import DECLARED, OPEN, PAIRED, PUBLISHED, STARTED, TournamentRecord
from service.core.errors import NotAtThisStage
from service.games.game_state import SERVICE
from service.tournaments import declare, rounds, seats
from service.tournaments.no_shows import close_arrivals
from service.tournaments.pending_rulings import run_errands
from service.tournaments.repository import Act, Wish
from service.tournaments.results import collect
from service.tournaments.start_games import GameServices, show_deal, start_games

DUE: Final = """
SELECT id FROM (
    SELECT id FROM tournaments WHERE due <= %(now)s
    UNION SELECT id FROM errands
    UNION SELECT d.id FROM games_declared d JOIN games g ON g.id = d.game
        WHERE NOT d.settled AND g.status IN ('finished', 'aborted')
) AS waiting
WHERE id <> ALL (%(but)s::uuid[]) LIMIT %(most)s
"""
MOST_STEPS: Final = 20  # of one tournament before the next one's turn


def waiting(connection: Connection[Any], now: int, but: Sequence[UUID], most: int) -> list[UUID]:
    """The tournaments that are to be attended to, but for some."""
    asked = {"now": now, "but": list(but), "most": most}
    return [tournament for (tournament,) in connection.execute(DUE, asked).fetchall()]


def attend(hands: GameServices, connection: Connection[Any], tournament: UUID, now: int) -> None:
    """Do all that is due in a tournament; doing it again does nothing twice."""
    run_errands(hands, connection, tournament)
    collect(hands, tournament)
    for _ in range(MOST_STEPS):
        held = hands.desk.take(tournament)
        at = due(held.known)
        if at is None or at > now:
            return
        step(hands, connection, tournament, held.known)
        if hands.desk.take(tournament).head == held.head:
            return


def step(hands: GameServices, connection: Connection[Any], tournament: UUID, record: TournamentRecord) -> None:
    """The next thing that is due."""
    current = record.round
    if current is None:
        _between_rounds(hands, tournament, record)
    elif current.status == PAIRED:
        _do(hands, tournament, rounds.publish)
    elif current.status == PUBLISHED and not all(table.settled for table in current.tables):
        _do(hands, tournament, lambda act: seats.give(act, connection))
    elif current.status == PUBLISHED:
        _do(hands, tournament, rounds.declare)
    elif current.status == DECLARED:
        start_games(hands, tournament)
    elif current.status == STARTED and current.over:
        close_round(hands, tournament)
    else:
        close_arrivals(hands, tournament)


def close_round(hands: GameServices, tournament: UUID, actor: str = SERVICE) -> None:
    """Show what the tables shared, then close the round; refuses with NotAtThisStage while a table is open."""
    collect(hands, tournament)
    current = rounds.in_status(hands.desk.take(tournament).known, STARTED)
    if not current.over or hands.deals.still_played(current.deal):  # a ruling may be on its way to a game
        raise NotAtThisStage(current.status, "tables of the round are still open")
    _do(hands, tournament, partial(rounds.close_round, deal_seed=show_deal(hands, current)), actor)


def _between_rounds(hands: GameServices, tournament: UUID, record: TournamentRecord) -> None:
    """The next round, the end of a stage, the next stage, or the end of all."""
    if record.status == OPEN:
        _do(hands, tournament, rounds.begin)
    elif record.stage is not None:
        over = rounds.is_played_out(record, record.stage)
        _do(hands, tournament, rounds.close_stage if over else rounds.pair_or_close)
    elif rounds.has_next_stage(record):
        _do(hands, tournament, rounds.begin)
    else:
        _do(hands, tournament, partial(declare.close, cause=declare.FINISHED))


def _do(hands: GameServices, tournament: UUID, decide: Callable[[Act], None], actor: str = SERVICE) -> None:
    hands.desk.do(tournament, Wish(actor, decide, lambda _act: {}))
