"""Reads the record of administrative acts, and checks its chain of hashes."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from psycopg import Connection

from events.json_types import Json

SELECT: Final = """
SELECT number, body, hash FROM administrative_acts
WHERE number < %(before)s AND (%(act)s::text IS NULL OR act = %(act)s)
AND (%(subject)s::text IS NULL OR subject = %(subject)s)
ORDER BY number DESC LIMIT %(limit)s
"""
NEWEST: Final = 2**53
BROKEN: Final = """
SELECT number FROM (
    SELECT number, hash, body, row_number() OVER held AS place, lag(hash, 1, ''::bytea) OVER held AS before
    FROM administrative_acts WINDOW held AS (ORDER BY number)
) AS acts WHERE number <> place OR hash <> sha256(before || int8send(number) || body) ORDER BY number LIMIT 1
"""


class RecordQuery(NamedTuple):
    """A page of the record, newest acts first."""

    before: int = NEWEST  # only acts with smaller numbers
    limit: int = 50
    act: str | None = None
    subject: str | None = None


class RecordedAct(NamedTuple):
    """An act as the record holds it."""

    number: int
    at: int
    by: str
    act: str
    kind: str
    subject: str | None
    reason: str | None
    details: Mapping[str, Json]
    hash: bytes


def recorded_acts(connection: Connection, query: RecordQuery) -> Sequence[RecordedAct]:
    """Returns the acts of a page."""
    rows = connection.execute(SELECT, query._asdict()).fetchall()
    return [_act(number, json.loads(bytes(body)), bytes(hash)) for number, body, hash in rows]


def first_broken_act(connection: Connection) -> int | None:
    """Returns the number of the first act that does not follow from the ones before it; None when all do."""
    row = connection.execute(BROKEN).fetchone()
    return None if row is None else int(row[0])


def _act(number: int, body: Mapping[str, Any], hash: bytes) -> RecordedAct:
    return RecordedAct(number, hash=hash, **body)
