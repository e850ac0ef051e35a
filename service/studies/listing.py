"""Lists studies that are public or have the reader as a member."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, LiteralString

from psycopg import Connection
from psycopg.rows import dict_row

from events.json_types import JsonObject
from service.core.clock import iso_time as told_time
from service.i18n.messages import hidden_notice
from service.studies.documents import person
from service.web.pagination import Cursor, Page, page, read_cursor, with_conditions

SELECT: Final[LiteralString] = """
SELECT
    s.stream, s.version, s.visibility, s.created, s.changed,
    CASE WHEN EXISTS (SELECT FROM hidden_texts WHERE hash = s.title) THEN %(notice)s
        ELSE text_of(s.stream, s.title) END AS title,
    ARRAY(SELECT player FROM study_members WHERE stream = s.stream AND role = 'owner' ORDER BY player) AS owners,
    ARRAY(SELECT DISTINCT game FROM study_chapters WHERE stream = s.stream ORDER BY game) AS games,
    (SELECT count(*) FROM study_chapters WHERE stream = s.stream) AS chapters,
    (SELECT count(*) FROM study_chapters WHERE stream = s.stream AND lesson) AS lessons
FROM studies AS s
WHERE (
    s.visibility = 'public'
    OR EXISTS (SELECT FROM study_members WHERE stream = s.stream AND player = %(asker)s)
)
"""
ORDER: Final[LiteralString] = " ORDER BY s.changed DESC, s.stream DESC LIMIT %(limit)s"
CONDITIONS: Final[Mapping[str, LiteralString]] = {  # query parameter -> SQL condition
    "about": "EXISTS (SELECT FROM study_chapters WHERE stream = s.stream AND about = %(about)s)",
    "member": "EXISTS (SELECT FROM study_members WHERE stream = s.stream AND player = %(member)s::text)",
    "game": "EXISTS (SELECT FROM study_chapters WHERE stream = s.stream AND game = %(game)s)",
    "lesson": "EXISTS (SELECT FROM study_chapters WHERE stream = s.stream AND lesson) = %(lesson)s",
    "title": """(s.stream, s.title) IN (
        SELECT texts.stream, texts.hash FROM texts
        WHERE to_tsvector('simple', text) @@ plainto_tsquery('simple', %(title)s)
    ) AND NOT EXISTS (SELECT FROM hidden_texts WHERE hash = s.title)""",
    "after": "(s.changed, s.stream) < (%(after_changed)s, %(after_id)s)",
}


def find(
    connection: Connection, asked: Mapping[str, object], asker: str | None, limit: int, language: str
) -> Page[dict[str, Any]]:
    """Returns the matching studies that the reader may see, last changed first."""
    values: dict[str, object] = {name: value for name, value in asked.items() if value is not None}
    query = with_conditions(SELECT, CONDITIONS, values)
    if "after" in values:
        values["after_changed"], values["after_id"] = read_cursor(str(values["after"]))
    values |= {"asker": asker, "limit": limit + 1, "notice": hidden_notice(language)}
    with connection.cursor(row_factory=dict_row) as cursor:
        found = cursor.execute(query + ORDER, values).fetchall()
    return page(found, limit, lambda row: Cursor(row["changed"], row["stream"]))


def owners(rows: Sequence[Mapping[str, Any]]) -> set[str]:
    """Returns the ids of all owners in a list."""
    return {player for row in rows for player in row["owners"]}


def document(row: Mapping[str, Any], names: Mapping[str, str]) -> JsonObject:
    """Returns the entry of a study in a list."""
    listed = {name: row[name] for name in ("title", "visibility", "version", "games", "chapters", "lessons")}
    times = {name: told_time(row[name]) for name in ("created", "changed")}
    return {"id": str(row["stream"]), **listed, **times, "owners": [person(id, names) for id in row["owners"]]}
