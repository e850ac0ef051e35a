"""Routes of copies of studies: clones, exports, reports with pictures, imports."""

from uuid import UUID

from flask import Response

from events.json_types import JsonObject
from projections.pictures import picture
from projections.studies.script import to_json
from projections.studies.text_writer import to_text
from service.games.routes.queries import preferred_media_type
from service.i18n.messages import hidden_notice
from service.players.identity import Identity, player_id
from service.studies import boards, queries
from service.studies.commands import CloneStudy, clone_study, import_command, import_script
from service.studies.copies.export import script
from service.studies.reports import html_report, markdown_report
from service.studies.routes.editing import tickets_of
from service.studies.schemas import documents as schemas
from service.studies.schemas import queries as query_schemas
from service.studies.schemas.loaded import (
    LoadedClone,
    LoadedNewScript,
    LoadedPictureQuery,
    LoadedReportQuery,
    LoadedTicketQuery,
)
from service.web.idempotency import request_of
from service.web.responses import MARKDOWN, html_file_response, json_response, markdown_response, request_language
from service.web.routing import Routes, container

TEXT, HTML, SVG = "text/plain", "text/html", "image/svg+xml"
routes = Routes("study_copies", "Studies taken home: copies, exports, reports with pictures, and what is brought in")


@routes.on(
    "POST",
    "/v1/studies/<uuid:study>/clones",
    body=schemas.Clone,
    answers=schemas.EditResult,
    status=201,
    scope="annotate",
    keyed=True,
    refuses=(404, 409, 410),
)
def clone(study: UUID, body: LoadedClone, asker: Identity) -> JsonObject:
    """Copy the visible part of a study into a new study of yours."""
    return clone_study(container(), CloneStudy(study, **body), request_of(asker)).answer


@routes.on(
    "GET",
    "/v1/studies/<uuid:study>/export",
    query=query_schemas.TicketQuery,
    answers=schemas.ScriptDocument,
    readers=True,
    refuses=(404, 410),
    streams=(TEXT,),
)
def export(study: UUID, query: LoadedTicketQuery, asker: Identity | None) -> Response:
    """Export the visible part of a study: JSON or, by `Accept: text/plain`, text for a forum."""
    notice = hidden_notice(request_language())
    found = script(queries.read(container(), study, player_id(asker), notice, tickets=tickets_of(query)))
    if preferred_media_type("application/json", TEXT) == TEXT:
        return Response(to_text(found), content_type=f"{TEXT}; charset=utf-8")
    return json_response(to_json(found))


@routes.on(
    "GET",
    "/v1/studies/<uuid:study>/report",
    query=query_schemas.ReportQuery,
    readers=True,
    refuses=(404, 410),
    streams=(MARKDOWN, HTML),
)
def reported(study: UUID, query: LoadedReportQuery, asker: Identity | None) -> Response:
    """A report with pictures of the boards: Markdown that links to them or, by `Accept: text/html`, one page."""
    about = (container(), study, player_id(asker), tickets_of(query), request_language())
    if preferred_media_type(MARKDOWN, HTML) == HTML:
        return html_file_response(html_report(*about), str(study))
    return markdown_response(markdown_report(*about))


@routes.on(
    "GET",
    "/v1/studies/<uuid:study>/chapters/<int:chapter>/picture",
    query=query_schemas.PictureQuery,
    readers=True,
    refuses=(404, 410),
    streams=(SVG,),
)
def pictured(study: UUID, chapter: int, query: LoadedPictureQuery, asker: Identity | None) -> Response:
    """Draw the board at a place as a small picture with its markers, for forums."""
    view = queries.view(container(), study, chapter, player_id(asker), tickets_of(query))
    assert view.chapter_game is not None
    view.chapter_game.at(query["at"])
    words, at = request_language(), query["at"]
    drawn = picture(
        boards.seen_at(view, at), queries.seats(container(), view, words), boards.markers_at(view, at), words
    )
    answer = Response(drawn, content_type=SVG)
    answer.headers["Content-Security-Policy"] = "default-src 'none'"
    return answer


@routes.on(
    "POST",
    "/v1/studies/import",
    body=schemas.NewScript,
    answers=schemas.EditResult,
    status=201,
    scope="annotate",
    keyed=True,
    refuses=(400, 404, 409),
)
def bring_in(body: LoadedNewScript, asker: Identity) -> JsonObject:
    """Import an exported study into a new one: compares its hashes and replays its moves by the rules."""
    return import_script(container(), import_command(body), request_of(asker)).answer
