"""The administrators' page of texts: those of one game, study or tournament, and the hidden ones."""

from typing import Final
from uuid import UUID

from flask import Blueprint, Response, request

from events.errors import CabildoError
from service.core.clock import iso_time
from service.core.errors import NotThere
from service.moderation.hidden_texts.commands import HideText, ShowText, hide_text, show_text
from service.moderation.hidden_texts.queries import hidden_texts
from service.moderation.hidden_texts.schemas import HideBody, TextToHide
from service.moderation.stored_texts import texts_in
from service.moderation.things import Thing
from service.pages.moderation.admin_site import PAGE, acting, address, administrator, answer, show
from service.players.identity import Identity
from service.players.queries import names_of
from service.web.routing import container, load_form

MOST: Final = 50  # hidden texts on a page
pages = Blueprint("admin_texts", __name__)


@pages.get(f"{PAGE}/texts")
def texts() -> Response:
    """Renders the texts of what the query names, and the hidden texts."""
    identity = administrator()
    try:
        return _page(identity, request.args.get("id", "").strip())
    except NotThere as missing:
        return _page(identity, "", missing)


@pages.post(f"{PAGE}/texts/hidden")
def hide() -> Response:
    """Hides a text."""
    identity = acting()

    def act() -> str:
        body = _body()
        hide_text(container(), HideText(identity.id, _thing(body), body["reason"]))
        return address("/texts", id=body["id"])

    return answer(identity, act, lambda refused: _page(identity, "", refused))


@pages.post(f"{PAGE}/texts/shown")
def show_again() -> Response:
    """Shows a hidden text again."""
    identity = acting()

    def act() -> str:
        body = _body()
        show_text(container(), ShowText(identity.id, _thing(body), body["reason"]))
        return address("/texts", id=body["id"])

    return answer(identity, act, lambda refused: _page(identity, "", refused))


def _body() -> HideBody:
    about, _, number = request.form.get("thing", "").partition(":")
    given = {"about": about, "number": int(number) if number.isdecimal() else 0}
    body: HideBody = load_form(TextToHide, given | {name: request.form.get(name, "") for name in ("id", "reason")})
    return body


def _thing(body: HideBody) -> Thing:
    return Thing(body["about"], body["id"], body["number"])


def _page(identity: Identity, id: str, refused: CabildoError | None = None) -> Response:
    here = container()
    found = texts_in(here, _id(id)) if id else None
    with here.stores.pool.connection() as connection:
        hidden, following = hidden_texts(connection, request.args.get("after") or None, MOST)
        names = names_of(connection, {text.author for text in found.texts if text.author} if found else ())
    return show(
        identity,
        "admin_texts.html",
        refused,
        id=_id(id) if id else "",
        found=found,
        names=names,
        hidden=[(one, iso_time(one.since)) for one in hidden],
        more=following,
    )


def _id(text: str) -> UUID:
    """Returns an id, also out of an address of a page; raises NotThere."""
    for part in reversed(text.partition("#")[0].partition("?")[0].split("/")):
        try:
            return UUID(part)
        except ValueError:
            continue
    raise NotThere("event", text)
