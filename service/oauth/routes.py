"""Routes of OAuth for programs: tokens, device codes, revocation, metadata; and for their makers: programs."""

import re
from collections.abc import Callable
from typing import Final

from flask import Response, jsonify, request
from werkzeug.exceptions import UnsupportedMediaType

from service.core.networks import network_of
from service.oauth import schemas
from service.oauth.authlib_server import AuthorisationServer, OAuth2Error, ProtocolAnswer
from service.oauth.authlib_values import ProtocolRequest
from service.oauth.commands import RegisterProgram, RemoveProgram, register_program, remove_program
from service.oauth.documents import DEVICE, METADATA, REVOKE, TOKEN, ProgramSummary, metadata, program_document
from service.oauth.programs import programs_of
from service.players.commands.confirmation import session_of
from service.players.identity import Identity
from service.web.body_bounds import bound_body
from service.web.problem_types import MEDIA_TYPE
from service.web.routing import Routes, container

FORM: Final = "application/x-www-form-urlencoded"
MOST_BYTES: Final = 16_384
OTHER: Final = re.compile(r"[^ !#-\[\]-~]")  # characters that a description of OAuth does not take
ERRORS: Final = {429: "slow_down", 500: "server_error", 503: "temporarily_unavailable"}  # others: invalid_request
ENDPOINTS: Final = (TOKEN, REVOKE, DEVICE)
routes = Routes("oauth", "OAuth 2.1: sign-in for other programs")


@routes.on("GET", METADATA, answers=schemas.Metadata)
def about() -> dict[str, object]:
    """Read what the authorisation server can do (RFC 8414)."""
    return metadata(container().settings.public_url)


@routes.on("POST", TOKEN, takes=(FORM,), answers=schemas.TokenAnswer, or_answers={400: schemas.OAuthError})
def token() -> Response:
    """Exchange a code, a refresh token or a device code for a token of the service. Errors have the form of OAuth.

    A code is used once and within a minute, with its PKCE verifier; a second use revokes its token, as a second use of
    a refresh token does.
    """
    return _answered(lambda server, asked: server.create_token_response(asked))


@routes.on("POST", REVOKE, takes=(FORM,), answers=schemas.Revoked, or_answers={400: schemas.OAuthError})
def revoke() -> Response:
    """Revoke a token of a program, with its refresh token (RFC 7009)."""
    return _answered(lambda server, asked: server.create_endpoint_response("revocation", asked))


@routes.on("POST", DEVICE, takes=(FORM,), answers=schemas.DeviceAnswer, or_answers={400: schemas.OAuthError})
def begin_device_login() -> Response:
    """Begin a login without a browser (RFC 8628): the player enters `user_code` at `verification_uri`."""
    return _answered(lambda server, asked: server.create_endpoint_response("device_authorization", asked))


@routes.on("GET", "/v1/programs", answers=schemas.Programs, scope="read")
def programs(asker: Identity) -> dict[str, list[ProgramSummary]]:
    """List the programs that you registered. Only a session may."""
    session_of(asker)
    with container().stores.pool.connection() as connection:
        return {"programs": [program_document(program) for program in programs_of(connection, asker.player)]}


@routes.on("POST", "/v1/programs", body=schemas.NewProgram, answers=schemas.ProgramDocument, status=201, scope="read")
def register(body: schemas.ProgramBody, asker: Identity) -> ProgramSummary:
    """Register a program that may ask players for tokens. It is public: it has a `client_id` and no secret.

    Only a session may.
    """
    command = RegisterProgram(asker, body["name"], body["redirects"], body.get("site"))
    return program_document(register_program(container(), command))


@routes.on("DELETE", "/v1/programs/<program>", status=204, scope="read", refuses=(404,), while_blocked=True)
def remove(program: str, asker: Identity) -> None:
    """Remove a program of yours: every token that it holds ends. Only a session may."""
    remove_program(container(), RemoveProgram(asker, program))


def _answered(ask: Callable[[AuthorisationServer, ProtocolRequest], ProtocolAnswer]) -> Response:
    """Returns Authlib's answer to the form of the request."""
    bound_body(MOST_BYTES)
    if request.mimetype != FORM:
        raise UnsupportedMediaType("send application/x-www-form-urlencoded")
    server = AuthorisationServer(container(), network_of(request.remote_addr))
    try:
        asked = ProtocolRequest(request.method, request.form, request.headers)
        answer = ask(server, asked)
    except OAuth2Error as error:
        answer = server.handle_error_response(None, error)
    response = jsonify(answer.body)
    response.status_code = answer.status
    response.headers.update({**answer.headers, "Cache-Control": "no-store"})
    return response


def _with_error_of_oauth(response: Response) -> Response:
    """Adds to the problem of an endpoint what it is as an error of OAuth, which libraries read."""
    if response.mimetype != MEDIA_TYPE or request.path not in ENDPOINTS:
        return response
    problem = response.get_json(force=True)
    error = ERRORS.get(response.status_code, "invalid_request")
    told = {**problem, "error": error, "error_description": OTHER.sub("?", problem["detail"])}
    response.set_data(jsonify(told).get_data())
    return response


routes.blueprint.after_request(_with_error_of_oauth)
