"""Routes of bundles: serves the bundle of a game, and verifies a bundle."""

from uuid import UUID

from flask import Response, request

from service.core.errors import NotAllowed
from service.games.visibility import visibility_of
from service.players.identity import Identity
from service.proof import queries
from service.proof.schemas import BundleDocument, Judgement
from service.web.responses import json_response, request_language
from service.web.routing import Routes, container

routes = Routes("bundles", "Bundles: everything an outsider needs to verify a game offline")


@routes.on("GET", "/v1/games/<uuid:game>/bundle", answers=BundleDocument, readers=True, refuses=(404, 503))
def bundle(game: UUID, asker: Identity | None) -> Response:
    """Export the visible part of a game with its proofs as one file."""
    here = container()
    visible = visibility_of(here.games, here.deals, here.games.load(game), asker.id if asker else None)
    if visible.secrets:
        raise NotAllowed("secrets", "this game has hidden information; its bundle is public when the game is over")
    data = queries.bundle(here.stores.pool, here.settings, game, visible.version)
    name = f'attachment; filename="{game}.bundle.json"'
    return Response(data, content_type="application/json", headers={"Content-Disposition": name})


@routes.on("POST", "/v1/verify", answers=Judgement, takes=("application/json", "application/zip"), refuses=(503,))
def verify() -> Response:
    """Verify the bundle or archive in the body under the policy of this service.

    The answer is the service's own word. A client that does not trust it runs `cabildo verify` or
    `python -m cabildo_client.verify_standalone` at home. The service verifies two uploads at once; a few more wait,
    others get 503.
    """
    return json_response(container().judge.report(request.get_data(), request_language()))
