"""The page of webhooks: creates one, shows its secret once, lists deliveries and failures, tests and removes."""

from http import HTTPStatus
from typing import Any, Final
from uuid import UUID

from flask import Blueprint, Response, make_response, redirect, render_template, request

from events.errors import CabildoError
from projections.games.record import OPEN, RUNNING
from projections.tournaments.record import ALIVE
from service.pages.games.game_lists import find_games
from service.pages.site import form_errors
from service.pages.site.visitor import member, sender
from service.players.identity import Identity
from service.tournaments import listing
from service.web.problem_types import problem_of
from service.web.responses import request_language
from service.web.routing import container, load_form
from service.webhooks.commands import (
    CreateWebhook,
    RemoveWebhook,
    SendTest,
    SwitchWebhookOn,
    create_webhook,
    remove_webhook,
    send_test,
    switch_webhook_on,
)
from service.webhooks.documents import hook_document
from service.webhooks.queries import hooks_of
from service.webhooks.schemas import HookRequest, NewWebhook
from service.webhooks.slots import Followed

MOST: Final = 50  # tournaments, and games, in the choice
OWN: Final = {"own": True}
ANY: Final = dict.fromkeys(("status", "game", "player", "after"))
FIELDS: Final = ("url", "tournament", "game")
pages = Blueprint("webhook_pages", __name__)


@pages.get("/webhooks")
def webhooks() -> Response:
    """Renders the visitor's webhooks and the form for a new one."""
    return _page(member())


@pages.post("/webhooks")
def make() -> Response:
    """Creates a webhook and shows its secret once, or renders the form again with its errors."""
    identity = sender()
    given = {name: value.strip() for name in FIELDS if (value := request.form.get(name, "")).strip()}
    try:
        body: HookRequest = load_form(NewWebhook, given)
        command = CreateWebhook(body["url"], Followed(body["tournament"], body["game"]))
        container().authenticator.check(identity)
        _, secret = create_webhook(container(), command, identity.player)
    except CabildoError as refused:
        return _page(identity, wrong=refused)
    return _page(identity, secret=secret)


@pages.post("/webhooks/<uuid:hook>/test")
def try_out(hook: UUID) -> Response:
    """Sends a test message; the page shows the result of its delivery."""
    identity = sender()
    try:
        send_test(container(), SendTest(hook), identity.player)
    except CabildoError as refused:
        return _page(identity, wrong=refused)
    return make_response(redirect("/webhooks?sent=1", HTTPStatus.SEE_OTHER))


@pages.post("/webhooks/<uuid:hook>/on")
def switch_on(hook: UUID) -> Response:
    """Switches a webhook on again."""
    switch_webhook_on(container(), SwitchWebhookOn(hook), sender().player)
    return make_response(redirect("/webhooks", HTTPStatus.SEE_OTHER))


@pages.post("/webhooks/<uuid:hook>/removal")
def remove(hook: UUID) -> Response:
    """Removes a webhook."""
    remove_webhook(container(), RemoveWebhook(hook), sender(while_blocked=True).player)
    return make_response(redirect("/webhooks", HTTPStatus.SEE_OTHER))


def _page(identity: Identity, secret: str | None = None, wrong: CabildoError | None = None) -> Response:
    with container().stores.pool.connection() as connection:
        known = listing.find(connection, ANY, identity.id, MOST, request_language()).rows
        hooks = hooks_of(connection, identity.player)
    games = find_games(OWN, identity.id, MOST, request_language()).games
    page = render_template(
        "webhooks.html",
        hooks=[hook_document(hook) for hook in hooks],
        tournaments=[row for row in known if row["status"] in ALIVE],
        games=[card for card in games if card.status in (OPEN, RUNNING)],
        titles={row["id"]: row["text"] for row in known},
        given=_given(),
        secret=secret,
        wrong=() if wrong is None else tuple(form_errors.error_sentences(wrong)),
        sent="sent" in request.args,
    )
    response = make_response(page, HTTPStatus.OK if wrong is None else problem_of(wrong).status)
    response.headers["Cache-Control"] = "no-store"
    return response


def _given() -> dict[str, Any]:
    """Returns the values of the form, from the query or from a refused submission."""
    return {name: request.values.get(name, "") for name in FIELDS}
