"""Routes of e-mail addresses, and of recovery by mail."""

from flask import request

from service.core.clock import iso_time
from service.players.commands.confirmation import session_of
from service.players.commands.email import (
    ConfirmEmailAddress,
    RemoveEmailAddress,
    SetEmailAddress,
    confirm_email_address,
    remove_email_address,
    set_email_address,
)
from service.players.commands.mailed_recovery import AskForRecoveryMail, ask_for_recovery_mail
from service.players.email import schemas
from service.players.email.storage import AccountEmail, email_of
from service.players.identity import Identity
from service.web.responses import request_language
from service.web.routing import Routes, container

routes = Routes("email", "E-mail addresses of accounts")


@routes.on("GET", "/v1/me/email", answers=schemas.EmailDocument, scope="read")
def email(asker: Identity) -> schemas.EmailSummary:
    """Read the e-mail address of your account. Only a session may."""
    session_of(asker)
    here = container()
    with here.stores.pool.connection() as connection:
        return _document(email_of(connection, here.vault, here.now(), asker.player))


@routes.on(
    "PUT",
    "/v1/me/email",
    body=schemas.NewEmail,
    answers=schemas.EmailDocument,
    status=202,
    scope="read",
    refuses=(409, 503),
    while_blocked=True,
)
def store(body: schemas.NewEmailBody, asker: Identity) -> schemas.EmailSummary:
    """Store an e-mail address; it counts once the code of the mail was entered, within 30 minutes.

    Only a session may, within ten minutes after its password was given. Other accounts may have the same address. The
    language of the request is that of mails to it.
    """
    return _document(set_email_address(container(), SetEmailAddress(asker, body["address"], request_language())))


@routes.on(
    "POST",
    "/v1/me/email/confirmation",
    body=schemas.EmailCode,
    answers=schemas.EmailDocument,
    scope="read",
    while_blocked=True,
)
def confirm(body: schemas.EmailCodeBody, asker: Identity) -> schemas.EmailSummary:
    """Enter the code of the mail. The address that is replaced is told. Only a session may."""
    return _document(confirm_email_address(container(), ConfirmEmailAddress(asker, body["code"])))


@routes.on("DELETE", "/v1/me/email", status=204, scope="read", while_blocked=True)
def remove(asker: Identity) -> None:
    """Remove the e-mail address, which is told.

    Only a session may, within ten minutes after its password was given.
    """
    remove_email_address(container(), RemoveEmailAddress(asker))


@routes.on("POST", "/v1/recovery/mail", body=schemas.RecoveryRequest, status=202, refuses=(409, 503))
def ask_for_recovery(body: schemas.RecoveryRequestBody) -> None:
    """Ask for a recovery code by mail, for a name or an e-mail address.

    The answer is the same whether there is such an account or not. The code is valid for 30 minutes, at
    `POST /v1/recovery`.
    """
    ask_for_recovery_mail(container(), AskForRecoveryMail(body["account"], request.remote_addr))


def _document(stored: AccountEmail) -> schemas.EmailSummary:
    return {
        "address": None if stored.confirmed is None else stored.confirmed.address,
        "since": None if stored.confirmed is None else iso_time(stored.confirmed.confirmed),
        "waiting": None if stored.waiting is None else stored.waiting.address,
        "mail": container().settings.smtp_server is not None,
    }
