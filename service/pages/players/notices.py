"""The form of what a player is told of by which way, and the page that ends notices by mail."""

from typing import Final
from uuid import UUID

from flask import Blueprint, Response, make_response, redirect, render_template, request

from events.errors import CabildoError
from service.core.errors import NotThere
from service.i18n.phrases import phrase
from service.notices.unsubscribe import PATH, end_mails, is_link
from service.pages.players.own_settings import DONE, PAGE, settings_page
from service.pages.site.visitor import sender
from service.players.commands.preferences import ChangeSettings, change_settings
from service.players.preferences.schemas import SettingsBody, SettingsChange
from service.players.preferences.values import KINDS, NOTIFY, QUIET, WAYS, ZONE
from service.web.responses import request_language
from service.web.routing import container, load_form

LINK: Final = f"{PATH}/<uuid:player>/<mark>"
pages = Blueprint("notices", __name__)


@pages.post(f"{PAGE}/notices")
def choose() -> Response:
    """Stores what the player is told of, by which ways, and the quiet hours."""
    identity = sender(while_blocked=True)
    begin, until, zone = (request.form.get(name, "") for name in ("from", "until", ZONE))
    ways = {kind: request.form.getlist(kind)[: len(WAYS) + 1] for kind in KINDS}
    sent = {"chosen": ways, "quiet_from": begin, "quiet_until": until, "zone": zone}
    if bool(begin) != bool(until):
        return settings_page(faults=[phrase(request_language(), "notices.half_quiet")], sent=sent)
    quiet = {"from": begin, "until": until} if begin else None
    try:
        body: SettingsBody = load_form(SettingsChange, {NOTIFY: ways, QUIET: quiet, ZONE: zone})
        change_settings(container(), ChangeSettings(identity, body))
    except CabildoError as refused:
        return settings_page(refused, sent=sent)
    return make_response(redirect(f"{PAGE}?done={DONE}", 303))


@pages.get(LINK)
def ask(player: UUID, mark: str) -> str:
    """Asks whether mails are to end: programs that open all links of a mail end nothing."""
    _check(player, mark)
    return render_template("unsubscribe.html", stopped=False)


@pages.post(LINK)
def end(player: UUID, mark: str) -> str:
    """Ends notices by mail, also by the one click that mail programs offer; needs no login."""
    _check(player, mark)
    with container().stores.pool.connection() as connection:
        end_mails(connection, container(), player)
    return render_template("unsubscribe.html", stopped=True)


def _check(player: UUID, mark: str) -> None:
    with container().stores.pool.connection() as connection:
        if not is_link(connection, container(), player, mark):
            raise NotThere("player", player)
