"""The page of sessions: lists and ends them, changes the password, makes recovery codes, deletes the account."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Final
from uuid import UUID

from flask import Blueprint, Response, make_response, redirect, render_template, request

from events.errors import CabildoError
from service.core.clock import iso_time
from service.pages.site.form_errors import error_sentences
from service.pages.site.visitor import member, sender
from service.players.commands.accounts import AccountChanges, ChangeAccount, change_account
from service.players.commands.confirmation import ConfirmPassword, confirm_password
from service.players.commands.erasure import ErasePlayer, erase_player
from service.players.commands.recovery import MakeRecoveryCodes, make_recovery_codes
from service.players.commands.sessions import EndSession, EndSessions, end_session, end_sessions
from service.players.identity import Identity
from service.players.queries import count_recovery_codes, sessions_of
from service.players.schemas import LONGEST_PASSWORD, SHORTEST_PASSWORD, Change
from service.web.auth import clear_session_cookie
from service.web.problem_types import problem_of
from service.web.routing import container, load_form

PAGE: Final = "/sessions"
pages = Blueprint("session_pages", __name__)


@pages.get(PAGE)
def sessions() -> Response:
    """Renders the visitor's sessions, and the forms for the password and the account."""
    return _page(member())


@pages.post(f"{PAGE}/<uuid:session>/end")
def end(session: UUID) -> Response:
    """Ends a session."""
    identity = sender(while_blocked=True)
    end_session(container(), EndSession(identity, session))
    return _gone() if session == identity.session else _back("ended")


@pages.post(f"{PAGE}/end")
def end_others() -> Response:
    """Ends all other sessions."""
    end_sessions(container(), EndSessions(sender(while_blocked=True), others=True))
    return _back("ended")


@pages.post(f"{PAGE}/password")
def change_password() -> Response:
    """Changes the password and ends the other sessions, or renders the form again with its errors."""
    identity = sender(while_blocked=True)
    given: dict[str, object] = {"password": request.form.get("password", "")}
    if "revoke_tokens" in request.form:
        given["revoke_tokens"] = True
    try:
        changes: AccountChanges = load_form(Change, given)
        _confirm(identity)
        change_account(container(), ChangeAccount(identity, changes))
    except CabildoError as refused:
        return _page(identity, refused)
    return _back("changed")


@pages.post(f"{PAGE}/recovery-codes")
def make_codes() -> Response:
    """Makes new recovery codes and shows them once."""
    identity = sender(while_blocked=True)
    try:
        _confirm(identity)
        codes = make_recovery_codes(container(), MakeRecoveryCodes(identity))
    except CabildoError as refused:
        return _page(identity, refused)
    return _page(identity, codes=codes)


@pages.post(f"{PAGE}/deletion")
def erase() -> Response:
    """Deletes the account."""
    identity = sender(while_blocked=True)
    try:
        _confirm(identity)
        erase_player(container(), ErasePlayer(identity))
    except CabildoError as refused:
        return _page(identity, refused)
    return _gone()


def confirm_by_form(identity: Identity) -> None:
    """Confirms the session by the present password in the form, if it holds one."""
    if request.form.get("present"):
        _confirm(identity)


def _confirm(identity: Identity) -> None:
    given = request.form.get("present", "")[: LONGEST_PASSWORD + 1]
    confirm_password(container(), ConfirmPassword(identity, given, request.remote_addr))


def _page(identity: Identity, refused: CabildoError | None = None, codes: Sequence[str] = ()) -> Response:
    here = container()
    with here.stores.pool.connection() as connection:
        found = sessions_of(connection, identity.player, here.now())
        codes_left = count_recovery_codes(connection, identity.player, here.now())
    page = render_template(
        "sessions.html",
        sessions=[{**one._asdict(), "created": iso_time(one.created), "used": iso_time(one.used)} for one in found],
        own=identity.session,
        codes=codes,
        codes_left=codes_left,
        wrong=() if refused is None else tuple(error_sentences(refused)),
        done=next((what for what in ("ended", "changed") if what in request.args), None),
        shortest=SHORTEST_PASSWORD,
        longest=LONGEST_PASSWORD,
    )
    response = make_response(page, HTTPStatus.OK if refused is None else problem_of(refused).status)
    response.headers["Cache-Control"] = "no-store"
    return response


def _back(done: str) -> Response:
    return make_response(redirect(f"{PAGE}?{done}=1", HTTPStatus.SEE_OTHER))


def _gone() -> Response:
    """Returns the way to the home page for a browser that is logged out."""
    response = make_response(redirect("/", HTTPStatus.SEE_OTHER))
    clear_session_cookie(response)
    return response
