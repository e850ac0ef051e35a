"""Routes of the second factor."""

from flask import Response, jsonify, make_response, request

from service.core.clock import iso_time
from service.players.commands.confirmation import session_of
from service.players.commands.second_factor import (
    ConfirmSecondFactor,
    EnrolSecondFactor,
    RemoveSecondFactor,
    confirm_second_factor,
    enrol_second_factor,
    remove_second_factor,
)
from service.players.commands.sessions import FinishLogin, finish_login
from service.players.documents import PlayerSession, player_document
from service.players.identity import Identity
from service.players.queries import get_player
from service.players.schemas import SessionDocument
from service.players.second_factor import schemas
from service.players.second_factor.storage import second_factor_of
from service.players.second_factor.totp import qr_picture
from service.web.auth import set_session_cookie
from service.web.routing import Routes, container

routes = Routes("second factor", "Second factor of logins")


@routes.on(
    "POST", "/v1/session/second-factor", body=schemas.SecondStep, answers=SessionDocument, status=201, refuses=(401,)
)
def finish(body: schemas.SecondStepBody) -> Response:
    """Log a browser in with the ticket of `second_factor_needed` and a code, which is used up.

    Wrong codes delay further ones as wrong passwords do.
    """
    here = container()
    command = FinishLogin(body["ticket"], body["code"], request.remote_addr, request.user_agent.string)
    secret, identity = finish_login(here, command)
    with here.stores.pool.connection() as connection:
        player = player_document(get_player(connection, identity.player))
    document: PlayerSession = {"player": player, "csrf": identity.csrf or ""}
    response = make_response(jsonify(SessionDocument().dump(document)), 201)
    set_session_cookie(response, secret, secure=here.settings.public_url.startswith("https:"))
    return response


@routes.on("GET", "/v1/me/second-factor", answers=schemas.SecondFactorDocument, scope="read")
def second_factor(asker: Identity) -> schemas.SecondFactorSummary:
    """Read whether your logins need a code. Only a session may."""
    session_of(asker)
    with container().stores.pool.connection() as connection:
        factor = second_factor_of(connection, asker.player)
    since = None if factor is None else factor.confirmed
    return {"on": since is not None, "since": iso_time(since)}


@routes.on(
    "POST",
    "/v1/me/second-factor",
    answers=schemas.EnrolmentDocument,
    status=201,
    scope="read",
    refuses=(409,),
    while_blocked=True,
)
def enrol(asker: Identity) -> schemas.EnrolmentSummary:
    """Make a secret for an authenticator app. Logins need no code before a first one was given.

    Only a session may, within ten minutes after its password was given.
    """
    made = enrol_second_factor(container(), EnrolSecondFactor(asker))
    return {"secret": made.secret, "uri": made.uri, "qr": qr_picture(made.uri)}


@routes.on(
    "POST",
    "/v1/me/second-factor/confirmation",
    body=schemas.SecondFactorCode,
    status=204,
    scope="read",
    refuses=(401, 404, 409),
    while_blocked=True,
)
def confirm(body: schemas.SecondFactorCodeBody, asker: Identity) -> None:
    """Switch the second factor on with a first code; other sessions end.

    Only a session may, within ten minutes after its password was given.
    """
    confirm_second_factor(container(), ConfirmSecondFactor(asker, body["code"], request.remote_addr))


@routes.on(
    "POST",
    "/v1/me/second-factor/removal",
    body=schemas.SecondFactorCode,
    status=204,
    scope="read",
    refuses=(401, 404),
    while_blocked=True,
)
def remove(body: schemas.SecondFactorCodeBody, asker: Identity) -> None:
    """Switch the second factor off with a code, or with a recovery code.

    Only a session may, within ten minutes after its password was given.
    """
    remove_second_factor(container(), RemoveSecondFactor(asker, body["code"], request.remote_addr))
