"""The page of the own settings: of the account, or kept in the browser without one."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from flask import Blueprint, Response, make_response, redirect, render_template, request

from events.errors import CabildoError
from service.pages.site.appearance_cookie import set_appearance_cookie
from service.pages.site.form_errors import error_sentences
from service.pages.site.visitor import own_appearance, sender, session, visitor
from service.players.commands.preferences import ChangeSettings, change_settings
from service.players.email.storage import email_of
from service.players.identity import Identity
from service.players.preferences.schemas import SettingsBody, SettingsChange
from service.players.preferences.stored_settings import settings_of
from service.players.preferences.values import (
    CHOICES,
    KINDS,
    LOUDEST,
    VOLUME,
    WAYS,
    appearance_of,
    telling_of,
    time_of,
)
from service.web.problem_types import problem_of
from service.web.routing import container, load_form

PAGE: Final = "/account/settings"
DONE: Final = "done"
pages = Blueprint("own_settings", __name__)


@pages.get(PAGE)
def settings() -> Response:
    """Renders the page."""
    return settings_page()


@pages.post(PAGE)
def change() -> Response:
    """Changes how the pages look, sound and ask: in the account, and in this browser for when nobody is logged in."""
    identity = None if session() is None else sender(while_blocked=True, guests=True)
    try:
        body: SettingsBody = load_form(SettingsChange, _chosen())
        if identity is not None:
            change_settings(container(), ChangeSettings(identity, body))
    except CabildoError as refused:
        return settings_page(refused)
    response = make_response(redirect(f"{PAGE}?done={DONE}", 303))
    appearance = appearance_of({**own_appearance(visitor())._asdict(), **body})
    set_appearance_cookie(response, appearance, secure=container().settings.public_url.startswith("https:"))
    return response


def _chosen() -> Mapping[str, Any]:
    """Returns the settings of the form."""
    chosen: dict[str, Any] = {name: request.form[name] for name in CHOICES if name in request.form}
    volume = request.form.get(VOLUME, "")
    return chosen | ({VOLUME: int(volume)} if volume.isascii() and volume.isdecimal() and len(volume) < 4 else {})


def settings_page(
    refused: CabildoError | None = None, faults: Sequence[str] = (), sent: Mapping[str, Any] | None = None
) -> Response:
    """Returns the page, with the faults of a form; with what was sent of notices instead of what is stored."""
    reader = visitor()
    wrong = [*faults, *(() if refused is None else error_sentences(refused))]
    page = render_template(
        "own_settings.html",
        **{**_notices(session()), **(sent or {})},
        choices=CHOICES,
        own=own_appearance(reader),
        loudest=LOUDEST,
        wrong=wrong,
        done=request.args.get("done") == DONE,
    )
    status = HTTPStatus.UNPROCESSABLE_ENTITY if faults else HTTPStatus.OK
    response = make_response(page, status if refused is None else problem_of(refused).status)
    response.headers["Cache-Control"] = "no-store"
    return response


def _notices(identity: Identity | None) -> Mapping[str, Any]:
    """Returns what the form of notices shows to a player."""
    if identity is None:
        return {}
    here = container()
    with here.stores.pool.connection() as connection:
        telling = telling_of(settings_of(connection, identity.player) or {})
        address = email_of(connection, here.vault, here.now(), identity.player).confirmed
    quiet = telling.quiet
    return {
        "chosen": telling.ways,
        "zone": telling.zone,
        "kinds": KINDS,
        "ways": WAYS,
        "quiet_from": "" if quiet is None else time_of(quiet.begin),
        "quiet_until": "" if quiet is None else time_of(quiet.end),
        "sends_mail": here.settings.smtp_server is not None,
        "address": address is not None,
    }
