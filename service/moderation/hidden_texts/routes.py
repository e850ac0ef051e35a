"""Routes of hidden texts, for administrators."""

from typing import TypedDict

import structlog
from flask import Response

from service.core.clock import iso_time
from service.moderation.hidden_texts import schemas
from service.moderation.hidden_texts.commands import HideText, ShowText, hide_text, show_text
from service.moderation.hidden_texts.queries import hidden_texts
from service.moderation.schemas import CursorQuery, LoadedCursorQuery
from service.moderation.things import Thing
from service.players.identity import Identity
from service.web.responses import page_response
from service.web.routing import Routes, container

log = structlog.get_logger("service.moderation")
routes = Routes("hidden texts", "Texts that administrators hide from readers")


class TextStateDocument(TypedDict):
    """A text, and whether it is hidden."""

    about: str
    id: str
    number: int
    hidden: bool


@routes.on(
    "POST",
    "/v1/admin/hidden-texts",
    body=schemas.TextToHide,
    answers=schemas.TextState,
    status=201,
    scope="admin",
    refuses=(404,),
)
def hide(body: schemas.HideBody, asker: Identity) -> TextStateDocument:
    """Hide a text: readers, its author too, see a notice in its place, everywhere within a second."""
    thing = Thing(body["about"], body["id"], body["number"])
    hide_text(container(), HideText(asker.id, thing, body["reason"]))
    return _state(thing, hidden=True)


@routes.on(
    "POST",
    "/v1/admin/shown-texts",
    body=schemas.TextToHide,
    answers=schemas.TextState,
    status=201,
    scope="admin",
    refuses=(404,),
)
def show(body: schemas.HideBody, asker: Identity) -> TextStateDocument:
    """Show a hidden text again."""
    thing = Thing(body["about"], body["id"], body["number"])
    show_text(container(), ShowText(asker.id, thing, body["reason"]))
    return _state(thing, hidden=False)


@routes.on("GET", "/v1/admin/hidden-texts", query=CursorQuery, answers=schemas.HiddenTexts, scope="admin", paged=True)
def hidden(query: LoadedCursorQuery, asker: Identity) -> Response:
    """List the hidden texts, the newest first, for administrators to read."""
    with container().stores.pool.connection() as connection:
        found, following = hidden_texts(connection, query["after"], query["limit"])
    texts = [
        {
            "about": one.thing.about,
            "id": str(one.thing.id),
            "number": one.thing.number,
            "since": iso_time(one.since),
            "texts": list(one.texts),
        }
        for one in found
    ]
    log.info("hidden texts read", by=asker.id)
    return page_response("texts", texts, following)


def _state(thing: Thing, *, hidden: bool) -> TextStateDocument:
    return {"about": thing.about, "id": str(thing.id), "number": thing.number, "hidden": hidden}
