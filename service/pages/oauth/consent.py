"""The page that asks a player whether a program may act for them, and sends the browser back to the program."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, Final

from flask import Blueprint, Response, make_response, redirect, render_template, request
from werkzeug.datastructures import MultiDict

from events.errors import CabildoError
from service.oauth.authlib_server import AuthorisationServer, OAuth2Error
from service.oauth.authlib_values import ProtocolRequest
from service.oauth.documents import AUTHORIZE
from service.oauth.program_tokens import REFRESH_SECONDS
from service.oauth.programs import Program
from service.oauth.redirects import form_target, place
from service.pages.oauth.password import DAY, check_password
from service.pages.site.form_errors import error_sentences
from service.pages.site.visitor import member, sender
from service.players.commands.confirmation import is_confirmed
from service.players.identity import Identity
from service.players.schemas import LONGEST_PASSWORD
from service.web.browsers.security_headers import FORM_TARGET
from service.web.problem_types import problem_of
from service.web.routing import container

PASSED_ON: Final = (  # parameters of the program, which the form repeats
    *("client_id", "redirect_uri", "response_type", "scope", "state"),
    *("code_challenge", "code_challenge_method"),
)
pages = Blueprint("consent_pages", __name__)


@pages.get(AUTHORIZE)
def consent() -> Response:
    """Renders the question, or what is wrong with the request. Nothing sends the browser on before the player does."""
    server = AuthorisationServer(container())
    try:
        asked = ProtocolRequest("GET", _own_parameters(request.args))
        grant, program, scopes = server.checked_consent(asked)
    except OAuth2Error as error:
        return _wrong(server, error)
    return _page(member(), program, scopes, grant.redirect_uri, asked.payload.data)


@pages.post(AUTHORIZE)
def answer() -> Response:
    """Sends the browser back to the program, with a code or with the refusal."""
    identity, server = sender(), AuthorisationServer(container())
    allows = request.form.get("answer") == "allow"
    try:
        asked = ProtocolRequest("POST", _own_parameters(request.form))
        grant, program, scopes = server.checked_consent(asked)
    except OAuth2Error as error:
        return _wrong(server, error)
    try:
        if allows:
            check_password(identity)
    except CabildoError as refused:
        return _page(identity, program, scopes, grant.redirect_uri, asked.payload.data, refused)
    address = server.answer_consent(asked, grant, identity if allows else None)
    response = make_response(redirect(address, HTTPStatus.SEE_OTHER))
    response.headers["Cache-Control"] = "no-store"
    return response


def _page(
    identity: Identity,
    program: Program,
    scopes: Sequence[str],
    address: str,
    passed_on: Any,
    refused: CabildoError | None = None,
) -> Response:
    """Returns the page with the question."""
    with container().stores.pool.connection() as connection:
        confirmed = is_confirmed(connection, container().now(), identity)
    page = render_template(
        "consent.html",
        program=program,
        scopes=scopes,
        place=place(address),
        passed_on=passed_on,
        days=REFRESH_SECONDS // DAY,
        confirmed=confirmed,
        longest=LONGEST_PASSWORD,
        wrong=() if refused is None else tuple(error_sentences(refused)),
    )
    response = make_response(page, HTTPStatus.OK if refused is None else problem_of(refused).status)
    response.headers["Cache-Control"] = "no-store"
    response.headers[FORM_TARGET] = form_target(address)
    return response


def _own_parameters(given: "MultiDict[str, str]") -> "MultiDict[str, str]":
    """Returns the parameters of the protocol; others are ignored."""
    return MultiDict([(name, value) for name in PASSED_ON for value in given.getlist(name)])


def _wrong(server: AuthorisationServer, error: OAuth2Error) -> Response:
    """Returns the page about a wrong request; a link, not the service, leads to the program."""
    back = server.address_of(error) if error.redirect_uri else None
    page = render_template(
        "consent_wrong.html",
        error=error.error,
        described=error.get_error_description(),
        back=back,
        place=place(back) if back else "",
    )
    response = make_response(page, HTTPStatus.BAD_REQUEST)
    response.headers["Cache-Control"] = "no-store"
    return response
