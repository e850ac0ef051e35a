"""Checks of the public log: is it numbered and signed, and does this node have its files."""

from collections.abc import Iterator
from typing import Final

from events.files.file_store import FilesAway
from events.log.publisher import CHECKPOINT
from events.log.sealer import current_origin, size_sealed_before
from events.log.signing_gate import NOT_ASKED, reason_shut
from service.core.clock import SECOND
from service.operations.checks.check import CheckResult, HealthSources, failing, ok, unknown
from service.proof.public_log import files_of, shown_in

LATE: Final = 60.0  # seconds in which an event is numbered, signed and published
STANDBY: Final = "SELECT pg_is_in_recovery()"
WAITING: Final = """
SELECT (SELECT count(*) FROM (SELECT number FROM outbox LIMIT 10000) AS counted), at
FROM outbox JOIN events USING (stream, seq) ORDER BY number LIMIT 1
"""
SEALED: Final = """
SELECT size, extract(epoch FROM now() - at)::float FROM checkpoints WHERE origin = %s ORDER BY size DESC LIMIT 1
"""
UNSEALED: Final = "SELECT at FROM log JOIN events USING (stream, seq) WHERE idx = %s"


def check_signing(sources: HealthSources) -> Iterator[CheckResult]:
    """May this database continue the log, and do seals follow its events?"""
    (standby,) = sources.connection.execute(STANDBY).fetchone() or (False,)
    shut = None if standby else reason_shut(sources.connection)
    if standby:
        yield unknown("signing", "a standby signs nothing")
    elif shut is not None:
        advice = "start a keeper" if shut == NOT_ASKED else "read `cabildo log status`, then `cabildo log recover`"
        yield failing("signing", f"signing is off and nothing is written: {shut}", advice)
    else:
        yield _seals(sources)


def _seals(sources: HealthSources) -> CheckResult:
    origin = current_origin(sources.connection)
    size, _ = sources.connection.execute(SEALED, (origin,)).fetchone() or (0, 0.0)
    row = sources.connection.execute(UNSEALED, (size,)).fetchone()
    if origin is None and row is None:
        return unknown("signing", "the log has not begun")
    age = 0.0 if row is None else (sources.now - row[0]) / SECOND
    if age > LATE:
        return failing("signing", f"an event waits for a seal for {age:.0f} s", "start a keeper with the log key")
    return ok("signing", f"{size} events are sealed")


def check_numbering(sources: HealthSources) -> Iterator[CheckResult]:
    """Do events get their number in the log?"""
    waiting, at = sources.connection.execute(WAITING).fetchone() or (0, sources.now)
    age = (sources.now - at) / SECOND
    if age > LATE:
        yield failing("log index", f"{waiting} events wait for a number, one for {age:.0f} s", "start a keeper")
    else:
        yield ok("log index", f"{waiting} events wait for a number")


def check_log_files(sources: HealthSources) -> Iterator[CheckResult]:
    """Does this node have the published files of the log, up to what was sealed a while ago?"""
    origin = current_origin(sources.connection)
    if origin is None:
        yield unknown("log files", "the log has not begun")
        return
    files = files_of(sources.settings, origin)
    sealed = size_sealed_before(sources.connection, origin, LATE)
    advice = "give all nodes one CABILDO_LOG_STORE, or share the keeper's directory public/log with this node"
    try:
        has_files, shown = files.read(CHECKPOINT) is not None, shown_in(files)
    except FilesAway:
        yield failing("log files", "the store of the log's files does not answer", "mend the way to CABILDO_LOG_STORE")
        return
    if not has_files and sealed:
        yield failing("log files", "this node has no files of the log: it serves no bundle", advice)
    elif shown < sealed:
        yield failing("log files", f"the files of this node end at event {shown} of {sealed}", advice)
    else:
        yield ok("log files", f"{shown} events are published")
