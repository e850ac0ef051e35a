"""Forms to take and to leave a seat, and to abort a game of bots."""

from typing import Final
from urllib.parse import urlencode
from uuid import UUID

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from service.games.commands.moves import AbortGame, abort_game
from service.games.commands.read_bodies import join_game_command
from service.games.commands.seats import LeaveGame, join_game, leave_game
from service.games.schemas.lifecycle import Join
from service.games.schemas.loaded import LoadedJoin
from service.pages.games.entropy_fields import entropy_fields
from service.pages.guests.guest_forms import as_player
from service.pages.site.visitor import sender
from service.players.identity import Identity
from service.web.idempotency import request_of
from service.web.routing import container, load_form

SILENT: Final = "silent"  # the field of forms that say so
pages = Blueprint("seating", __name__)


@pages.post("/games/<uuid:game>/join")
def join(game: UUID) -> Response:
    """Takes the seat kept for the visitor, the first free one, or the one of an invitation code.

    A visitor without an account sits down as a guest. Nobody sits down at a silent table who was not told that it is.
    """
    code = request.form.get("invite", "").strip()
    if container().games.load(game).known.silent and SILENT not in request.form:
        return redirect(f"/games/{game}/play{_query(code)}", 303)

    def take_seat(player: Identity) -> str:
        fields = entropy_fields(request.form, container().games.load(game).known.level)
        body: LoadedJoin = load_form(Join, fields | ({"invite": code} if code else {}))
        join_game(container(), join_game_command(game, body, player), request_of(player))
        return f"/games/{game}/play"

    return as_player(take_seat)


def _query(code: str) -> str:
    return f"?{urlencode({'invite': code})}" if code else ""


@pages.post("/games/<uuid:game>/leave")
def leave(game: UUID) -> Response:
    """Leaves the table before the game starts."""
    leave_game(container(), LeaveGame(game), request_of(sender(while_blocked=True, guests=True)))
    return redirect("/lobby", 303)


@pages.post("/games/<uuid:game>/abort")
def abort(game: UUID) -> Response:
    """Aborts a game of bots alone that the visitor made."""
    abort_game(container(), AbortGame(game), request_of(sender(while_blocked=True, guests=True)))
    return redirect(f"/games/{game}", 303)
