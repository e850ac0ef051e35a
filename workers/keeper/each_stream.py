"""Runs a duty's step for each of its streams: a stream that fails is put off, and holds up no other."""

from collections.abc import Callable, Sequence
from typing import Final
from uuid import UUID

import psycopg
import structlog
from psycopg import Connection
from psycopg_pool import PoolTimeout

from events.errors import CabildoError, LogNotReconciled, OutcomeUnknown, StoreAway
from events.store.write_errors import is_broken
from service.core.stuck_streams import GROWING, PauseLimit, due_again, free, put_off

RETRIED: Final = 10  # stuck streams in one step at most: each may wait for a lock until its timeout
STORE_AWAY: Final = (StoreAway, OutcomeUnknown, LogNotReconciled, PoolTimeout)  # no fault of the stream
log = structlog.get_logger("workers.keeper.each_stream")


class EachStream:
    """The streams of one duty."""

    def __init__(self, duty: str, step: Callable[[UUID], object], pause: PauseLimit = GROWING) -> None:
        self._duty = duty
        self._step = step
        self._pause = pause

    def run(self, connection: Connection, now: int, streams: Sequence[UUID]) -> None:
        """Run the step for each of these streams."""
        for stream in streams:
            self._run_one(connection, now, stream)

    def retry(self, connection: Connection, now: int) -> None:
        """Run the step again for some stuck streams whose pause is over."""
        for stream in due_again(connection, self._duty, now, RETRIED):
            if self._run_one(connection, now, stream):
                free(connection, self._duty, stream)
                log.info("stream is no longer stuck", duty=self._duty, stream=str(stream))

    def _run_one(self, connection: Connection, now: int, stream: UUID) -> bool:
        """Returns whether the step succeeded. Raises errors of an unreachable store."""
        try:
            self._step(stream)
        except STORE_AWAY:
            raise
        except CabildoError as refusal:
            log.warning("stream put off", duty=self._duty, stream=str(stream), reason=str(refusal))
            put_off(connection, self._duty, stream, now, str(refusal), self._pause)
        except Exception as fault:
            if isinstance(fault, psycopg.DatabaseError) and is_broken(fault):
                raise
            log.exception("stream put off", duty=self._duty, stream=str(stream))
            put_off(connection, self._duty, stream, now, type(fault).__name__, self._pause)
        else:
            return True
        return False
