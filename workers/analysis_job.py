"""Runs computer analyses: stores each decision as it is evaluated, so that a killed worker loses one at most."""

import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.event import Event
from events.json_types import JsonObject
from projections.games.replay import steps
from service.analyses import commands, queries
from service.analyses.queries import DONE, RUNNING, Analysis
from service.container import Container
from service.core.clock import SECOND
from service.games.game_state import GameState, setting
from workers.bots.evaluate_decision import PlayedDecision, evaluate, seeded_source
from workers.keeper.duty_context import ContainerDuty

MOST_SECONDS: Final = 20.0  # of one job; another job continues the analysis
LOST_AFTER: Final = 60 * SECOND  # after its last stored decision, a job counts as lost
DUE: Final = "SELECT id, changed FROM analyses WHERE status IN ('waiting', 'running') AND changed < %s LIMIT 100"


class ReviewedDecision(NamedTuple):
    """A move of the game, and the position before it."""

    event: Event
    position: Any
    progress: float


def review(here: Container, id: UUID, seconds: float = MOST_SECONDS) -> bool:
    """Evaluates decisions for some seconds. Returns whether more are left."""
    until = time.monotonic() + seconds
    with here.stores.pool.connection() as connection:
        analysis = queries.get(connection, id)
        known = queries.figures(connection, id)
    table = here.games.load(analysis.game)
    for decision in decisions(table, here.games.history(analysis.game)):
        if decision.event.seq in known:
            continue
        with here.stores.pool.connection() as connection:
            if not commands.set_status(connection, here.now(), id, RUNNING):
                return False
        if time.monotonic() > until:
            return True
        figures = evaluated(table, analysis, decision)
        with here.stores.pool.connection() as connection:
            commands.store_figures(connection, id, decision.event.seq, figures)
    with here.stores.pool.connection() as connection:
        commands.set_status(connection, here.now(), id, DONE)
    return False


def decisions(table: GameState, events: Sequence[Event]) -> Iterator[ReviewedDecision]:
    """Yields the moves of a game that were not undone, each with the position before it; keeps two boards at a time."""
    total = sum(1 for _ in steps(setting(table.known), events))
    for number, (before, step) in enumerate(pairwise(steps(setting(table.known), events)), start=1):
        if step.event.kind == "moved":
            yield ReviewedDecision(step.event, before.position, number / total)


def evaluated(table: GameState, analysis: Analysis, decision: ReviewedDecision) -> JsonObject:
    """Returns the figures of one decision."""
    played = table.game.parse(str(decision.event.data["move"]))
    made = PlayedDecision(decision.position, table.game.canonical(decision.position, played), decision.progress)
    return evaluate(table.game, made, analysis.steps, seeded_source(analysis.seed, decision.event.seq))


class RequeueAnalyses(ContainerDuty):
    """Queues jobs again for analyses whose job was lost."""

    def __call__(self, connection: Connection) -> bool:
        now = self.container.now()
        for id, changed in connection.execute(DUE, (now - LOST_AFTER,)).fetchall():
            self.container.announcer.call_analysis(id, f"{changed}-{(now - changed) // LOST_AFTER}")
        return False
