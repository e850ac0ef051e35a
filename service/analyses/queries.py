"""Analyses of finished games: asked for, worked on elsewhere, cancelled, read; always labelled as estimates."""

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.rows import class_row

from events.event import new_stream
from events.messages import Message
from service.core.clock import iso_time as told_time
from service.core.errors import NotAllowed, NotThere
from service.i18n import messages
from service.studies.errors import LimitReached

WAITING, RUNNING, DONE, CANCELLED = "waiting", "running", "done", "cancelled"
LEVEL: Final = "search"
USUAL_STEPS: Final = 100
MOST_AT_WORK: Final = 2  # of one person
SWINGS: Final = ((200, "blunder"), (100, "mistake"), (50, "doubtful"))  # thousandths of the win given away
GLYPH_OF: Final = {"blunder": 4, "mistake": 2, "doubtful": 6}
BY_ID: Final = "SELECT * FROM analyses WHERE id = %s"
OF_GAME: Final = "SELECT * FROM analyses WHERE game = %s ORDER BY created DESC, id LIMIT 50"
AT_WORK: Final = "SELECT count(*) FROM analyses WHERE asker = %s AND status IN ('waiting', 'running')"
LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended('cabildo.analyses.' || %s, 0))"
ASK: Final = """
INSERT INTO analyses (id, game, level, version, steps, seed, status, total, asker, created, changed)
VALUES (%(id)s, %(game)s, %(level)s, %(version)s, %(steps)s, %(seed)s, 'waiting', %(total)s, %(asker)s, %(at)s, %(at)s)
ON CONFLICT (game, level, version, steps, seed) DO UPDATE
SET status = CASE analyses.status WHEN 'cancelled' THEN 'waiting' ELSE analyses.status END,
    asker = CASE analyses.status WHEN 'cancelled' THEN excluded.asker ELSE analyses.asker END
RETURNING *
"""
SET_STATUS: Final = "UPDATE analyses SET status = %s, changed = %s WHERE id = %s AND status IN ('waiting', 'running')"
PUT: Final = "INSERT INTO analysis_figures (id, seq, figures) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"
FIGURES: Final = "SELECT seq, figures FROM analysis_figures WHERE id = %s ORDER BY seq"
COUNT: Final = "SELECT count(*) FROM analysis_figures WHERE id = %s"
LEAST_VISITS: Final = 2  # of the move looked at most: with fewer, moves are not compared
LABEL: Final = Message(
    "An estimate by a bot, not the truth: the same bot, version, steps and seed give the same figures again."
)


class Analysis(NamedTuple):
    """What was asked for, and how it stands."""

    id: UUID
    game: UUID
    level: str
    version: int
    steps: int
    seed: str
    status: str
    total: int
    asker: str
    created: int
    changed: int


class Wanted(NamedTuple):
    """An analysis to be made."""

    game: UUID
    version: int  # of the bot's level
    steps: int
    seed: str
    total: int


def ask(connection: Connection, at: int, asker: str, wanted: Wanted) -> Analysis:
    """Ask for an analysis; the same one is made only once. Refuses with LimitReached."""
    values = {**wanted._asdict(), "id": new_stream(at), "level": LEVEL, "asker": asker, "at": at}
    with connection.transaction(), connection.cursor(row_factory=class_row(Analysis)) as cursor:
        connection.execute(LOCK, (asker,))
        found = cursor.execute(ASK, values).fetchone()
        at_work = connection.execute(AT_WORK, (asker,)).fetchone()
        if at_work is not None and at_work[0] > MOST_AT_WORK:
            raise LimitReached("analyses of yours at work", MOST_AT_WORK)
    assert found is not None
    return found


def get(connection: Connection, id: UUID) -> Analysis:
    """An analysis; refuses with NotThere."""
    with connection.cursor(row_factory=class_row(Analysis)) as cursor:
        found = cursor.execute(BY_ID, (id,)).fetchone()
    if found is None:
        raise NotThere("analysis", id)
    return found


def of_game(connection: Connection, game: UUID) -> list[Analysis]:
    """The analyses of a game, newest first."""
    with connection.cursor(row_factory=class_row(Analysis)) as cursor:
        return cursor.execute(OF_GAME, (game,)).fetchall()


def move_on(connection: Connection, at: int, id: UUID, status: str) -> bool:
    """Give an analysis that is at work another status; False when it is not at work any more."""
    return connection.execute(SET_STATUS, (status, at, id)).rowcount > 0


def cancel(connection: Connection, at: int, asker: str, id: UUID) -> Analysis:
    """Let nobody work on it any more; what was found so far stays."""
    if get(connection, id).asker != asker:
        raise NotAllowed("not_yours", "an analysis is cancelled by who asked for it")
    move_on(connection, at, id, CANCELLED)
    return get(connection, id)


def put(connection: Connection, id: UUID, seq: int, figures: Mapping[str, Any]) -> None:
    """Keep the figures of a decision; those that were kept first stay."""
    connection.execute(PUT, (id, seq, json.dumps(figures)))


def figures(connection: Connection, id: UUID) -> dict[int, dict[str, Any]]:
    """The figures there are, by the event of the move."""
    return {seq: _ranked(found) for seq, found in connection.execute(FIGURES, (id,)).fetchall()}


def _ranked(found: dict[str, Any]) -> dict[str, Any]:
    """The figures of a decision; without a ranking where no move was looked at twice, as chance would rank."""
    if max(one["visits"] for one in (found, *found["alternatives"])) >= LEAST_VISITS:
        return {**found, "enough": True}
    return {**found, "enough": False, "best": None, "loss": 0, "alternatives": []}


def advice(analysis: Mapping[str, Any], language: str) -> str | None:
    """What a client does about decisions that the budget is too small for; None when it was large enough for all."""
    thin = sum(not decision["enough"] for decision in analysis["decisions"])
    if not thin:
        return None
    said = Message(
        "{steps} steps are too few to compare the moves of {thin} out of {done} decisions; ask for more steps",
        steps=analysis["bot"]["steps"],
        thin=thin,
        done=analysis["done"],
    )
    return messages.translate(said, language)


def document(connection: Connection, analysis: Analysis, language: str, reader: str | None) -> dict[str, Any]:
    """An analysis as clients get it, without its figures."""
    done = connection.execute(COUNT, (analysis.id,)).fetchone()
    return {
        "id": str(analysis.id),
        "game": str(analysis.game),
        "status": analysis.status,
        "done": done[0] if done else 0,
        "total": analysis.total,
        "estimate": messages.translate(LABEL, language),
        "bot": {name: getattr(analysis, name) for name in ("level", "version", "steps", "seed")},
        "created": told_time(analysis.created),
        "yours": analysis.asker == reader,
        "changed": told_time(analysis.changed),
    }


def swing(loss: int) -> str | None:
    """What a move is called that gives so much away; None when it is not worth a word."""
    return next((name for least, name in SWINGS if loss >= least), None)
