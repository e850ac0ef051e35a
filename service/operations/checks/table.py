"""The table of checks, in the order in which they are shown."""

from collections.abc import Sequence
from typing import Final

import psycopg

from service.operations.checks.archived_months import check_archives
from service.operations.checks.check import Check, CheckResult, HealthSources, HealthState, unknown
from service.operations.checks.database import check_backup, check_commits, check_guards, check_standby, check_writes
from service.operations.checks.keepers import check_keepers
from service.operations.checks.mail import check_mail
from service.operations.checks.public_log import check_log_files, check_numbering, check_signing
from service.operations.checks.read_models import check_read_models

CHECKS: Final[tuple[tuple[str, Check], ...]] = (
    ("writes", check_writes),
    ("commits", check_commits),
    ("guards", check_guards),
    ("signing", check_signing),
    ("log index", check_numbering),
    ("log files", check_log_files),
    ("archived months", check_archives),
    ("read models", check_read_models),
    ("keepers", check_keepers),
    ("mail", check_mail),
    ("standby", check_standby),
    ("backup", check_backup),
)


def run_checks(sources: HealthSources) -> list[CheckResult]:
    """Runs every check; one that cannot be made is unknown and does not stop the others."""
    return [result for name, check in CHECKS for result in _run(name, check, sources)]


def _run(name: str, check: Check, sources: HealthSources) -> Sequence[CheckResult]:
    try:
        return [*check(sources)]
    except (psycopg.Error, OSError) as problem:
        return [unknown(name, f"cannot be checked: {type(problem).__name__}")]


def is_healthy(results: Sequence[CheckResult]) -> bool:
    """Returns whether no check found a fault."""
    return all(result.state is not HealthState.FAILING for result in results)
