"""The next automatic action of a tournament: games to start, waits that end, rounds to advance."""

from typing import Final

from projections.tournaments.record import (
    ALIVE,
    AUTOMATIC,
    DECLARED,
    OPEN,
    PAIRED,
    PUBLISHED,
    STARTED,
    RoundRecord,
    TournamentRecord,
)

AT_ONCE: Final = 0


def due(record: TournamentRecord) -> int | None:
    """Returns the time of the next automatic action, or None until a command or the end of a game."""
    if record.status not in ALIVE:
        return None
    if record.status == OPEN:
        return record.regulations["starts"] if record.regulations["pace"] == AUTOMATIC else None
    automatic = record.regulations["pace"] == AUTOMATIC
    if record.round is None:
        return AT_ONCE if automatic else None
    return _round_due(record.round, automatic=automatic)


def _round_due(current: RoundRecord, *, automatic: bool) -> int | None:
    if current.status == PAIRED:
        return AT_ONCE if automatic else None
    if current.status == PUBLISHED:
        return _published_due(current, automatic=automatic)
    if current.status == DECLARED:
        return AT_ONCE
    if current.status == STARTED and current.is_over:
        return AT_ONCE if automatic else None
    return current.sit_by


def _published_due(current: RoundRecord, *, automatic: bool) -> int | None:
    waiting = [table for table in current.tables if not table.settled]
    if not waiting:
        return AT_ONCE if automatic else None
    if any(len(table.wishes) == len(table.paired) for table in waiting):
        return AT_ONCE
    return current.choose_by
