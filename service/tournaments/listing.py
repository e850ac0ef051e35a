"""Lists of tournaments, the newest first."""

import base64
import binascii
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.rows import dict_row

from service.errors import InvalidRequest

FIND: Final = """
SELECT t.id, t.game, t.status, t.host, t.entrants, t.rounds, t.starts, t.created, x.text
FROM tournaments t LEFT JOIN texts x ON x.stream = t.id AND x.hash = t.title
WHERE (t.visibility = 'public' AND t.status <> 'draft' OR t.host = %(reader)s)
    AND (%(status)s::text IS NULL OR t.status = %(status)s)
    AND (%(game)s::text IS NULL OR t.game = %(game)s)
    AND (%(player)s::text IS NULL
        OR EXISTS (SELECT FROM entries e WHERE e.id = t.id AND e.player = %(player)s AND NOT e.gone))
    AND (%(created)s::bigint IS NULL OR (t.created, t.id) < (%(created)s, %(id)s))
ORDER BY t.created DESC, t.id DESC LIMIT %(limit)s
"""


class Cursor(NamedTuple):
    """Where a list goes on."""

    created: int | None = None
    id: UUID | None = None

    def text(self) -> str:
        """The cursor as it stands in an address."""
        return base64.urlsafe_b64encode(f"{self.created} {self.id}".encode()).decode()

    @classmethod
    def read(cls, given: str | None) -> "Cursor":
        """The cursor of an address; refuses with InvalidRequest."""
        if given is None:
            return cls()
        try:
            created, id = base64.urlsafe_b64decode(given).decode().split(" ")
            return cls(min(int(created), 2**62), UUID(id))
        except (ValueError, binascii.Error) as fault:
            raise InvalidRequest({"query": {"after": ["is not a cursor of this list"]}}) from fault


def find(
    connection: Connection[Any], query: Mapping[str, Any], reader: str | None, limit: int
) -> Sequence[Mapping[str, Any]]:
    """The tournaments that fit and that the reader may know of."""
    cursor = Cursor.read(query["after"])
    asked = {"status": query["status"], "game": query["game"], "player": query["player"], **cursor._asdict()}
    with connection.cursor(row_factory=dict_row) as rows:
        return rows.execute(FIND, {**asked, "reader": reader, "limit": limit}).fetchall()
