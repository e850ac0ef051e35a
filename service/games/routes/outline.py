"""Route of the outline of a game, from which pages show long games."""

from uuid import UUID

from flask import Response

from service.games.replays.outline import OutlineOptions, outline
from service.games.routes.queries import game_visible_to
from service.games.schemas import outline as schemas
from service.games.schemas.loaded import LoadedOutlineQuery
from service.games.visibility import viewer
from service.players.identity import Identity
from service.web.request_costs import charge_events
from service.web.responses import etag_response, json_response
from service.web.routing import Routes, container

routes = Routes("outlines", "Outlines of games")


@routes.on(
    "GET",
    "/v1/games/<uuid:game>/outline",
    query=schemas.OutlineQuery,
    answers=schemas.OutlineDocument,
    readers=True,
    refuses=(404,),
    tagged=True,
)
def outlined(game: UUID, query: LoadedOutlineQuery, asker: Identity | None) -> Response:
    """All steps of a game without their words, some bytes each; `/replay` tells parts of them in full.

    It tells the newest 50,000 steps at most, under the same rules of what the client may see.
    """
    visible = game_visible_to(game, asker)
    told = frozenset(filter(None, query["facts"].split(",")))
    options = OutlineOptions(viewer(visible, query["eyes"]), query["undone"], told)

    def build() -> Response:
        charge_events(visible.version)
        return json_response({"game": str(game), **outline(container().games, visible, options)})

    tag = ("outline", visible.table.head, visible.seat, options.eyes, options.undone, sorted(told))
    return etag_response(tag, build, for_all=visible.is_for_all)
