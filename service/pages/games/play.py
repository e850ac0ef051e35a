"""The page on which players play a game, and on which an invited player takes a seat."""

from typing import Any
from uuid import UUID

from flask import Blueprint, redirect, render_template, request
from werkzeug.wrappers import Response

from projections.games.record import INVITE, OPEN, GameRecord
from projections.rules.registry import GAMES
from service.games import access, invites
from service.games.visibility import visible_game
from service.pages.games.board_labels import setting
from service.pages.games.clock_terms import clock_in_words
from service.pages.games.decision_names import decision_names
from service.pages.games.game_lists import TITLES, event_of
from service.pages.guests.guest_forms import page_with_token
from service.pages.players.bot_cards import bots_at
from service.pages.site.visitor import member, session
from service.players.identity import Identity
from service.players.people_at_screen import people_of
from service.players.queries import get_player
from service.web.responses import request_language
from service.web.routing import container

pages = Blueprint("play", __name__)


@pages.get("/games/<uuid:game>/play")
def play(game: UUID) -> str | Response:
    """Renders the table for its players, the invitation for an invited visitor, or redirects viewers to the replay."""
    known = container().games.load(game).known
    chair = _chair_of(game, known, request.args.get("invite", ""))
    if (page := _page_of_link(game, known, chair)) is not None:
        return page
    identity = member()
    acting = _acting(identity)
    record = visible_game(container().games, container().deals, game, acting.id).record
    screen = _screen(record, identity)
    if record.status != OPEN and record.seat_of(acting.id) is None:
        return redirect(f"/games/{game}/play?as={screen[0]['id']}" if screen else f"/games/{game}")
    at_screen = {"screen": screen, "host": identity.id, "turn": _to_act(record)}
    return render_template(
        "play.html",
        id=game,
        title=TITLES[record.game],
        chosen=record.seed_chosen,
        event=event_of(game, record.tournament, request_language()),
        bots=bots_at(record),
        setting=_setting(record, acting) | {"id": str(game), "invited": chair, **at_screen},
    )


def _acting(identity: Identity) -> Identity:
    """Returns the visitor, or the person at the visitor's screen whom the address names."""
    person = request.args.get("as")
    return identity if person is None else container().authenticator.acting_for(identity, person)


def _screen(record: GameRecord, identity: Identity) -> list[dict[str, str]]:
    """Returns those at the table who use the visitor's screen; empty for the visitor alone."""
    with container().stores.pool.connection() as connection:
        people = people_of(connection, identity.player)
        of_host = get_player(connection, identity.player).name or ""
    own = {identity.id: of_host, **{id: name.removesuffix(f" ({of_host})") for id, name in people.items()}}
    seated = [{"id": id, "name": name} for id, name in own.items() if record.chair_of(id) is not None]
    return seated if any(person["id"] != identity.id for person in seated) else []


def _to_act(record: GameRecord) -> str | None:
    """Returns the player to act."""
    return None if record.turn is None else record.chair_at(record.turn.seat).player


def _page_of_link(game: UUID, record: GameRecord, chair: int | None) -> str | Response | None:
    """Returns what a link shows to who has no table yet: the invitation, or that its chair is taken."""
    visitor = session()
    sees = access.may_see(record, None if visitor is None else visitor.id)
    if visitor is not None and (sees or chair is None):
        return None
    opens = chair is not None and record.status == OPEN and record.chairs[chair].player is None
    if opens or (sees and _has_free_chair(record)):
        return page_with_token(lambda token: _invitation(game, record, token))
    if chair is None:
        return None
    return render_template("chair_taken.html", id=game, title=TITLES[record.game], watched=sees)


def _invitation(game: UUID, record: GameRecord, token: str) -> str:
    invite = request.args.get("invite", "")
    clock = clock_in_words(record.clocks.setting.document(), request_language())
    terms = {"rated": record.rated, "silent": record.silent, "clock": clock}
    return render_template("invited.html", id=game, invite=invite, token=token, title=TITLES[record.game], **terms)


def _has_free_chair(record: GameRecord) -> bool:
    """Returns whether a chair is open to all."""
    return record.status == OPEN and any(chair.kept_for is None and chair.player is None for chair in record.chairs)


def _chair_of(game: UUID, record: GameRecord, invite: str) -> int | None:
    """Returns the chair that a code belongs to, taken or not; None for another code."""
    keys = container().settings.master_keys
    kept = (number for number, chair in enumerate(record.chairs) if chair.kept_for == INVITE)
    return next((number for number in kept if invite and invites.fits(invite, keys, game, number)), None)


def _setting(record: GameRecord, identity: Identity) -> dict[str, Any]:
    words = request_language()
    return {
        **setting(record.game, words),
        "game": record.game,
        "title": TITLES[record.game],
        "language": words,
        "decisions": decision_names(record.game, words),
        "player": identity.id,
        "acting": identity.id if request.args.get("as") else None,
        "csrf": identity.csrf,
        "guest": identity.guest,
        "revealing": [*GAMES[record.game].secrets(record.options).values()],
    }
