"""The jobs of the queues. A job names a version of its game and ends without error when the game has gone on."""

import os
import time
from functools import cache
from typing import Final
from uuid import UUID

import structlog

from events.errors import StaleVersion
from projections.games.record import BOT
from service import settings as config
from service.analyses import queries
from service.container import Container, open_container
from service.core import logs
from service.core.command_handler import ExpectedVersion, Request
from service.games.commands.moves import PlayBotMove, play_bot_move
from service.games.game_state import GameState
from workers import analysis_job
from workers.bots.bot import Budget
from workers.bots.levels import decide, decision_record

MOST_SECONDS: Final = 20.0  # of one job; another job continues the game
ANNOUNCE_TIMEOUT: Final = 5.0
MANY: Final = 200  # moves of one job when no other job waits
LEVEL_BUDGET: Final = Budget()  # the budget with which a level is measured
log = structlog.get_logger("workers.jobs")


@cache
def container() -> Container:
    """The world of this process, opened by its first job."""
    settings = config.load(os.environ)
    logs.configure(settings.log_level, settings.log_format)
    return open_container(settings, "worker")


def take_turn(game: str, version: int) -> None:
    """Plays for the bot that is to act at this version of a game, and continues while a bot is to act."""
    here = container()
    budget = Budget(here.settings.search_steps, here.settings.search_seconds)
    last = play_on(here, UUID(game), version, budget, here.settings.bot_moves)
    if last is not None and last.known.engine is not None:
        here.announcer.call_bot(last.id, last.head.seq)
    here.announcer.told(ANNOUNCE_TIMEOUT)


def review(id: str) -> None:
    """Runs an analysis for some seconds, and queues a job for the rest."""
    here, analysis = container(), UUID(id)
    if analysis_job.review(here, analysis):
        with here.stores.pool.connection() as connection:
            done = len(queries.figures(connection, analysis))
        here.announcer.call_analysis(analysis, str(done))


def deliver(hook: str) -> None:
    """Sends the deliveries of a webhook that are due."""
    here = container()
    here.webhook_sender().deliver(here.now, UUID(hook))


def play_on(
    here: Container, game: UUID, version: int, budget: Budget = LEVEL_BUDGET, most: int = MANY
) -> GameState | None:
    """Returns the game after the moves of its bots, `most` at most; None when another process has changed it."""
    until = time.monotonic() + MOST_SECONDS
    table = here.game_commands.settle_time(game)
    for _ in range(most):
        if table.head.seq != version or table.known.engine is None or time.monotonic() > until:
            break
        try:
            table = _move(here, table, budget)
        except StaleVersion:
            log.info("lost a race for the game", game=str(game), version=version)
            return None
        version = table.head.seq
    return table if table.head.seq == version else None


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
