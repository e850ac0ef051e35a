"""Commands of reports: a player reports a thing, an administrator settles reports, the keeper deletes old ones."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.event import new_stream
from events.json_types import JsonObject
from service.container import Container
from service.core.clock import SECOND
from service.core.errors import NotThere
from service.moderation.record import AdministrativeAct, record_act
from service.moderation.reports.errors import ReportsFull, TooManyReports
from service.moderation.reports.queries import Report, count_open, get_reports
from service.moderation.things import Thing, need_visible

KINDS: Final = ("abuse", "spam", "cheating", "name", "private_data", "other")
OUTCOMES: Final = ("dismissed", "acted")
LONGEST_WORDS: Final = 2_000
LONGEST_NOTE: Final = 2_000
MOST_OPEN: Final = 10_000  # reports of all players that wait for an administrator
DAY: Final = 86_400 * SECOND
KEPT: Final = 180 * DAY  # settled reports
LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended('cabildo.reports', 0))"
OPEN_ALREADY: Final = """
SELECT id FROM reports WHERE about = %s AND thing = %s AND number = %s AND reporter = %s AND settled IS NULL
"""
OF_THE_DAY: Final = """
WITH maker AS (SELECT coalesce(owner, id) AS id FROM players WHERE id = %(player)s)
SELECT count(*), min(created) FROM reports WHERE created > %(since)s
    AND reporter IN (SELECT id FROM maker UNION SELECT id FROM players WHERE owner = (SELECT id FROM maker))
"""
INSERT: Final = """
INSERT INTO reports (id, reporter, about, thing, number, kind, words, created) VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
"""
SETTLE: Final = """
UPDATE reports SET settled = %s, outcome = %s, note = %s WHERE id = ANY(%s) AND settled IS NULL
RETURNING id
"""
FORGET: Final = "DELETE FROM reports WHERE settled < %s"


class ReportThing(NamedTuple):
    """Reports a thing to the administrators."""

    reporter: UUID
    thing: Thing
    kind: str  # of KINDS
    words: str


class SettleReports(NamedTuple):
    """Settles reports; the reporters read that they are settled, and nothing else."""

    by: str  # an administrator
    reports: Sequence[UUID]
    outcome: str  # of OUTCOMES
    note: str | None = None  # for administrators


class ForgetReports(NamedTuple):
    """Deletes reports that were settled long ago."""


def report_thing(here: Container, command: ReportThing) -> Report:
    """Stores a report, or returns the player's open report about the same thing.

    Raises NotThere for a thing that the player may not see, TooManyReports or ReportsFull.
    """
    thing, at = command.thing, here.now()
    need_visible(here, thing, str(command.reporter))
    with here.stores.pool.connection() as connection, connection.transaction():
        connection.execute(LOCK)
        row = connection.execute(OPEN_ALREADY, (*_place(thing), command.reporter)).fetchone()
        if row is None:
            _check_limits(connection, command.reporter, at, here.settings.reports_per_day)
            row = (new_stream(at),)
            values = (*row, command.reporter, *_place(thing), command.kind, command.words, at)
            connection.execute(INSERT, values)
        return get_reports(connection, row)[row[0]]


def settle_reports(here: Container, command: SettleReports) -> int:
    """Settles those of the reports that are open, and returns their number; raises NotThere for an unknown one."""
    at = here.now()
    with here.stores.pool.connection() as connection, connection.transaction():
        known = get_reports(connection, command.reports)
        for id in command.reports:
            if id not in known:
                raise NotThere("report", id)
        values = (at, command.outcome, command.note, list(command.reports))
        settled = [known[id] for (id,) in connection.execute(SETTLE, values).fetchall()]
        for thing in sorted({report.about_thing for report in settled}):
            about = [str(report.id) for report in settled if report.about_thing == thing]
            record_act(connection, at, _settlement(command, thing, about))
        return len(settled)


def forget_reports(here: Container, _command: ForgetReports) -> None:
    """Deletes settled reports after a time."""
    with here.stores.pool.connection() as connection:
        connection.execute(FORGET, (here.now() - KEPT,))


COMMANDS: Final[Mapping[type, Callable[[Container, Any], object]]] = {
    ReportThing: report_thing,
    SettleReports: settle_reports,
    ForgetReports: forget_reports,
}


def _place(thing: Thing) -> tuple[str, UUID, int]:
    return thing.about, thing.id, thing.number


def _check_limits(connection: Connection, reporter: UUID, at: int, limit: int) -> None:
    """Raises TooManyReports for an account that reported enough today, ReportsFull when too many reports wait."""
    row = connection.execute(OF_THE_DAY, {"player": reporter, "since": at - DAY}).fetchone()
    reported, first = row or (0, None)
    if reported >= limit:
        raise TooManyReports(limit, (first or at) + DAY - at)
    if count_open(connection) >= MOST_OPEN:
        raise ReportsFull


def _settlement(command: SettleReports, thing: Thing, reports: Sequence[str]) -> AdministrativeAct:
    """Returns the act that settles reports about one thing; the record holds neither words nor reporters."""
    details: JsonObject = {
        "about": thing.about,
        "number": thing.number,
        "outcome": command.outcome,
        "reports": [*sorted(reports)],
    }
    return AdministrativeAct(command.by, "reports_settled", str(thing.id), details=details)
