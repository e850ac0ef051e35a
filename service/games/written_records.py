"""Written records of imported games beside the moves: names, place, other headers, comments."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.errors import CabildoError
from events.json_types import JsonObject
from events.store.statements import Statement
from projections.games.imports.checker import OPTION, players
from projections.games.imports.transcript import COMMENT, Header, parse
from service.games.decisions.import_game import ADD_BELOW, PUT_RECORD

RECORDS: Final = """
SELECT id, headers, below, EXISTS (SELECT FROM hidden_texts WHERE stream = id AND about = 'record')
FROM transcripts WHERE id = ANY(%s)
"""
NOTES: Final = """
SELECT seq, above, beside FROM transcript_notes
WHERE id = %s AND NOT EXISTS (SELECT FROM hidden_texts WHERE stream = id AND about = 'record') ORDER BY seq
"""
RULES: Final = ("game", "seats", "draws")  # headers that repeat the game's own data
PLACE: Final = "place"


class RecordTexts(NamedTuple):
    """The written record of an imported game, beside its moves."""

    names: Sequence[str]  # by seat
    place: str | None
    headers: Sequence[Header]
    comments: Sequence[str]
    below: Sequence[str]

    def document(self) -> JsonObject:
        """Returns the record as clients read it."""
        headers = [{"name": header.name, "value": header.value} for header in self.headers]
        return {**self._asdict(), "headers": headers}


def written(connection: Connection, id: UUID, notice: str, beside: Iterable[Statement] = ()) -> RecordTexts | None:
    """Returns the written record of a game, including statements not stored yet; None without a record.

    Of a hidden record, it returns the notice alone.
    """
    stored = connection.execute(RECORDS, ([id],)).fetchone()
    if stored is not None and stored[3]:
        return _document("", [notice])
    row = None if stored is None else stored[1:3]
    for statement in beside:
        if statement.sql == PUT_RECORD:
            headers, below = statement.parameters[1:]
            row = (row[0] if row else headers, below)
        elif statement.sql == ADD_BELOW and row is not None:
            row = (row[0], [*row[1], *statement.parameters[0]])
    return None if row is None else _document(*row)


def records(connection: Connection, ids: Iterable[UUID]) -> Mapping[UUID, RecordTexts]:
    """Returns the written records of games that are not hidden, by game."""
    rows = connection.execute(RECORDS, (list(ids),)).fetchall()
    return {id: _document(headers, below) for id, headers, below, hidden in rows if not hidden}


def names_by_chair(record: RecordTexts | None) -> Mapping[int, str]:
    """Returns the names of a written record by chair; leaves out seats without a name."""
    return {chair: name for chair, name in enumerate(record.names if record else ()) if name}


def comments(connection: Connection, id: UUID) -> Mapping[int, list[str]]:
    """Returns the comments above and beside the moves, by event."""
    rows = connection.execute(NOTES, (id,)).fetchall()
    return {seq: list(_plain([*above, *([] if beside is None else [beside])])) for seq, above, beside in rows}


def _document(text: str, below: Iterable[str]) -> RecordTexts:
    headers = parse(text).headers
    others = [header for header in headers if header.name not in (*RULES, PLACE) and not header.name.startswith(OPTION)]
    return RecordTexts(
        names=_names(text),
        place=next((header.value for header in headers if header.name == PLACE), None),
        headers=others,
        comments=[line for header in headers for line in _above(header)],
        below=list(_plain(below)),
    )


def _names(text: str) -> list[str]:
    """Returns the players by seat; empty names where the record gives only their number."""
    try:
        return list(players(parse(text)))
    except CabildoError:
        return []


def _above(header: Header) -> Iterator[str]:
    return _plain(header.above)


def _plain(lines: Iterable[str]) -> Iterator[str]:
    """Returns comments without their sign, and without empty lines."""
    return (said for line in lines if (said := line.removeprefix(COMMENT).strip()))
