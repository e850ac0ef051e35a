"""Lists of tournaments, the newest first."""

from collections.abc import Mapping
from typing import Any, Final

from psycopg import Connection
from psycopg.rows import dict_row

from service.i18n.messages import hidden_notice
from service.web.pagination import Cursor, Page, page, read_cursor

FIND: Final = """
SELECT t.id, t.game, t.status, t.host, t.entrants, t.rounds, t.starts, t.created,
    CASE WHEN EXISTS (SELECT FROM hidden_texts h WHERE h.hash = t.title) THEN %(notice)s
        ELSE text_of(t.id, t.title) END AS text
FROM tournaments t
WHERE (t.visibility = 'public' AND t.status <> 'draft' OR t.host = %(reader)s)
    AND (%(status)s::text IS NULL OR t.status = %(status)s)
    AND (%(game)s::text IS NULL OR t.game = %(game)s)
    AND (%(player)s::text IS NULL
        OR EXISTS (SELECT FROM entries e WHERE e.id = t.id AND e.player = %(player)s AND NOT e.gone))
    AND (%(created)s::bigint IS NULL OR (t.created, t.id) < (%(created)s, %(id)s))
ORDER BY t.created DESC, t.id DESC LIMIT %(limit)s
"""


def find(
    connection: Connection, query: Mapping[str, object], reader: str | None, limit: int, language: str
) -> Page[dict[str, Any]]:
    """Returns a page of the matching tournaments that the reader may see, with titles in place of hidden ones."""
    asked = {name: query[name] for name in ("status", "game", "player")}
    created, id = (None, None) if query["after"] is None else read_cursor(str(query["after"]))
    with connection.cursor(row_factory=dict_row) as rows:
        values = {
            **asked,
            "created": created,
            "id": id,
            "reader": reader,
            "limit": limit + 1,
            "notice": hidden_notice(language),
        }
        found = rows.execute(FIND, values).fetchall()
    return page(found, limit, lambda row: Cursor(row["created"], row["id"]))
