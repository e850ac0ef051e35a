"""Routes of reports: by players, and for administrators."""

import structlog
from flask import Response

from service.moderation.reports import queries, schemas
from service.moderation.reports.commands import ReportThing, SettleReports, report_thing, settle_reports
from service.moderation.reports.documents import OwnReport, own_report, people_in, reported_thing
from service.moderation.schemas import CursorQuery, LoadedCursorQuery
from service.moderation.things import Thing
from service.players.identity import Identity
from service.players.queries import names_of
from service.web.responses import page_response
from service.web.routing import Routes, container

log = structlog.get_logger("service.moderation")
routes = Routes("reports", "Reports: what players tell the administrators")


@routes.on(
    "POST",
    "/v1/reports",
    body=schemas.NewReport,
    answers=schemas.OwnReportDocument,
    status=201,
    scope="play",
    refuses=(404, 429),
)
def report(body: schemas.ReportBody, asker: Identity) -> OwnReport:
    """Report a player, a game or a text to the administrators. A thing you have reported already stays one report.

    Only administrators learn who reported.
    """
    thing = Thing(body["about"], body["id"], body["number"])
    return own_report(report_thing(container(), ReportThing(asker.player, thing, body["kind"], body["text"])))


@routes.on("GET", "/v1/reports", query=CursorQuery, answers=schemas.OwnReports, scope="play", paged=True)
def own(query: LoadedCursorQuery, asker: Identity) -> Response:
    """List your reports, newest first, and whether an administrator has settled them."""
    with container().stores.pool.connection() as connection:
        found = queries.own_reports(connection, asker.player, query["after"], query["limit"])
    return page_response("reports", [own_report(queries.Report(**row)) for row in found.rows], found.next)


@routes.on("GET", "/v1/admin/reports", query=CursorQuery, answers=schemas.OpenReports, scope="admin", paged=True)
def waiting(query: LoadedCursorQuery, asker: Identity) -> Response:
    """List the things with open reports, the longest waiting first."""
    with container().stores.pool.connection() as connection:
        groups, following = queries.open_groups(connection, query["after"], query["limit"])
        names = names_of(connection, people_in(groups))
    log.info("open reports read", by=asker.id)
    return page_response("things", [reported_thing(group, names) for group in groups], following)


@routes.on(
    "POST",
    "/v1/admin/reports/settlements",
    body=schemas.Settlement,
    answers=schemas.Settled,
    status=201,
    scope="admin",
    refuses=(404,),
)
def settle(body: schemas.SettlementBody, asker: Identity) -> dict[str, int]:
    """Settle reports: their reporters read that they are settled. Reports that were settled before stay as they are."""
    command = SettleReports(asker.id, body["reports"], body["outcome"], body["note"])
    return {"settled": settle_reports(container(), command)}
