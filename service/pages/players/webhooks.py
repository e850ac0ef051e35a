"""The page of webhooks: name an address, see its secret once, what arrived there and what did not; try it, end it."""

from http import HTTPStatus
from typing import Any, Final
from uuid import UUID

from flask import Blueprint, Response, make_response, redirect, render_template, request

from events.errors import CabildoError
from projections.tournaments.record import ALIVE
from service.pages.site import form_errors
from service.pages.site.visitor import member, sender
from service.players.credentials import Identity
from service.tournaments import listing
from service.web.problem_types import problem_of
from service.web.routing import container, load_form
from service.webhooks import routes as hooks
from service.webhooks.schemas import NewWebhook

MOST: Final = 50  # tournaments to choose from
ANY: Final = dict.fromkeys(("status", "game", "player", "after"))
pages = Blueprint("webhook_pages", __name__)


@pages.get("/webhooks")
def webhooks() -> Response:
    """The visitor's webhooks, and the form for another."""
    return _page(member())


@pages.post("/webhooks")
def make() -> Response:
    """Make a webhook and show its secret, this once; or show the form again with what is wrong."""
    identity = sender()
    given = {name: value.strip() for name in ("url", "tournament") if (value := request.form.get(name, "")).strip()}
    try:
        asked = load_form(NewWebhook, given)
        made = hooks.create(body={"url": asked["url"], "tournament": asked["tournament"]}, asker=identity)
    except CabildoError as refused:
        return _page(identity, wrong=refused)
    return _page(identity, secret=made["secret"])


@pages.post("/webhooks/<uuid:hook>/test")
def try_out(hook: UUID) -> Response:
    """Send a message that tells nothing; the page says what became of it."""
    identity = sender()
    try:
        hooks.try_out(hook=hook, asker=identity)
    except CabildoError as refused:
        return _page(identity, wrong=refused)
    return make_response(redirect("/webhooks?sent=1", HTTPStatus.SEE_OTHER))


@pages.post("/webhooks/<uuid:hook>/removal")
def remove(hook: UUID) -> Response:
    """Take a webhook away."""
    hooks.remove(hook=hook, asker=sender())
    return make_response(redirect("/webhooks", HTTPStatus.SEE_OTHER))


def _page(identity: Identity, secret: str | None = None, wrong: CabildoError | None = None) -> Response:
    with container().stores.pool.connection() as connection:
        known = listing.find(connection, ANY, identity.id, MOST).rows
    page = render_template(
        "webhooks.html",
        hooks=hooks.webhooks(asker=identity)["webhooks"],
        tournaments=[row for row in known if row["status"] in ALIVE],
        titles={row["id"]: row["text"] for row in known},
        given=_given(),
        secret=secret,
        wrong=() if wrong is None else tuple(form_errors.told(wrong)),
        sent="sent" in request.args,
    )
    response = make_response(page, HTTPStatus.OK if wrong is None else problem_of(wrong).status)
    response.headers["Cache-Control"] = "no-store"
    return response


def _given() -> dict[str, Any]:
    """What the form holds already: of the address of the page, or of what could not be taken."""
    return {name: request.values.get(name, "") for name in ("url", "tournament")}
