"""Lists the hidden texts, for administrators."""

from collections.abc import Sequence
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.rows import dict_row

from service.moderation.things import Thing
from service.web.pagination import Cursor, page, read_cursor

SELECT: Final = """
SELECT stream, about, number, since, texts FROM (
    SELECT h.stream, h.about, h.number, max(h.since) AS since,
        array_agg(t.text) FILTER (WHERE t.text IS NOT NULL) AS texts
    FROM hidden_texts AS h LEFT JOIN texts AS t USING (stream, hash)
    WHERE %(since)s::bigint IS NULL OR (h.since, h.stream) < (%(since)s, %(stream)s)
    GROUP BY h.stream, h.about, h.number
) AS found
WHERE texts IS NOT NULL OR about IN ('record', 'engine')
ORDER BY since DESC, stream DESC, about, number LIMIT %(limit)s
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
    return [_hidden_text(**row) for row in shown.rows], shown.next


def _hidden_text(stream: UUID, about: str, number: int, since: int, texts: Sequence[str] | None) -> HiddenText:
    return HiddenText(Thing(about, stream, number), since, texts or ())
