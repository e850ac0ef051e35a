"""The jobs of the queues. A job names a version of its game and ends without error when the game has gone on."""

import os
import time
from collections.abc import Callable
from functools import cache
from typing import Final
from uuid import UUID

import psycopg
import structlog

from events.errors import LogNotReconciled, OutcomeUnknown, StaleVersion, StoreAway
from projections.games.record import BOT
from service import settings as config
from service.analyses import queries
from service.container import Container, open_container
from service.core import logs
from service.core.bot_turns import BotTurn, WaitingTurns
from service.core.command_handler import ExpectedVersion, Request
from service.core.queues import BOT_GAMES
from service.games.commands.moves import PlayBotMove, play_bot_move
from service.games.commands.settle import settled_game
from service.games.game_state import GameState
from workers import analysis_job
from workers.bots.bot import Budget
from workers.bots.levels import decide, decision_record
from workers.programmed_answers import answer_turn

MOST_SECONDS: Final = 20.0  # of one game; another turn continues it
SLICE_SECONDS: Final = 0.5  # of one game when other games wait
JOB_SLICE_SECONDS: Final = 5.0  # of one job, after which the worker looks whether it is to stop
PAUSE_SECONDS: Final = 1.0  # after a fault of the store
PUT_OFF: Final = "put off"  # stands for the makers of turns that the store did not take
STORE_FAULTS: Final = (StoreAway, OutcomeUnknown, LogNotReconciled, psycopg.OperationalError)
ANNOUNCE_TIMEOUT: Final = 5.0
MANY: Final = 200  # moves of a turn without another limit
LEVEL_BUDGET: Final = Budget()  # the budget with which a level is measured
log = structlog.get_logger("workers.jobs")


@cache
def container() -> Container:
    """The world of this process, opened by its first job."""
    settings = config.load(os.environ)
    logs.configure(settings.log_level, settings.log_format)
    return open_container(settings, "worker")


def finish() -> None:
    """Publishes what is left to announce and closes the container, if a job has opened it."""
    if container.cache_info().currsize:
        container().announcer.flush(ANNOUNCE_TIMEOUT)
        container().close()
        container.cache_clear()


def take_turns(queue: str) -> None:
    """Plays the waiting turns of a queue of bots, makers in turn, for some seconds; then lets another job go on.

    A turn that the store does not take is put off. One that fails otherwise ends the job, so that operators see it;
    another job plays the turns behind it.
    """
    here = container()
    waiting, begun = here.announcer.waiting_turns(queue), time.monotonic()
    waiting.begin_job()
    try:
        while time.monotonic() - begun < JOB_SLICE_SECONDS and (turn := waiting.take()) is not None:
            try:
                _play_turn(here, waiting, *turn)
            except STORE_FAULTS as fault:
                log.warning("turn put off", game=str(turn[0]), version=turn[1], reason=str(fault))
                here.announcer.call_bot(BotTurn(*turn, PUT_OFF, alone=queue == BOT_GAMES))
                time.sleep(PAUSE_SECONDS)
                break
    finally:
        here.announcer.continue_turns(queue)


def review(id: str) -> None:
    """Runs an analysis for some seconds, and queues a job for the rest."""
    here, analysis = container(), UUID(id)
    if analysis_job.review(here, analysis):
        with here.stores.pool.connection() as connection:
            done = len(queries.figures(connection, analysis))
        here.announcer.call_analysis(analysis, str(done))


def play_on(
    here: Container,
    game: UUID,
    version: int,
    budget: Budget = LEVEL_BUDGET,
    most: int = MANY,
    is_others_turn: Callable[[], bool] = lambda: False,
) -> GameState | None:
    """Returns the game after the moves of its bots, `most` at most; None when another process has changed it.

    After a slice of time, lets other games go first.
    """
    begun = time.monotonic()
    table = settled_game(here, game)
    for _ in range(most):
        if table.head.seq != version or table.known.engine is None:
            break
        spent = time.monotonic() - begun
        if spent > MOST_SECONDS or (spent > SLICE_SECONDS and is_others_turn()):
            break
        try:
            table = _move(here, table, budget)
        except StaleVersion:
            log.info("lost a race for the game", game=str(game), version=version)
            return None
        version = table.head.seq
    return table if table.head.seq == version else None


def _play_turn(here: Container, waiting: WaitingTurns, game: UUID, version: int) -> None:
    """Plays on in a game, unless it has another version, and lets the rest of its turns wait."""
    budget = Budget(here.settings.search_steps, here.settings.search_seconds)
    last = play_on(here, game, version, budget, here.settings.bot_moves, lambda: waiting.makers() > 0)
    rest = None if last is None else here.game_commands.bot_turn(last)
    if rest is not None:
        here.announcer.call_bot(rest)
    elif last is not None and last.head.seq == version:  # no bot is to act at this version
        answer_turn(here, last)


def _move(here: Container, table: GameState, budget: Budget) -> GameState:
    """Returns the game after the bot's move. The same log gives the same move, unless a time limit ends the search."""
    record, game = table.known, table.game
    assert record.engine is not None
    assert record.turn is not None
    seat, how = record.turn.seat, decision_record(record.engine, table.head.hash, budget.steps)
    chosen, how = decide(game, table.board, seat, how, budget.seconds)
    command = PlayBotMove(table.id, seat, game.notation(chosen), how.document())
    request = Request(BOT + record.engine, expected=ExpectedVersion(table.head.seq))
    after = play_bot_move(here, command, request).state
    assert after is not None  # no idempotency key, no stored answer
    return after
