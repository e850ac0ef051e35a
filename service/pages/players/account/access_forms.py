"""The forms of the account's page about access: password, second factor, recovery codes, sessions."""

from typing import Final
from uuid import UUID

from flask import Blueprint, Response, request

from events.errors import CabildoError
from service.pages.players.account.page import PAGE, ShownOnce, account_page, back_to, confirm, confirm_by_form, gone
from service.pages.site.visitor import sender
from service.players.commands.accounts import AccountChanges, ChangeAccount, change_account
from service.players.commands.recovery import MakeRecoveryCodes, make_recovery_codes
from service.players.commands.second_factor import (
    ConfirmSecondFactor,
    EnrolSecondFactor,
    RemoveSecondFactor,
    confirm_second_factor,
    enrol_second_factor,
    remove_second_factor,
)
from service.players.commands.sessions import EndSession, EndSessions, end_session, end_sessions
from service.players.schemas import Change
from service.players.second_factor.schemas import SecondFactorCode, SecondFactorCodeBody
from service.players.second_factor.totp import qr_picture
from service.web.routing import container, load_form

FACTOR: Final = "second-factor"
pages = Blueprint("account_access", __name__)


@pages.post(f"{PAGE}/password")
def change_password() -> Response:
    """Changes the password and ends the other sessions."""
    identity = sender(while_blocked=True)
    given: dict[str, object] = {"password": request.form.get("password", "")}
    if "revoke_tokens" in request.form:
        given["revoke_tokens"] = True
    try:
        changes: AccountChanges = load_form(Change, given)
        confirm(identity)
        change_account(container(), ChangeAccount(identity, changes))
    except CabildoError as refused:
        return account_page(identity, "password", refused)
    return back_to("password", "password")


@pages.post(f"{PAGE}/second-factor")
def enrol() -> Response:
    """Makes a secret for a second factor and shows it once."""
    identity = sender(while_blocked=True)
    try:
        confirm_by_form(identity)
        made = enrol_second_factor(container(), EnrolSecondFactor(identity))
    except CabildoError as refused:
        return account_page(identity, FACTOR, refused)
    return account_page(identity, FACTOR, shown=ShownOnce(secret=made.secret, picture=qr_picture(made.uri)))


@pages.post(f"{PAGE}/second-factor/confirmation")
def switch_factor_on() -> Response:
    """Switches the second factor on with a first code."""
    identity = sender(while_blocked=True)
    try:
        code = _code()
        confirm_by_form(identity)
        confirm_second_factor(container(), ConfirmSecondFactor(identity, code, request.remote_addr))
    except CabildoError as refused:
        return account_page(identity, FACTOR, refused)
    return back_to(FACTOR, "second-factor-on")


@pages.post(f"{PAGE}/second-factor/removal")
def switch_factor_off() -> Response:
    """Switches the second factor off with a code or a recovery code."""
    identity = sender(while_blocked=True)
    try:
        code = _code()
        confirm_by_form(identity)
        remove_second_factor(container(), RemoveSecondFactor(identity, code, request.remote_addr))
    except CabildoError as refused:
        return account_page(identity, FACTOR, refused)
    return back_to(FACTOR, "second-factor-off")


@pages.post(f"{PAGE}/recovery-codes")
def make_codes() -> Response:
    """Makes new recovery codes and shows them once."""
    identity = sender(while_blocked=True)
    try:
        confirm_by_form(identity)
        codes = make_recovery_codes(container(), MakeRecoveryCodes(identity))
    except CabildoError as refused:
        return account_page(identity, "recovery-codes", refused)
    return account_page(identity, "recovery-codes", shown=ShownOnce(codes=codes))


@pages.post(f"{PAGE}/sessions/<uuid:session>/end")
def end(session: UUID) -> Response:
    """Ends a session."""
    identity = sender(while_blocked=True)
    end_session(container(), EndSession(identity, session))
    return gone() if session == identity.session else back_to("sessions", "sessions")


@pages.post(f"{PAGE}/sessions/end")
def end_others() -> Response:
    """Ends all other sessions."""
    end_sessions(container(), EndSessions(sender(while_blocked=True), others=True))
    return back_to("sessions", "sessions")


def _code() -> str:
    """Returns the code in the form; raises InvalidRequest."""
    body: SecondFactorCodeBody = load_form(SecondFactorCode, {"code": request.form.get("code", "")})
    return body["code"]
