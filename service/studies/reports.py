"""Queries of the reports of a study: Markdown with links to its pictures, or one HTML page."""

from collections.abc import Collection
from uuid import UUID

from service.container import Container
from service.i18n.messages import hidden_notice
from service.studies import labels, queries
from service.studies.copies import report
from service.studies.copies.report import StudyReport


def markdown_report(here: Container, study: UUID, reader: str | None, tickets: Collection[str], language: str) -> str:
    """Returns the report as Markdown; raises NotThere or StudyDeleted."""
    base = f"{here.settings.public_url}/v1/studies/{study}/chapters"
    more = f"&tickets={','.join(sorted(tickets))}" if any(tickets) else ""

    def address(chapter: int, place: str) -> str:
        return f"{base}/{chapter}/picture?at={place}&language={language}{more}"

    return report.markdown(_report(here, study, reader, tickets, language), address)


def html_report(here: Container, study: UUID, reader: str | None, tickets: Collection[str], language: str) -> str:
    """Returns the report as one HTML page; raises NotThere or StudyDeleted."""
    return report.html(_report(here, study, reader, tickets, language))


def _report(here: Container, study: UUID, reader: str | None, tickets: Collection[str], language: str) -> StudyReport:
    return labels.report(here, queries.read(here, study, reader, hidden_notice(language), tickets=tickets), language)
