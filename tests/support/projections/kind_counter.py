"""A read model of the tests' own: how many events of each kind there are."""

from collections.abc import Sequence
from typing import LiteralString

from psycopg import Connection

from events.log.follow import LoggedEvent

TABLE = """
SET ROLE cabildo_owner;
CREATE TABLE tallies (kind text PRIMARY KEY, times integer NOT NULL, UNIQUE (kind, times));
CALL add_projection('tally', 'tallies');
RESET ROLE
"""
COUNT: LiteralString = """
INSERT INTO tallies VALUES (%s, 1) ON CONFLICT (kind) DO UPDATE SET times = tallies.times + 1
"""
ROWS: LiteralString = "SELECT kind, times FROM tallies ORDER BY kind"


class Tally:
    """Counts entries; fails on a chosen one."""

    name = "tally"

    def __init__(self, version: int = 1, poison: int | None = None, fault: type[Exception] = ValueError) -> None:
        self.version = version
        self.poison = poison
        self.fault = fault

    def apply(self, connection: Connection, entries: Sequence[LoggedEvent]) -> None:
        """Counts each of its kind."""
        for entry in entries:
            connection.execute(COUNT, (entry.event.kind,))
            if entry.idx == self.poison:
                raise self.fault("this one chokes me")


def tallies(connection: Connection) -> dict[str, int]:
    """Returns the served rows."""
    return dict(connection.execute(ROWS).fetchall())
