"""Lists the hidden texts, for administrators."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.rows import dict_row

from service.moderation.things import MESSAGE, Thing
from service.web.pagination import Cursor, page, read_cursor

SELECT: Final = """
SELECT stream, about, number, since, texts FROM (
    SELECT h.stream, h.about, h.number, max(h.since) AS since,
        array_agg(t.text) FILTER (WHERE t.text IS NOT NULL) AS texts
    FROM hidden_texts AS h LEFT JOIN texts AS t USING (stream, hash)
    WHERE %(since)s::bigint IS NULL OR (h.since, h.stream) < (%(since)s, %(stream)s)
    GROUP BY h.stream, h.about, h.number
) AS found
WHERE texts IS NOT NULL OR about IN ('record', 'engine', 'message')
ORDER BY since DESC, stream DESC, about, number LIMIT %(limit)s
"""
MESSAGES: Final = """
SELECT stream, number, text FROM talk_messages
WHERE stream = ANY(%(streams)s) AND number = ANY(%(numbers)s) AND text IS NOT NULL
"""


class HiddenText(NamedTuple):
    """A thing whose texts are hidden; without those that were erased."""

    thing: Thing
    since: int
    texts: Sequence[str]


def hidden_texts(connection: Connection, after: str | None, limit: int) -> tuple[list[HiddenText], str | None]:
    """Returns a page of the hidden texts, the newest first, and the cursor of the next page."""
    since, stream = (None, None) if after is None else read_cursor(after)
    with connection.cursor(row_factory=dict_row) as rows:
        found = rows.execute(SELECT, {"since": since, "stream": stream, "limit": limit + 1}).fetchall()
    shown = page(found, limit, lambda row: Cursor(row["since"], row["stream"]))
    said = _messages(connection, [(row["stream"], row["number"]) for row in shown.rows if row["about"] == MESSAGE])
    return [_hidden_text(**row, said=said) for row in shown.rows], shown.next


def _messages(connection: Connection, wanted: Sequence[tuple[UUID, int]]) -> Mapping[tuple[UUID, int], str]:
    """Returns the texts of messages that their writers have not erased."""
    if not wanted:
        return {}
    streams, numbers = zip(*wanted, strict=True)
    rows = connection.execute(MESSAGES, {"streams": [*streams], "numbers": [*numbers]}).fetchall()
    return {(stream, number): text for stream, number, text in rows}


def _hidden_text(
    stream: UUID,
    about: str,
    number: int,
    since: int,
    texts: Sequence[str] | None,
    said: Mapping[tuple[UUID, int], str],
) -> HiddenText:
    message = (said[stream, number],) if about == MESSAGE and (stream, number) in said else ()
    return HiddenText(Thing(about, stream, number), since, texts or message)
