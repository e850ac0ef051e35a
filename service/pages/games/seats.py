"""Forms to take and to leave a seat."""

from uuid import UUID

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from service.games.routes import lifecycle
from service.games.schemas.lifecycle import Join
from service.pages.games.entropy_fields import brought
from service.pages.site.visitor import sender
from service.web.routing import container, load_form

pages = Blueprint("seating", __name__)


@pages.post("/games/<uuid:game>/join")
def join(game: UUID) -> Response:
    """Takes the seat kept for the visitor, the first free one, or the one of an invitation code."""
    identity = sender()
    code = request.form.get("invite", "").strip()
    bringing = brought(request.form, container().games.load(game).known.level)
    lifecycle.join(game=game, body=load_form(Join, bringing | ({"invite": code} if code else {})), asker=identity)
    return redirect(f"/games/{game}/play", 303)


@pages.post("/games/<uuid:game>/leave")
def leave(game: UUID) -> Response:
    """Leaves the table before the game starts."""
    lifecycle.leave(game=game, asker=sender())
    return redirect("/lobby", 303)
