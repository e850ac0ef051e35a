"""Checks of the read models: how far each lags behind the log."""

from collections.abc import Iterator
from typing import Final

from projections.read_models.projector import Status, statuses
from projections.read_models.registry import READ_MODELS
from service.operations.checks.check import CheckResult, HealthSources, failing, ok

LATE: Final = 60.0  # seconds


def check_read_models(sources: HealthSources) -> Iterator[CheckResult]:
    """Does each read model follow the log?"""
    for status in statuses(sources.connection):
        if not status.shadow:
            yield _result(status)


def _result(status: Status) -> CheckResult:
    name, found = f"read model {status.name}", f"{status.behind} entries, {status.seconds:.1f} s behind"
    model = READ_MODELS.get(status.name)
    if status.poison is not None:
        return failing(
            name, f"parked at an event that it cannot apply; {found}", f"mend it: cabildo resume {status.name}"
        )
    if model is not None and model.version != status.version:
        return failing(name, f"rows of version {status.version}; {found}", f"cabildo rebuild {status.name}")
    if status.behind and status.seconds > LATE:
        return failing(name, found, "start a keeper, or look what slows it down")
    return ok(name, found)
