"""Reads analyses of finished games and their figures."""

from collections.abc import Sequence
from typing import Final, NamedTuple, TypedDict
from uuid import UUID

from psycopg import Connection
from psycopg.rows import class_row

from service.core.errors import NotThere

WAITING, RUNNING, DONE, CANCELLED = "waiting", "running", "done", "cancelled"
LEVEL: Final = "search"
USUAL_STEPS: Final = 100
SWINGS: Final = ((200, "blunder"), (100, "mistake"), (50, "doubtful"))  # thousandths of the win given away
GLYPH_OF: Final = {"blunder": 4, "mistake": 2, "doubtful": 6}
BY_ID: Final = "SELECT * FROM analyses WHERE id = %s"
OF_GAME: Final = "SELECT * FROM analyses WHERE game = %s ORDER BY created DESC, id LIMIT 50"
COUNT: Final = "SELECT count(*) FROM analysis_figures WHERE id = %s"
FIGURES: Final = "SELECT seq, figures FROM analysis_figures WHERE id = %s ORDER BY seq"
LEAST_VISITS: Final = 2  # visits of the most visited move; with fewer, moves are not ranked


class Analysis(NamedTuple):
    """A requested analysis and its status."""

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


class WeighedMove(TypedDict):
    """A move, its visits, and each seat's share of the win after it, in thousandths."""

    move: str
    visits: int
    shares: Sequence[int]


class DecisionFigures(WeighedMove):
    """The stored figures of a decision."""

    seat: int
    best: str | None
    loss: int
    alternatives: Sequence[WeighedMove]


class RankedDecision(DecisionFigures):
    """The figures of a decision; without a ranking when the steps were not enough."""

    enough: bool


def get(connection: Connection, id: UUID) -> Analysis:
    """Returns an analysis; raises NotThere."""
    with connection.cursor(row_factory=class_row(Analysis)) as cursor:
        found = cursor.execute(BY_ID, (id,)).fetchone()
    if found is None:
        raise NotThere("analysis", id)
    return found


def of_game(connection: Connection, game: UUID) -> list[Analysis]:
    """Returns the analyses of a game, newest first."""
    with connection.cursor(row_factory=class_row(Analysis)) as cursor:
        return cursor.execute(OF_GAME, (game,)).fetchall()


def count_figures(connection: Connection, id: UUID) -> int:
    """Returns the number of decisions with figures."""
    row = connection.execute(COUNT, (id,)).fetchone()
    return row[0] if row else 0


def figures(connection: Connection, id: UUID) -> dict[int, RankedDecision]:
    """Returns the stored figures by the event of the move."""
    return {seq: _ranked(found) for seq, found in connection.execute(FIGURES, (id,)).fetchall()}


def _ranked(found: DecisionFigures) -> RankedDecision:
    """Returns the figures of a decision; drops the ranking when no move was visited twice, as it would be random."""
    if max(one["visits"] for one in (found, *found["alternatives"])) >= LEAST_VISITS:
        return {**found, "enough": True}
    return {**found, "enough": False, "best": None, "loss": 0, "alternatives": []}


def swing(loss: int) -> str | None:
    """Returns the name of a loss; None below the smallest threshold."""
    return next((name for least, name in SWINGS if loss >= least), None)
