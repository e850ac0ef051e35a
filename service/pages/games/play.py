"""The page on which players play a game, and on which an invited player takes a seat."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from flask import Blueprint, redirect, render_template, request
from werkzeug.wrappers import Response

from projections.games.record import INVITE, OPEN, GameRecord
from projections.rules.puerto_rico.text.labels import labels
from projections.rules.registry import GAMES
from service.games import access, invites
from service.games.visibility import visible_game
from service.i18n import phrases
from service.pages.games.board_labels import setting
from service.pages.games.game_lists import TITLES, event_of
from service.pages.site.visitor import member
from service.players.identity import Identity
from service.web.responses import request_language
from service.web.routing import container

DECISIONS: Final = ("action", "caravan_limit")  # of Spice Road; the names for Puerto Rico are in its labels
pages = Blueprint("play", __name__)


@pages.get("/games/<uuid:game>/play")
def play(game: UUID) -> str | Response:
    """Renders the table for its players, the invitation for an invited visitor, or redirects viewers to the replay."""
    identity = member()
    invite = request.args.get("invite", "")
    if invite and _lets_in(game, invite, identity):
        return render_template("invited.html", id=game, invite=invite)
    record = visible_game(container().games, container().deals, game, identity.id).record
    if record.status != OPEN and record.seat_of(identity.id) is None:
        return redirect(f"/games/{game}")
    return render_template(
        "play.html",
        id=game,
        title=TITLES[record.game],
        chosen=record.seed_chosen,
        event=event_of(game, record.tournament, request_language()),
        setting=_setting(record, identity) | {"id": str(game)},
    )


def _lets_in(game: UUID, invite: str, identity: Identity) -> bool:
    """Returns whether the code opens a table that is otherwise hidden from the visitor."""
    record = container().games.load(game).known
    if record.status != OPEN or access.may_see(record, identity.id):
        return False
    kept = [number for number, chair in enumerate(record.chairs) if chair.kept_for == INVITE]
    return any(invites.fits(invite, container().settings.master_keys, game, number) for number in kept)


def _setting(record: GameRecord, identity: Identity) -> dict[str, Any]:
    words = request_language()
    return {
        **setting(record.game, words),
        "game": record.game,
        "language": words,
        "decisions": _decisions(record.game, words),
        "player": identity.id,
        "csrf": identity.csrf,
        "revealing": [*GAMES[record.game].secrets(record.options).values()],
    }


def _decisions(game: str, words: str) -> Mapping[str, str]:
    """Returns the names of decisions in the reader's language."""
    if game == "puerto_rico":
        return {name: str(text) for name, text in labels(words).section("decisions").items()}
    return {name: phrases.phrase(words, f"play.{name}") for name in DECISIONS}
