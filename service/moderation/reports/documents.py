"""Reports as their reporters read them, and as administrators do."""

from collections.abc import Iterable, Mapping
from typing import TypedDict

from service.core.clock import iso_time
from service.moderation.reports.queries import Report, ReportGroup


class ThingName(TypedDict):
    """What a report is about."""

    about: str
    id: str
    number: int


class OwnReport(ThingName):
    """A report as its reporter reads it: without the note and the outcome."""

    report: str
    kind: str
    text: str
    created: str | None
    settled: bool


class ReporterName(TypedDict):
    """A player by id and name."""

    id: str
    name: str | None


class OpenReport(TypedDict):
    """A report in a group, as administrators read it."""

    report: str
    reporter: ReporterName
    kind: str
    text: str
    created: str | None


class ReportedThing(ThingName):
    """A thing with its open reports."""

    count: int
    reports: list[OpenReport]


def own_report(report: Report) -> OwnReport:
    """Returns a report for its reporter."""
    return {
        "report": str(report.id),
        "about": report.about,
        "id": str(report.thing),
        "number": report.number,
        "kind": report.kind,
        "text": report.words,
        "created": iso_time(report.created),
        "settled": report.settled is not None,
    }


def reported_thing(group: ReportGroup, names: Mapping[str, str]) -> ReportedThing:
    """Returns a thing with its open reports, for administrators."""
    thing = group.thing
    return {
        "about": thing.about,
        "id": str(thing.id),
        "number": thing.number,
        "count": group.waiting,
        "reports": [_open_report(report, names) for report in group.reports],
    }


def people_in(groups: Iterable[ReportGroup]) -> set[str]:
    """Returns the ids of all reporters, and of reported players."""
    return {str(report.reporter) for group in groups for report in group.reports}


def _open_report(report: Report, names: Mapping[str, str]) -> OpenReport:
    return {
        "report": str(report.id),
        "reporter": {"id": str(report.reporter), "name": names.get(str(report.reporter))},
        "kind": report.kind,
        "text": report.words,
        "created": iso_time(report.created),
    }
