"""Shared by the administrators' pages: who may see them, the password before an act, the answer to a form."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Final
from urllib.parse import urlencode

import structlog
from flask import Response, abort, make_response, redirect, render_template, request

from events.errors import CabildoError
from service.i18n import messages
from service.moderation.administrators import is_administrator
from service.moderation.schemas import LONGEST_REASON
from service.moderation.things import NOUNS
from service.pages.site.form_errors import error_sentences
from service.pages.site.visitor import member, sender
from service.players.commands.confirmation import (
    ConfirmPassword,
    check_confirmed,
    confirm_password,
    is_confirmed,
)
from service.players.identity import Identity
from service.players.schemas import LONGEST_PASSWORD
from service.web.problem_types import problem_of
from service.web.responses import request_language
from service.web.routing import check_not_blocked, container

PAGE: Final = "/admin"
log = structlog.get_logger("service.moderation")


def administrator() -> Identity:
    """Returns the visitor's identity; answers 404 to other players, and sends anonymous visitors to log in."""
    identity = member()
    _need(identity)
    check_not_blocked(identity)
    log.info("page of administrators read", by=identity.id, page=request.path)
    return identity


def acting() -> Identity:
    """Returns the sender of a form of administrators; answers 404 to other players.

    Raises NotAllowed for a wrong CSRF value, AccountBlocked for a blocked account.
    """
    identity = sender()
    _need(identity)
    return identity


def confirm(identity: Identity) -> None:
    """Confirms the session by the password in the form, if it holds one; raises ConfirmationRequired without any."""
    here = container()
    if request.form.get("present"):
        given = request.form["present"][: LONGEST_PASSWORD + 1]
        confirm_password(here, ConfirmPassword(identity, given, request.remote_addr))
    with here.stores.pool.connection() as connection:
        check_confirmed(connection, here.now(), identity)


def answer(identity: Identity, act: Callable[[], str], page: Callable[[CabildoError], Response]) -> Response:
    """Carries out an act and redirects to the address it returns; a refused one shows the page with its reasons."""
    try:
        confirm(identity)
        return make_response(redirect(act(), HTTPStatus.SEE_OTHER))
    except CabildoError as refused:
        return page(refused)


def show(identity: Identity, template: str, refused: CabildoError | None = None, **variables: object) -> Response:
    """Returns a page of administrators."""
    here, language = container(), request_language()
    with here.stores.pool.connection() as connection:
        confirmed = is_confirmed(connection, here.now(), identity)
    page = render_template(
        template,
        confirmed=confirmed,
        wrong=() if refused is None else tuple(error_sentences(refused)),
        done="done" in request.args,
        nouns={kind: messages.translate(noun, language) for kind, noun in NOUNS.items()},
        longest_reason=LONGEST_REASON,
        longest_password=LONGEST_PASSWORD,
        given=request.form,
        **variables,
    )
    response = make_response(page, HTTPStatus.OK if refused is None else problem_of(refused).status)
    response.headers["Cache-Control"] = "no-store"
    return response


def address(path: str, **query: object) -> str:
    """Returns the address of a page of administrators that says that an act was carried out."""
    return f"{PAGE}{path}?{urlencode({**query, 'done': 1})}"


def _need(identity: Identity) -> None:
    with container().stores.pool.connection() as connection:
        if not is_administrator(connection, identity.player):
            abort(404)
