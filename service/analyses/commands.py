"""Requests, cancels and stores analyses; the worker computes them."""

import json
from collections.abc import Mapping
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.rows import class_row

from events.event import new_stream
from events.json_types import Json
from service.analyses.queries import CANCELLED, LEVEL, Analysis, get
from service.core.errors import NotAllowed
from service.studies.errors import LimitReached

MOST_AT_WORK: Final = 2  # analyses of a player at a time
AT_WORK: Final = "SELECT count(*) FROM analyses WHERE asker = %s AND status IN ('waiting', 'running')"
MOST_OF_A_GAME: Final = 4  # analyses of one game that a player asked for: each seed and number of steps is a job
OF_A_GAME: Final = "SELECT count(*) FROM analyses WHERE game = %s AND asker = %s"
LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended('cabildo.analyses.' || %s, 0))"
REQUEST: Final = """
INSERT INTO analyses (id, game, level, version, steps, seed, status, total, asker, created, changed)
VALUES (%(id)s, %(game)s, %(level)s, %(version)s, %(steps)s, %(seed)s, 'waiting', %(total)s, %(asker)s, %(at)s, %(at)s)
ON CONFLICT (game, level, version, steps, seed) DO UPDATE
SET status = CASE analyses.status WHEN 'cancelled' THEN 'waiting' ELSE analyses.status END,
    asker = CASE analyses.status WHEN 'cancelled' THEN excluded.asker ELSE analyses.asker END
RETURNING *
"""
SET_STATUS: Final = "UPDATE analyses SET status = %s, changed = %s WHERE id = %s AND status IN ('waiting', 'running')"
STORE: Final = "INSERT INTO analysis_figures (id, seq, figures) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"


class RequestAnalysis(NamedTuple):
    """Request the analysis of a game."""

    game: UUID
    version: int  # of the bot's level
    steps: int
    seed: str
    total: int


def request_analysis(connection: Connection, at: int, asker: str, command: RequestAnalysis) -> Analysis:
    """Creates an analysis, or returns the equal one there is; raises LimitReached."""
    values = {**command._asdict(), "id": new_stream(at), "level": LEVEL, "asker": asker, "at": at}
    with connection.transaction(), connection.cursor(row_factory=class_row(Analysis)) as cursor:
        connection.execute(LOCK, (asker,))
        found = cursor.execute(REQUEST, values).fetchone()
        at_work = connection.execute(AT_WORK, (asker,)).fetchone()
        if at_work is not None and at_work[0] > MOST_AT_WORK:
            raise LimitReached("analyses of yours at work", MOST_AT_WORK)
        of_game = connection.execute(OF_A_GAME, (command.game, asker)).fetchone()
        if found is not None and found.id == values["id"] and of_game is not None and of_game[0] > MOST_OF_A_GAME:
            raise LimitReached("analyses of this game of yours", MOST_OF_A_GAME)
    assert found is not None
    return found


def set_status(connection: Connection, at: int, id: UUID, status: str) -> bool:
    """Sets the status of a waiting or running analysis. Returns False when it is done or cancelled."""
    return connection.execute(SET_STATUS, (status, at, id)).rowcount > 0


def cancel(connection: Connection, at: int, asker: str, id: UUID) -> Analysis:
    """Cancels an analysis of the player and keeps its figures; raises NotAllowed."""
    if get(connection, id).asker != asker:
        raise NotAllowed("not_yours", "an analysis is cancelled by who asked for it")
    set_status(connection, at, id, CANCELLED)
    return get(connection, id)


def store_figures(connection: Connection, id: UUID, seq: int, figures: Mapping[str, Json]) -> None:
    """Stores the figures of a decision, unless there are some."""
    connection.execute(STORE, (id, seq, json.dumps(figures)))
