"""Streams that a duty of the keeper could not handle: put off with a growing pause, listed for operators."""

from collections.abc import Mapping
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.rows import class_row

from service.core.clock import SECOND

FIRST_PAUSE: Final = 5 * SECOND
LONGEST_PAUSE: Final = 3600 * SECOND
MOST_REASON: Final = 500  # characters
PUT_OFF: Final = """
INSERT INTO stuck_streams AS stuck (duty, stream, since, failures, due, reason)
VALUES (%(duty)s, %(stream)s, %(now)s, 1, %(now)s + least(%(first)s, %(longest)s), %(reason)s)
ON CONFLICT (duty, stream) DO UPDATE SET
    failures = stuck.failures + 1,
    due = %(now)s + least(%(first)s * (2::bigint ^ least(stuck.failures, 30))::bigint, %(longest)s),
    reason = excluded.reason
"""
FREED: Final = "DELETE FROM stuck_streams WHERE duty = %s AND stream = %s"
DUE: Final = "SELECT stream FROM stuck_streams WHERE duty = %s AND due <= %s ORDER BY due LIMIT %s"
LISTED: Final = """
SELECT duty, stream, since, failures, due, reason FROM stuck_streams ORDER BY since, duty, stream LIMIT %s
"""
COUNTED: Final = "SELECT duty, count(*) FROM stuck_streams GROUP BY duty"


class StuckStream(NamedTuple):
    """A stream that a duty has failed to handle; times in microseconds."""

    duty: str
    stream: UUID
    since: int
    failures: int
    due: int
    reason: str


class PauseLimit(NamedTuple):
    """The pause after the first failure, which doubles with each further one, and the longest pause."""

    first: int = FIRST_PAUSE
    longest: int = LONGEST_PAUSE


GROWING: Final = PauseLimit()


def put_off(
    connection: Connection, duty: str, stream: UUID, now: int, reason: str, pause: PauseLimit = GROWING
) -> None:
    """Record a failure; the duty tries the stream again after a pause."""
    about = {"duty": duty, "stream": stream, "now": now, "reason": reason[:MOST_REASON]}
    connection.execute(PUT_OFF, about | pause._asdict())


def free(connection: Connection, duty: str, stream: UUID) -> None:
    """Drop a stream from the list after a success."""
    connection.execute(FREED, (duty, stream))


def due_again(connection: Connection, duty: str, now: int, most: int) -> list[UUID]:
    """Returns stuck streams of a duty whose pause is over, those waiting longest first."""
    return [stream for (stream,) in connection.execute(DUE, (duty, now, most)).fetchall()]


def stuck_streams(connection: Connection, most: int = 100) -> list[StuckStream]:
    """Returns the streams that are stuck longest."""
    with connection.cursor(row_factory=class_row(StuckStream)) as cursor:
        return cursor.execute(LISTED, (most,)).fetchall()


def stuck_by_duty(connection: Connection) -> Mapping[str, int]:
    """Returns the number of stuck streams of each duty that has some."""
    return {duty: int(count) for duty, count in connection.execute(COUNTED).fetchall()}
