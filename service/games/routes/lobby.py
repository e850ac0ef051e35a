"""The route of the lobby's stream."""

from flask import Response

from service.games.routes.queries import preferred_media_type
from service.live.delivery.follower import Following
from service.live.protocol import FORMS
from service.players.identity import Identity
from service.web.live.responses import live_response
from service.web.routing import Routes, container

routes = Routes("lobby_stream", "The lobby as a stream")


@routes.on("GET", "/v1/lobby/stream", readers=True, streams=tuple(FORMS))
def lobby(asker: Identity | None) -> Response:
    """Follow the newest open and running public games: the whole list at once, and again whenever one of them changes.

    A connection begins with the list as it is, so nothing is missed by one that was interrupted.
    """
    find = container().followed_lobby.enter
    return live_response(Following("lobby", find), find(), 0, FORMS[preferred_media_type(*FORMS)], asker)
