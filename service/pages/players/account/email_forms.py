"""The forms of the account's page about the e-mail address: stores it, takes the code of its mail, removes it."""

from typing import Final

from flask import Blueprint, Response, request

from events.errors import CabildoError
from service.pages.players.account.page import PAGE, account_page, back_to, confirm_by_form
from service.pages.site.visitor import sender
from service.players.commands.email import (
    ConfirmEmailAddress,
    RemoveEmailAddress,
    SetEmailAddress,
    confirm_email_address,
    remove_email_address,
    set_email_address,
)
from service.players.email.schemas import EmailCode, EmailCodeBody, NewEmail, NewEmailBody
from service.web.responses import request_language
from service.web.routing import container, load_form

EMAIL: Final = "email"
pages = Blueprint("account_email", __name__)


@pages.post(f"{PAGE}/email")
def store() -> Response:
    """Stores an address and mails its code."""
    identity = sender(while_blocked=True)
    try:
        body: NewEmailBody = load_form(NewEmail, {"address": request.form.get("address", "").strip()})
        confirm_by_form(identity)
        set_email_address(container(), SetEmailAddress(identity, body["address"], request_language()))
    except CabildoError as refused:
        return account_page(identity, EMAIL, refused)
    return back_to(EMAIL, "email-sent")


@pages.post(f"{PAGE}/email/confirmation")
def confirm_address() -> Response:
    """Enters the code of the mail."""
    identity = sender(while_blocked=True)
    try:
        body: EmailCodeBody = load_form(EmailCode, {"code": request.form.get("code", "")})
        confirm_email_address(container(), ConfirmEmailAddress(identity, body["code"]))
    except CabildoError as refused:
        return account_page(identity, EMAIL, refused)
    return back_to(EMAIL, "email-confirmed")


@pages.post(f"{PAGE}/email/removal")
def remove() -> Response:
    """Removes the address, and one that waits for its code."""
    identity = sender(while_blocked=True)
    try:
        confirm_by_form(identity)
        remove_email_address(container(), RemoveEmailAddress(identity))
    except CabildoError as refused:
        return account_page(identity, EMAIL, refused)
    return back_to(EMAIL, "email-removed")
