"""A kind of stored thing in the export of an account: one JSON file, and how its rows are read."""

from collections.abc import Generator, Mapping
from typing import Final, LiteralString, NamedTuple, Protocol
from uuid import UUID

from psycopg.rows import dict_row

from events.json_types import Json
from service.container import Container
from service.core.clock import iso_time

FETCHED_AT_ONCE: Final = 500  # rows in memory
TIMES: Final = frozenset(
    (
        *("at", "changed", "confirmed", "created", "delivered", "due", "expires", "failed", "failing"),
        *("idle_since", "off", "settled", "since", "until", "used"),
    )
)
Row = Mapping[str, Json]


class PlacedRow(NamedTuple):
    """A row, and its place in the order of its kind, after which a later part of the export goes on."""

    place: str
    row: Row


class ReadRows(Protocol):
    """Reads the rows of a player, those that grow in number at the end."""

    def __call__(self, here: Container, player: UUID, after: str) -> Generator[PlacedRow]:
        """Yields the rows after a place, from the first one without a place; holds few of them in memory."""


class ExportKind(NamedTuple):
    """The rows of one kind, in one file of the archive."""

    name: str  # of the file, without .json
    meaning: str
    fields: Mapping[str, str]  # field -> meaning
    read: ReadRows


def by_query(query: LiteralString) -> ReadRows:
    """Returns a reader of an ordered statement; times in microseconds become ISO times. A place is a number of rows."""

    def read(here: Container, player: UUID, after: str) -> Generator[PlacedRow]:
        skipped = int(after or 0)
        with (
            here.stores.pool.connection() as connection,
            connection.transaction(),
            connection.cursor("export", row_factory=dict_row) as cursor,
        ):
            cursor.itersize = FETCHED_AT_ONCE
            asked = {"player": player, "asker": str(player), "at": here.now(), "skipped": skipped}
            for number, row in enumerate(cursor.execute(f"{query} OFFSET %(skipped)s", asked), skipped + 1):
                told = {name: iso_time(value) if name in TIMES else json_value(value) for name, value in row.items()}
                yield PlacedRow(str(number), told)

    return read


def json_value(value: object) -> Json:
    """Returns a value of the database as JSON: ids as text, bytes in hexadecimal."""
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    if isinstance(value, list | tuple):
        return [json_value(item) for item in value]
    if value is None or isinstance(value, bool | int | str | dict):
        return value
    return str(value)
