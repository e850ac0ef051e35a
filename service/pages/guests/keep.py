"""The page of a guest's account: keep it by a name and a password, or delete it."""

from http import HTTPStatus

from flask import Blueprint, Response, make_response, redirect, render_template, request

from events.errors import CabildoError
from service.core.errors import NotAllowed
from service.pages.players.account.page import gone
from service.pages.players.accounts import WELCOME
from service.pages.site.form_errors import error_sentences
from service.pages.site.language import within
from service.pages.site.visitor import member, sender
from service.players.commands.erasure import NO_GUEST, EraseGuest, erase_guest
from service.players.commands.guests import UNUSED_SECONDS, KeepGuest, keep_guest
from service.players.identity import Identity
from service.players.schemas import LONGEST_PASSWORD, SHORTEST_PASSWORD, Change
from service.web.problem_types import problem_of
from service.web.routing import container, load_form

DAY = 86_400
pages = Blueprint("guest_pages", __name__)


@pages.get("/keep")
def guest() -> Response:
    """Renders the page; an account that lasts has the page of its own."""
    identity = member()
    return _page() if identity.guest else make_response(redirect("/account"))


@pages.post("/keep")
def keep() -> Response:
    """Gives the guest a name and a password, and goes on where the guest came from, else with the welcome."""
    identity = sender(guests=True)
    if not identity.guest:
        raise NotAllowed("no_guest", NO_GUEST)
    try:
        keep_guest(container(), _command(identity))
    except CabildoError as refused:
        return _page(refused)
    return make_response(redirect(within(request.form.get("next", WELCOME)), HTTPStatus.SEE_OTHER))


@pages.post("/keep/deletion")
def erase() -> Response:
    """Deletes the guest's account at once."""
    erase_guest(container(), EraseGuest(sender(while_blocked=True, guests=True)))
    return gone()


def _command(identity: Identity) -> KeepGuest:
    """Returns the command of the form; raises InvalidRequest."""
    given = {name: request.form.get(name, "") for name in ("name", "password")}
    loaded = load_form(Change, given)
    return KeepGuest(identity, loaded["name"], loaded["password"], request.remote_addr)


def _page(refused: CabildoError | None = None) -> Response:
    page = render_template(
        "keep.html",
        name=request.form.get("name", ""),
        wrong=() if refused is None else tuple(error_sentences(refused)),
        next=within(request.values.get("next", WELCOME)),
        days=UNUSED_SECONDS // DAY,
        shortest=SHORTEST_PASSWORD,
        longest=LONGEST_PASSWORD,
    )
    response = make_response(page, HTTPStatus.OK if refused is None else problem_of(refused).status)
    response.headers["Cache-Control"] = "no-store"
    return response
