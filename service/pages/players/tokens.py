"""The page of tokens: creates one with scopes and an expiry, shows its secret once, lists last uses, revokes."""

from http import HTTPStatus
from typing import Final
from uuid import UUID

from flask import Blueprint, Response, make_response, redirect, render_template, request

from events.errors import CabildoError
from events.messages import Message
from service.core.clock import iso_time
from service.core.errors import InvalidRequest, ServiceBusy, TooManyAttempts, Unauthenticated
from service.pages.games.new_game import number
from service.pages.players.sessions import confirm_by_form
from service.pages.site.form_errors import error_sentences
from service.pages.site.visitor import member, sender
from service.players.commands.confirmation import is_confirmed
from service.players.commands.tokens import IssueToken, RevokeToken, issue_token, revoke_token
from service.players.errors import ConfirmationRequired
from service.players.identity import FIRST_SCOPES
from service.players.queries import tokens_of
from service.web.problem_types import problem_of
from service.web.routing import container

LONGEST_LABEL: Final = 80
DAY_SECONDS: Final = 86_400
DAYS: Final = (0, 1, 7, 30, 365)  # days until a token expires; 0: never
MOST_DAYS: Final = 10 * 366
FORGIVEN: Final = (ConfirmationRequired, ServiceBusy, TooManyAttempts, Unauthenticated)  # errors shown in the form
pages = Blueprint("tokens", __name__)


@pages.get("/tokens")
def tokens() -> Response:
    """Renders the visitor's tokens and the form for a new one, which the query may fill in."""
    return _page(None)


@pages.post("/tokens")
def make() -> Response:
    """Creates a token and shows its secret once."""
    identity = sender(while_blocked=True)
    scopes, label, days = request.form.getlist("scopes"), request.form.get("label", ""), number(request.form, "days")
    if not scopes or days > MOST_DAYS or len(label) > LONGEST_LABEL:
        raise InvalidRequest(
            {
                "scopes": [
                    Message(
                        "takes a scope, at most {days} days and {longest} characters",
                        days=MOST_DAYS,
                        longest=LONGEST_LABEL,
                    )
                ]
            }
        )
    command = IssueToken(identity, label, scopes, days * DAY_SECONDS if days else None)
    try:
        confirm_by_form(identity)
        return _page(issue_token(container(), command)[1])
    except FORGIVEN as refused:
        return _page(None, refused)


@pages.post("/tokens/<uuid:token>/revoke")
def revoke(token: UUID) -> Response:
    """Revokes a token."""
    identity = sender(while_blocked=True)
    revoke_token(container(), RevokeToken(identity, token))
    return make_response(redirect("/tokens", 303))


def _page(secret: str | None, refused: CabildoError | None = None) -> Response:
    here, identity = container(), member()
    with here.stores.pool.connection() as connection:
        own = tokens_of(connection, identity.player)
        confirmed = is_confirmed(connection, here.now(), identity)
    chosen = [scope for scope in request.args.get("scopes", "").split(",") if scope in FIRST_SCOPES]
    rows = [
        {
            **token._asdict(),
            "created": iso_time(token.created),
            "expires": iso_time(token.expires),
            "used": iso_time(token.used),
        }
        for token in own
    ]
    page = render_template(
        "tokens.html",
        tokens=rows,
        scopes=FIRST_SCOPES,
        chosen=chosen or ("read", "play"),
        label=request.args.get("label", "")[:LONGEST_LABEL],
        days=DAYS,
        secret=secret,
        confirmed=confirmed,
        wrong=() if refused is None else tuple(error_sentences(refused)),
    )
    response = make_response(page, HTTPStatus.OK if refused is None else problem_of(refused).status)
    response.headers["Cache-Control"] = "no-store"
    return response
