"""Declares a branch of the log: published events are lost, and the log goes on under a new name without them."""

from typing import Final

from psycopg import Connection

from events.event import Event, EventDraft, compose, new_salt
from events.json_types import JsonObject
from events.log.branch import LogBranch, LostEvents
from events.log.lost_events import PublishedLoss, find_lost_events
from events.log.recovery import INSERT, CannotRecover
from events.log.sealer import current_origin, open_origin
from events.log.signing_gate import is_open
from events.log.tile_files import TileFiles
from events.store.postgres import head, read
from projections.games.fold import record_of
from projections.games.record import OPEN, RUNNING
from projections.games.rules_versions import rules_after
from service.core.command_handler import SERVICE

GAME: Final = "game_created"
LOST: Final = "history_lost"
LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended('cabildo.sequencer', 0))"
DECLARE: Final = "INSERT INTO branches (origin, statement) VALUES (%s, %s)"
WAIT: Final = "INSERT INTO outbox (stream, seq, hash) VALUES (%s, %s, %s)"


def declare_branch(connection: Connection, files: TileFiles, new: str, reason: str, now: int) -> LogBranch:
    """Stores the statement, the new name, and an event in every affected game that goes on, all or none.

    Raises CannotRecover while the gate is open, and when the database holds everything that was published.
    """
    with connection.transaction():
        connection.execute(LOCK)
        old = current_origin(connection)
        if is_open(connection) or old is None:
            raise CannotRecover("the gate of the log is open: no published event is known to be lost")
        branch = _statement(find_lost_events(connection, files), old, new, reason, now)
        open_origin(connection, new, reason)
        connection.execute(DECLARE, (new, str(branch)))
        for part in branch.lost:
            _tell_game(connection, branch, part)
    return branch


def _statement(found: PublishedLoss, old: str, new: str, reason: str, now: int) -> LogBranch:
    if found.common == found.published.size:
        raise CannotRecover("the database holds all events that were published, in their order: nothing is lost")
    return LogBranch(
        old, new, found.published.size, found.published.root, found.common, now, " ".join(reason.split()), found.lost
    )


def _tell_game(connection: Connection, branch: LogBranch, part: LostEvents) -> None:
    """Appends the event to a game that waits or runs; nothing follows the end of a game, and no other stream tells."""
    events = tuple(read(connection, part.stream))
    if not events or events[0].kind != GAME:
        return
    record = record_of(events)
    if record is None or record.status not in (OPEN, RUNNING):
        return
    data: JsonObject = {
        "kept": part.kept.seq,
        "last": part.last.seq,
        "hash": part.last.hash.hex(),
        "statement": branch.digest.hex(),
    }
    draft = EventDraft(LOST, data, SERVICE, max(branch.at, record.changed), rules_after(events[-1]))
    _store(connection, compose(part.stream, head(connection, part.stream), draft, new_salt()))


def _store(connection: Connection, event: Event) -> None:
    """Stores an event past the gate, which is shut; the log takes it up under the new name."""
    connection.execute(INSERT, (event.stream, event.seq, event.kind, event.at, event.hash, event.body))
    connection.execute(WAIT, (event.stream, event.seq, event.hash))
