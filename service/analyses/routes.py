"""Routes of analyses of finished games by the search bot."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from flask import Response

from projections.games.replay import line
from service.analyses import commands, documents, queries
from service.analyses import schemas as schemas
from service.analyses.commands import RequestAnalysis
from service.analyses.queries import Analysis
from service.core.errors import NotThere
from service.games.house_bots import VERSIONS
from service.games.routes.queries import sight_of, wanted
from service.games.visibility import Visibility
from service.players.identity import Identity
from service.studies.errors import GameRuns
from service.studies.queries import chairs
from service.studies.routes.editing import id_of
from service.web.responses import etag_response, json_response, request_language
from service.web.routing import Routes, container

MARKDOWN = "text/markdown"
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
def ask(game: UUID, body: dict[str, Any], asker: Identity) -> dict[str, Any]:
    """Request an analysis of a finished game; an equal request returns the same analysis."""
    sight_to_analyse(game, asker)
    moves = sum(event.kind == "moved" for event in line(container().games.history(game)))
    command = RequestAnalysis(game, VERSIONS[queries.LEVEL], body["steps"], body["seed"], moves)
    with container().stores.pool.connection() as connection:
        analysis = commands.request_analysis(connection, container().now(), asker.id, command)
        document = documents.analysis_document(connection, analysis, request_language(), asker.id)
    if analysis.status == queries.WAITING:
        container().announcer.call_analysis(analysis.id, str(document["done"]))
    return document


@routes.on("GET", "/v1/games/<uuid:game>/analyses", answers=schemas.AnalysisList, readers=True, refuses=(404, 409))
def of_game(game: UUID, asker: Identity | None) -> dict[str, Any]:
    """List the analyses of a finished game."""
    sight_to_analyse(game, asker)
    with container().stores.pool.connection() as connection:
        found = queries.of_game(connection, game)
        return {
            "analyses": [
                documents.analysis_document(connection, one, request_language(), id_of(asker)) for one in found
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
    sight, told = _visible_analysis(analysis, asker)
    parts = ("analysis", analysis, told["status"], told["done"], told["yours"], request_language())
    if wanted("application/json", MARKDOWN) == MARKDOWN:
        seats = chairs(container(), sight, request_language())
        return etag_response((*parts, MARKDOWN, *seats), lambda: _report(sight, told, seats))
    return etag_response(parts, lambda: json_response(_complete_document(sight, told)))


def report_response(analysis: UUID, asker: Identity | None) -> Response:
    """Returns an analysis as a Markdown file."""
    sight, told = _visible_analysis(analysis, asker)
    return _report(sight, told, chairs(container(), sight, request_language()))


def _report(sight: Visibility, told: dict[str, Any], seats: Sequence[str]) -> Response:
    address = f"{container().settings.public_url}/games/{sight.table.id}"
    body = documents.markdown(_complete_document(sight, told), seats, address, request_language())
    return Response(body, content_type=f"{MARKDOWN}; charset=utf-8")


def _visible_analysis(analysis: UUID, asker: Identity | None) -> tuple[Visibility, dict[str, Any]]:
    """Returns an analysis without its figures, and its game as the client may see it."""
    found = _known_analysis(analysis, asker)
    sight = sight_to_analyse(found.game, asker)
    with container().stores.pool.connection() as connection:
        return sight, documents.analysis_document(connection, found, request_language(), id_of(asker))


def _known_analysis(analysis: UUID, asker: Identity | None) -> Analysis:
    """Returns an analysis; raises NotThere alike for an absent one and one of a hidden game."""
    with container().stores.pool.connection() as connection:
        found = queries.get(connection, analysis)
    try:
        sight_of(found.game, asker)
    except NotThere as hidden:
        raise NotThere("analysis", analysis) from hidden
    return found


def _complete_document(sight: Visibility, told: dict[str, Any]) -> dict[str, Any]:
    """Returns an analysis with its figures."""
    with container().stores.pool.connection() as connection:
        found = queries.figures(connection, UUID(told["id"]))
    history = container().games.history(sight.table.id)
    whole = {**told, "decisions": documents.decisions(sight.table, history, found, request_language())}
    return {**whole, "advice": documents.advice(whole, request_language())}


@routes.on(
    "DELETE",
    "/v1/analyses/<uuid:analysis>",
    answers=schemas.AnalysisDocument,
    scope="annotate",
    refuses=(404,),
)
def cancel(analysis: UUID, asker: Identity) -> dict[str, Any]:
    """Cancel an analysis you requested; its figures stay."""
    _known_analysis(analysis, asker)
    with container().stores.pool.connection() as connection:
        cancelled = commands.cancel(connection, container().now(), asker.id, analysis)
        return documents.analysis_document(connection, cancelled, request_language(), asker.id)


def sight_to_analyse(game: UUID, asker: Identity | None) -> Visibility:
    """Returns the client's view of a game; raises GameRuns for a running game, which gets no help."""
    sight = sight_of(game, asker)
    if not sight.over:
        raise GameRuns(str(game))
    return sight
