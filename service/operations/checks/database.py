"""Checks of the database server: does it take writes, do commits end, when was the last backup."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

import psycopg

from events.errors import PoolerRefused
from events.store.connections import SERVICE_ROLE, connect
from events.store.guards import has_event_triggers, missing_guards
from service.core.clock import SECOND
from service.core.standby.read_pool import LAG, MOST_LAG
from service.operations.checks.check import CheckResult, HealthSources, age_of_file, failing, ok, unknown

LONGEST_COMMIT: Final = 10.0  # seconds
BACKUP_HOURS: Final = 26  # a backup a day, and two hours for it to take
HOUR: Final = 3600.0
WRITABLE: Final = "SELECT pg_is_in_recovery(), current_setting('default_transaction_read_only')::boolean"
AS_SERVICE: Final = f"SET LOCAL ROLE {SERVICE_ROLE}"
HANGING: Final = "SELECT waiting, seconds FROM hanging_commits()"
ARCHIVER: Final = """
SELECT current_setting('archive_mode'), extract(epoch FROM now() - last_archived_time)::float,
    coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false)
FROM pg_stat_archiver
"""


def check_writes(sources: HealthSources) -> Iterator[CheckResult]:
    """Does the server take writes, or is it a standby or switched to read-only?"""
    standby, read_only = sources.connection.execute(WRITABLE).fetchone() or (False, False)
    if standby:
        yield failing(
            "writes", "the server is a standby: reads answer", "promote it, or name the primary in DATABASE_URL"
        )
    elif read_only:
        yield failing(
            "writes", "the server is read-only: reads answer", "free its disk, then reset default_transaction_read_only"
        )
    else:
        yield ok("writes", "the server takes writes")


def check_commits(sources: HealthSources) -> Iterator[CheckResult]:
    """Do commits wait for a synchronous standby that is lost?"""
    waiting, seconds = sources.connection.execute(HANGING).fetchone() or (None, 0.0)
    if waiting is None:
        yield unknown("commits", "waits of other sessions are hidden", "GRANT pg_read_all_stats TO cabildo_owner")
    elif waiting and seconds >= LONGEST_COMMIT:
        yield failing(
            "commits",
            f"{waiting} commits wait for a synchronous standby, one for {seconds:.0f} s",
            "bring the standby back, or take it out of synchronous_standby_names",
        )
    else:
        yield ok("commits", "no commit waits long")


def check_guards(sources: HealthSources) -> Iterator[CheckResult]:
    """Does the database keep its events from being changed?"""
    with sources.connection.transaction():
        sources.connection.execute(AS_SERVICE)  # a command of the operator is another role
        missing = missing_guards(sources.connection)
    if missing:
        yield failing(
            "guards", "; ".join(missing), "restore the guards, then compare with the public log: cabildo audit"
        )
    elif not has_event_triggers(sources.connection):
        yield ok("guards", "events cannot be changed; this server has no event triggers against dropping their tables")
    else:
        yield ok("guards", "events cannot be changed, nor their tables dropped")


def check_standby(sources: HealthSources) -> Iterator[CheckResult]:
    """Does the standby that answers reads follow the primary?"""
    url, lag = sources.settings.read_database_url, None
    if not url:
        yield ok("standby", "no standby answers reads")
        return
    with suppress(psycopg.Error, PoolerRefused), connect(url) as standby:
        (at,) = standby.execute(LAG).fetchone() or (None,)
        lag = None if at is None else max(0.0, (sources.now - at) / SECOND)
    if lag is None:
        yield failing(
            "standby", "it does not answer, or no keeper has worked", "mend it; the primary answers meanwhile"
        )
    elif lag > MOST_LAG:
        yield failing("standby", f"{lag:.0f} s behind", "look why it does not follow; the primary answers meanwhile")
    else:
        yield ok("standby", f"{lag:.1f} s behind")


def check_backup(sources: HealthSources) -> Iterator[CheckResult]:
    """When did the operator's backup last succeed, and is the WAL archived?"""
    stamp = sources.settings.backup_stamp
    mode, archived, fails = sources.connection.execute(ARCHIVER).fetchone() or ("off", None, False)
    if fails:
        yield failing("backup", "archive_command fails", "read the server's log; WAL fills its disk meanwhile")
        return
    age = None if stamp is None else age_of_file(stamp, sources.now / SECOND)
    if stamp is None:
        told = f"; WAL was archived {archived:.0f} s ago" if mode != "off" and archived is not None else ""
        advice = "name a file in CABILDO_BACKUP_STAMP and touch it after each backup"
        yield unknown("backup", f"no backup is recorded{told}", advice)
    elif age is None:
        yield failing("backup", "no backup was ever made", "make one; it touches the file CABILDO_BACKUP_STAMP")
    elif age > BACKUP_HOURS * HOUR:
        yield failing("backup", f"the last backup is {age / HOUR:.0f} hours old", "look why the backup job fails")
    else:
        yield ok("backup", f"the last backup is {age / HOUR:.1f} hours old")
