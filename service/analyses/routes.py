"""Routes of analyses of finished games by the search bot."""

from uuid import UUID

from flask import Response

from projections.games.replay import line
from service.analyses import commands, documents, queries
from service.analyses import schemas as schemas
from service.analyses.commands import RequestAnalysis
from service.analyses.documents import AnalysisSummary
from service.analyses.request_types import LoadedNewAnalysis
from service.analyses.visible_analysis import (
    analysis_of,
    complete_document,
    finished_game,
    markdown_analysis,
    seat_names,
    visible_analysis,
)
from service.games.house_bots import VERSIONS
from service.games.routes.queries import preferred_media_type
from service.players.identity import Identity, player_id
from service.web.responses import MARKDOWN, etag_response, json_response, markdown_response, request_language
from service.web.routing import Routes, container

routes = Routes("analyses", "What the search bot thinks of finished games: estimates")


@routes.on(
    "POST",
    "/v1/games/<uuid:game>/analyses",
    body=schemas.NewAnalysis,
    answers=schemas.AnalysisDocument,
    status=202,
    scope="annotate",
    refuses=(404, 409),
)
def ask(game: UUID, body: LoadedNewAnalysis, asker: Identity) -> AnalysisSummary:
    """Request an analysis of a finished game; an equal request returns the same analysis."""
    finished_game(container(), game, asker.id)
    moves = sum(event.kind == "moved" for event in line(container().games.history(game)))
    command = RequestAnalysis(game, VERSIONS[queries.LEVEL], body["steps"], body["seed"], moves)
    with container().stores.pool.connection() as connection:
        analysis = commands.request_analysis(connection, container().now(), asker.id, command)
        document = documents.analysis_document(connection, analysis, request_language(), asker.id)
    if analysis.status == queries.WAITING:
        container().announcer.call_analysis(analysis.id, str(document["done"]))
    return document


@routes.on("GET", "/v1/games/<uuid:game>/analyses", answers=schemas.AnalysisList, readers=True, refuses=(404, 409))
def of_game(game: UUID, asker: Identity | None) -> dict[str, list[AnalysisSummary]]:
    """List the analyses of a finished game."""
    finished_game(container(), game, player_id(asker))
    with container().stores.pool.connection() as connection:
        found = queries.of_game(connection, game)
        return {
            "analyses": [
                documents.analysis_document(connection, one, request_language(), player_id(asker)) for one in found
            ]
        }


@routes.on(
    "GET",
    "/v1/analyses/<uuid:analysis>",
    answers=schemas.WholeAnalysis,
    readers=True,
    refuses=(404, 409),
    streams=(MARKDOWN,),
    tagged=True,
)
def analysis(analysis: UUID, asker: Identity | None) -> Response:
    """Read the progress of an analysis and its figures so far; by `Accept: text/markdown` as a report."""
    here = container()
    found = visible_analysis(here, analysis, player_id(asker), request_language())
    known = found.document
    parts = ("analysis", found.game.table.head, sorted(known.items()), request_language())
    if preferred_media_type("application/json", MARKDOWN) == MARKDOWN:
        seats = seat_names(here, found)
        return etag_response(
            (*parts, MARKDOWN, *seats), lambda: markdown_response(markdown_analysis(here, found, seats))
        )
    return etag_response(parts, lambda: json_response(complete_document(here, found)))


@routes.on(
    "DELETE",
    "/v1/analyses/<uuid:analysis>",
    answers=schemas.AnalysisDocument,
    scope="annotate",
    refuses=(404,),
    while_blocked=True,
)
def cancel(analysis: UUID, asker: Identity) -> AnalysisSummary:
    """Cancel an analysis you requested; its figures stay."""
    analysis_of(container(), analysis, asker.id)
    with container().stores.pool.connection() as connection:
        cancelled = commands.cancel(connection, container().now(), asker.id, analysis)
        return documents.analysis_document(connection, cancelled, request_language(), asker.id)
