"""Boards and records of games at earlier versions, one every few hundred events; a cache of what the events make."""

import json
from collections.abc import Iterator
from typing import Any, Final
from uuid import UUID

import psycopg
import structlog
from psycopg import Connection

from events.cold.reader import cold_events
from events.event import Head
from events.store.statements import Statement
from projections.games import record as records
from projections.games.replay import returns_to
from projections.games.rules_versions import MOVED_ON
from projections.rules.protocol import NO_BOARD
from service.games.game_state import GameState, GameUnitOfWork, setting

KEEP_EVERY: Final = 256  # events
KeptRow = tuple[int, bytes, list[Any], Any]  # version, head, record, position
PUT: Final = """
INSERT INTO kept_boards (id, version, head, record, position) VALUES (%s, %s, %s, %s, %s)
ON CONFLICT (id, version) DO UPDATE
SET head = excluded.head, record = excluded.record, position = excluded.position
"""
NEWEST: Final = """
SELECT kept.version, kept.head, kept.record, kept.position FROM kept_boards AS kept
JOIN events ON stream = kept.id AND seq = kept.version AND hash = kept.head
WHERE kept.id = %s AND kept.version <= %s ORDER BY kept.version DESC LIMIT 1
"""
# Events of an archived game lie in a file: its hashes are compared here.
NEWEST_AWAY: Final = """
SELECT version, head, record, position FROM kept_boards
WHERE id = %s AND version <= %s AND NOT EXISTS (SELECT FROM events WHERE stream = kept_boards.id)
ORDER BY version DESC LIMIT 1
"""
log = structlog.get_logger("service.games.kept_boards")


def kept_board(connection: Connection, game: UUID, version: int) -> GameState | None:
    """Returns the newest kept state at a version or before; None without one that these rules can read."""
    row = connection.execute(NEWEST, (game, version)).fetchone()
    if row is None and version >= KEEP_EVERY:
        row = _newest_archived(connection, game, version)
    if row is None:
        return None
    try:
        record = records.restore(row[2])
        if record is None:
            return None
        return GameState(game, record, setting(record).game.restore(row[3]), Head(row[0], bytes(row[1])))
    except psycopg.Error:
        raise
    except Exception:  # a damaged board can fail in any way; the events make it anew
        log.warning("kept board unreadable", game=str(game), version=row[0], exc_info=True)
        return None


def _newest_archived(connection: Connection, game: UUID, version: int) -> KeptRow | None:
    """Returns the newest kept board of an archived game; None for one that is not that of its archived event."""
    row: KeptRow | None = connection.execute(NEWEST_AWAY, (game, version)).fetchone()
    if row is None:
        return None
    events = cold_events(connection, game)
    return row if len(events) >= row[0] and events[row[0] - 1].hash == bytes(row[1]) else None


def boards_to_keep(unit: GameUnitOfWork) -> Iterator[Statement]:
    """Yields the statements that keep the boards which a unit of work passes; of a long one, several."""
    if unit.before.head.seq // KEEP_EVERY == unit.now.head.seq // KEEP_EVERY or unit.now.board is NO_BOARD:
        return
    if not any(returns_to(event) is not None or event.kind == MOVED_ON for event in unit.events):
        yield from map(_statement, _passed(unit))
    yield _statement(unit.now)


def _passed(unit: GameUnitOfWork) -> Iterator[GameState]:
    """Yields the states of a long unit of work after each so many events."""
    state = unit.before
    for begin in range(0, len(unit.events) - KEEP_EVERY, KEEP_EVERY):
        state = state.after(unit.events[begin : begin + KEEP_EVERY])
        if state.board is not NO_BOARD:
            yield state


def _statement(state: GameState) -> Statement:
    position = json.dumps(state.game.document(state.board))
    return Statement(PUT, (state.id, *state.head, json.dumps(records.document(state.known)), position))
