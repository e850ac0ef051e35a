"""Programs that may ask players for tokens, and the scopes that they may ask for."""

from collections.abc import Sequence
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.rows import class_row

from service.players.identity import FIRST_SCOPES

SCOPES: Final = FIRST_SCOPES  # never `admin`
USUAL_SCOPES: Final = ("read",)  # of a request that names none
COMMAND_LINE: Final = "cabildo-client"  # the client_id of the command line of the client package
LONGEST_ID: Final = 64
SELECT: Final = """
SELECT p.id, p.maker, m.name AS made_by, p.name, p.site, p.redirects, p.created
FROM programs AS p LEFT JOIN players AS m ON m.id = p.maker
"""
BY_ID: Final = f"""{SELECT} WHERE p.id = %s AND NOT EXISTS (
    SELECT FROM blocks AS b JOIN players AS o ON o.id = p.maker
    WHERE b.player = coalesce(o.owner, o.id) AND b.until > %s
)"""
BY_MAKER: Final = f"{SELECT} WHERE p.maker = %s ORDER BY p.created, p.id"


STORE_OWN: Final = """
INSERT INTO programs (id, name, redirects, created) VALUES (%s, %s, %s, %s) ON CONFLICT (id) DO NOTHING
"""
ALLOWED: Final = """
SELECT p.id, p.maker, m.name AS made_by, p.name, array_agg(DISTINCT scope) AS scopes, min(t.created) AS created,
    max(t.used) AS used
FROM tokens AS t JOIN programs AS p ON p.id = t.program LEFT JOIN players AS m ON m.id = p.maker,
    unnest(t.scopes) AS scope
WHERE t.player = %s AND t.parent IS NULL AND greatest(t.expires, t.refresh_until) > %s
GROUP BY p.id, m.name ORDER BY min(t.created), p.id
"""


class Program(NamedTuple):
    """A program that a player registered; without a maker, that of the service itself."""

    id: str
    maker: UUID | None
    made_by: str | None  # the name of the maker
    name: str
    site: str | None
    redirects: Sequence[str]
    created: int


OF_THE_SERVICE: Final = Program(COMMAND_LINE, None, None, COMMAND_LINE, None, (), 0)  # it uses device codes alone


class AllowedProgram(NamedTuple):
    """A program that holds tokens of a player."""

    id: str
    maker: UUID | None
    made_by: str | None
    name: str
    scopes: Sequence[str]
    created: int  # the oldest token
    used: int | None


def find_program(connection: Connection, at: int, id: str) -> Program | None:
    """Returns a program; None for an unknown one, and for one of a blocked maker."""
    if id == COMMAND_LINE:
        return OF_THE_SERVICE
    if not 1 <= len(id) <= LONGEST_ID or not id.isprintable():
        return None
    with connection.cursor(row_factory=class_row(Program)) as cursor:
        return cursor.execute(BY_ID, (id, at)).fetchone()


def store_own(connection: Connection, id: str) -> None:
    """Stores the service's own program, to which codes and tokens refer, where it is not stored yet."""
    if id == COMMAND_LINE:
        own = OF_THE_SERVICE
        connection.execute(STORE_OWN, (own.id, own.name, list(own.redirects), own.created))


def programs_of(connection: Connection, maker: UUID) -> list[Program]:
    """Returns the programs that a player registered, oldest first."""
    with connection.cursor(row_factory=class_row(Program)) as cursor:
        return cursor.execute(BY_MAKER, (maker,)).fetchall()


def allowed_programs(connection: Connection, at: int, player: UUID) -> list[AllowedProgram]:
    """Returns the programs that may act for a player, oldest first."""
    with connection.cursor(row_factory=class_row(AllowedProgram)) as cursor:
        found = cursor.execute(ALLOWED, (player, at)).fetchall()
    return [one._replace(scopes=[scope for scope in SCOPES if scope in one.scopes]) for one in found]


def asked_scopes(text: str | None) -> list[str]:
    """Returns the scopes of a request in the usual order; unknown ones are left to the check of the request."""
    asked = set((text or "").split()) or set(USUAL_SCOPES)
    return [scope for scope in SCOPES if scope in asked]
