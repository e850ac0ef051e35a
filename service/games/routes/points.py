"""Route of the points of a finished game: parts by kind, the events that made them, what decided."""

from collections.abc import Sequence
from typing import cast
from uuid import UUID

from flask import Response

from events.json_types import JsonObject
from projections.games.points import account, decision
from projections.games.record import ABORTED, FINISHED
from projections.games.replay import steps
from service.core.errors import NotThere
from service.games.game_state import setting
from service.games.routes.queries import game_visible_to
from service.games.schemas import points as schemas
from service.games.schemas.loaded import LoadedPointsQuery
from service.games.visibility import Visibility, events_seen
from service.players.identity import Identity
from service.studies.errors import GameRuns
from service.web.request_costs import charge_events
from service.web.responses import etag_response, json_response
from service.web.routing import Routes, container

routes = Routes("points", "Points of finished games")


@routes.on(
    "GET",
    "/v1/games/<uuid:game>/points",
    query=schemas.PointsQuery,
    answers=schemas.PointsDocument,
    readers=True,
    refuses=(404, 409),
    tagged=True,
)
def points(game: UUID, query: LoadedPointsQuery, asker: Identity | None) -> Response:
    """Where the points of a finished game come from: by kind and event; the curve of points; what decided."""
    visible = game_visible_to(game, asker)
    if visible.record.status == ABORTED:
        raise NotThere("result of the aborted game", game)
    if visible.record.status != FINISHED or visible.record.result is None:
        raise GameRuns(str(game))

    def build() -> Response:
        charge_events(visible.version)
        document = _document(game, visible)
        return json_response(document if query["curve"] else {**document, "curve": []})

    return etag_response(("points", visible.table.head, query["curve"]), build, for_all=visible.is_for_all)


def _document(game: UUID, visible: Visibility) -> JsonObject:
    rules, result = visible.game, cast(JsonObject, visible.record.result)
    scores = rules.scores(visible.board)
    played = steps(setting(visible.record), events_seen(container().games, visible, 0))
    found = account(rules, played, len(scores))
    totals, places, ties = (cast(Sequence[int], result[name]) for name in ("points", "places", "tie_break"))
    seats = [
        {
            "seat": seat,
            "place": places[seat],
            "total": score["total"],
            "result": totals[seat],
            "tie_break": ties[seat],
            "parts": found.parts[seat],
        }
        for seat, score in enumerate(scores)
    ]
    decided = decision(found, result)
    document = {"game": str(game), "version": visible.version, "seats": seats}
    return cast(JsonObject, {**document, "curve": found.curve, "decision": decided})
