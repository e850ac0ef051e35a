"""Reads reports: a player's own, and for administrators the open ones, grouped by what they are about."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, LiteralString, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.rows import class_row, dict_row

from service.moderation.things import Thing
from service.web.pagination import Cursor, Page, page, read_cursor

MOST_IN_A_GROUP: Final = 50  # reports shown about one thing, the oldest
SELECT: Final[LiteralString] = (
    "SELECT id, reporter, about, thing, number, kind, words, created, settled, outcome, note FROM reports "
)
OWN: Final[LiteralString] = """
WHERE reporter = %(reporter)s AND (%(created)s::bigint IS NULL OR (created, id) < (%(created)s, %(id)s))
ORDER BY created DESC, id DESC LIMIT %(limit)s
"""
BY_ID: Final[LiteralString] = "WHERE id = ANY(%s)"
GROUPS: Final = """
SELECT about, thing, number, reports, first, ids[1] AS first_id, ids[:%(shown)s] AS ids FROM (
    SELECT about, thing, number, count(*) AS reports, min(created) AS first, array_agg(id ORDER BY created, id) AS ids
    FROM reports WHERE settled IS NULL GROUP BY about, thing, number
) AS found
WHERE %(created)s::bigint IS NULL OR (first, ids[1]) > (%(created)s, %(id)s)
ORDER BY first, first_id LIMIT %(limit)s
"""
COUNT_OPEN: Final = "SELECT count(*) FROM reports WHERE settled IS NULL"


class Report(NamedTuple):
    """A report by a player."""

    id: UUID
    reporter: UUID
    about: str
    thing: UUID
    number: int
    kind: str
    words: str
    created: int
    settled: int | None = None
    outcome: str | None = None
    note: str | None = None

    @property
    def about_thing(self) -> Thing:
        """Returns the thing that the report is about."""
        return Thing(self.about, self.thing, self.number)


class ReportGroup(NamedTuple):
    """The open reports about one thing."""

    thing: Thing
    waiting: int  # open reports about it
    reports: Sequence[Report]  # the oldest of them


def own_reports(connection: Connection, reporter: UUID, after: str | None, limit: int) -> Page[Mapping[str, Any]]:
    """Returns a page of a player's reports, newest first."""
    created, id = (None, None) if after is None else read_cursor(after)
    values = {"reporter": reporter, "created": created, "id": id, "limit": limit + 1}
    with connection.cursor(row_factory=dict_row) as rows:
        found = rows.execute(SELECT + OWN, values).fetchall()
    return page(found, limit, lambda row: Cursor(row["created"], row["id"]))


def get_reports(connection: Connection, ids: Iterable[UUID]) -> Mapping[UUID, Report]:
    """Returns those of the reports that exist, by id."""
    with connection.cursor(row_factory=class_row(Report)) as cursor:
        return {report.id: report for report in cursor.execute(SELECT + BY_ID, (list(ids),)).fetchall()}


def open_groups(connection: Connection, after: str | None, limit: int) -> tuple[Sequence[ReportGroup], str | None]:
    """Returns a page of the things with open reports, the longest waiting first, and the cursor of the next page."""
    created, id = (None, None) if after is None else read_cursor(after)
    values = {"created": created, "id": id, "limit": limit + 1, "shown": MOST_IN_A_GROUP}
    with connection.cursor(row_factory=dict_row) as rows:
        found = rows.execute(GROUPS, values).fetchall()
    shown = page(found, limit, lambda row: Cursor(row["first"], row["first_id"]))
    reports = get_reports(connection, [id for row in shown.rows for id in row["ids"]])
    groups = [
        ReportGroup(
            Thing(row["about"], row["thing"], row["number"]), row["reports"], [reports[id] for id in row["ids"]]
        )
        for row in shown.rows
    ]
    return groups, shown.next


def count_open(connection: Connection) -> int:
    """Returns the number of open reports."""
    row = connection.execute(COUNT_OPEN).fetchone()
    return int(row[0]) if row else 0
