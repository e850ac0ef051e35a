"""Analyses of finished games by the search bot: asked for, followed, cancelled."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from flask import Response

from projections.games.replay import line
from service.analyses import documents, queries
from service.analyses import schemas as schemas
from service.analyses.queries import Analysis, Wanted
from service.core.errors import NotThere
from service.games.house_bots import VERSIONS
from service.games.routes.queries import sight_of, wanted
from service.games.visibility import Visibility
from service.players.credentials import Identity
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
    """Ask for an analysis of a game that is over; who asks for the same one again gets the same one."""
    sight_to_analyse(game, asker)
    moves = sum(event.kind == "moved" for event in line(container().games.history(game)))
    wanted = Wanted(game, VERSIONS[queries.LEVEL], body["steps"], body["seed"], moves)
    with container().stores.pool.connection() as connection:
        analysis = queries.ask(connection, container().now(), asker.id, wanted)
        told = queries.document(connection, analysis, request_language(), asker.id)
    if analysis.status == queries.WAITING:
        container().announcer.call_analysis(analysis.id, str(told["done"]))
    return told


@routes.on("GET", "/v1/games/<uuid:game>/analyses", answers=schemas.AnalysisList, readers=True, refuses=(404, 409))
def of_game(game: UUID, asker: Identity | None) -> dict[str, Any]:
    """The analyses of a game that is over."""
    sight_to_analyse(game, asker)
    with container().stores.pool.connection() as connection:
        found = queries.of_game(connection, game)
        return {"analyses": [queries.document(connection, one, request_language(), id_of(asker)) for one in found]}


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
    """How far an analysis is, and all figures found so far; by `Accept: text/markdown` as a report to take home."""
    sight, told = _seen(analysis, asker)
    parts = ("analysis", analysis, told["status"], told["done"], told["yours"], request_language())
    if wanted("application/json", MARKDOWN) == MARKDOWN:
        seats = chairs(container(), sight, request_language())
        return etag_response((*parts, MARKDOWN, *seats), lambda: _report(sight, told, seats))
    return etag_response(parts, lambda: json_response(_whole(sight, told)))


def reported(analysis: UUID, asker: Identity | None) -> Response:
    """An analysis as a file of Markdown."""
    sight, told = _seen(analysis, asker)
    return _report(sight, told, chairs(container(), sight, request_language()))


def _report(sight: Visibility, told: dict[str, Any], seats: Sequence[str]) -> Response:
    address = f"{container().settings.public_url}/games/{sight.table.id}"
    body = documents.markdown(_whole(sight, told), seats, address, request_language())
    return Response(body, content_type=f"{MARKDOWN}; charset=utf-8")


def _seen(analysis: UUID, asker: Identity | None) -> tuple[Visibility, dict[str, Any]]:
    """An analysis without its figures, and its game as the asker may see it."""
    found = _found(analysis, asker)
    sight = sight_to_analyse(found.game, asker)
    with container().stores.pool.connection() as connection:
        return sight, queries.document(connection, found, request_language(), id_of(asker))


def _found(analysis: UUID, asker: Identity | None) -> Analysis:
    """An analysis; of a game that the asker may not know of it says what it says of one that is not there."""
    with container().stores.pool.connection() as connection:
        found = queries.get(connection, analysis)
    try:
        sight_of(found.game, asker)
    except NotThere as hidden:
        raise NotThere("analysis", analysis) from hidden
    return found


def _whole(sight: Visibility, told: dict[str, Any]) -> dict[str, Any]:
    """An analysis with its figures."""
    with container().stores.pool.connection() as connection:
        found = queries.figures(connection, UUID(told["id"]))
    history = container().games.history(sight.table.id)
    whole = {**told, "decisions": documents.decisions(sight.table, history, found, request_language())}
    return {**whole, "advice": queries.advice(whole, request_language())}


@routes.on(
    "DELETE",
    "/v1/analyses/<uuid:analysis>",
    answers=schemas.AnalysisDocument,
    scope="annotate",
    refuses=(404,),
)
def cancel(analysis: UUID, asker: Identity) -> dict[str, Any]:
    """Cancel an analysis you asked for; what was found so far stays."""
    _found(analysis, asker)
    with container().stores.pool.connection() as connection:
        cancelled = queries.cancel(connection, container().now(), asker.id, analysis)
        return queries.document(connection, cancelled, request_language(), asker.id)


def sight_to_analyse(game: UUID, asker: Identity | None) -> Visibility:
    """A game that the asker may see; refuses with GameRuns one that is not over: a running game gets no help."""
    sight = sight_of(game, asker)
    if not sight.over:
        raise GameRuns(str(game))
    return sight
