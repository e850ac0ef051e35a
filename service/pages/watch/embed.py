"""A game as a widget for pages of other sites: without cookies, from a step on, in three sizes; hosts may forbid it."""

from typing import Any, Final
from uuid import UUID

from flask import Blueprint, Response, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from events.messages import Message
from projections.games.record import GameRecord
from service.core.errors import InvalidRequest, NotAllowed
from service.games import access
from service.games.commands.framing import change_framing, may_be_framed
from service.games.visibility import visible_game
from service.pages.games.board_labels import setting
from service.pages.games.game_lists import TITLES, event_of
from service.pages.site.visitor import sender
from service.pages.watch.share import asked_version
from service.web.browsers.security_headers import FRAMED
from service.web.responses import request_language
from service.web.routing import container

SIZES: Final = {"small": (440, 420), "medium": (760, 620), "large": (1120, 820)}  # of the frame, in pixels
USUAL: Final = "medium"
pages = Blueprint("embed", __name__)


@pages.get("/games/<uuid:game>/embed")
def embed(game: UUID) -> Response:
    """Renders a public game for a frame of another site, as any spectator may see it."""
    visible, words = visible_game(container().games, container().deals, game, None), request_language()
    with container().stores.pool.connection() as connection:
        if not may_be_framed(connection, game):
            raise NotAllowed("not_framed", "the host of this game does not let other sites show it")
    kind = visible.record.game
    variables: dict[str, Any] = {**setting(kind, words), "id": str(game), "game": kind, "over": visible.is_over}
    variables["version"] = visible.version
    page = render_template(
        "game_embed.html",
        id=game,
        title=TITLES[kind],
        event=event_of(game, visible.record.tournament, words),
        setting=variables | {"seat": None, "spectator": True, "at": asked_version("at")},
        size=_size(),
    )
    response = Response(page, content_type="text/html; charset=utf-8")
    response.headers[FRAMED] = "yes"
    return response


@pages.post("/games/<uuid:game>/framing")
def change(game: UUID) -> AnyResponse:
    """Lets other sites show a game, or forbids it; for its host and the directors of its tournament."""
    identity = sender(while_blocked=True, guests=True)
    change_framing(container(), game, identity, allowed=bool(request.form.get("allowed")))
    return redirect(f"/games/{game}", 303)


def embedding(game: UUID, record: GameRecord, player: str | None) -> dict[str, Any]:
    """Returns what the page of a game says about frames; the player is its reader."""
    with container().stores.pool.connection() as connection:
        allowed = may_be_framed(connection, game)
    url = f"{container().settings.public_url.rstrip('/')}/games/{game}/embed"
    leads = player is not None and access.leads(container().tournaments, record, player)
    return {"allowed": allowed, "host": leads, "sizes": SIZES, "url": url}


def _size() -> str:
    size = request.args.get("size", USUAL)
    if size not in SIZES:
        raise InvalidRequest({"size": [Message("is none of {names}", names=", ".join(SIZES))]})
    return size
