"""The forms of the account's page about the account itself: name, export, deletion."""

from flask import Blueprint, Response, request

from events.errors import CabildoError
from events.messages import Message
from service.core.errors import InvalidRequest
from service.pages.players.account.page import PAGE, account_page, back_to, confirm, confirm_by_form, gone
from service.pages.site.visitor import sender
from service.players.commands.accounts import AccountChanges, ChangeAccount, change_account
from service.players.commands.erasure import ErasePlayer, erase_player
from service.players.export.account_archive import FILE_NAME, MEDIA_TYPE, export_account
from service.players.identity import Identity
from service.players.queries import get_player
from service.players.schemas import Change
from service.web.responses import file_response
from service.web.routing import container, load_form

pages = Blueprint("account_owner", __name__)


@pages.post(f"{PAGE}/name")
def rename() -> Response:
    """Changes the name."""
    identity = sender()
    try:
        changes: AccountChanges = load_form(Change, {"name": request.form.get("name", "")})
        change_account(container(), ChangeAccount(identity, changes))
    except CabildoError as refused:
        return account_page(identity, "name", refused)
    return back_to("name", "name")


@pages.post(f"{PAGE}/export")
def export() -> Response:
    """Sends a part of the export of the account."""
    identity = sender(while_blocked=True)
    try:
        confirm_by_form(identity)
        part = export_account(container(), identity, request.form.get("after", "").strip() or None)
        return file_response(part.file, part.size, MEDIA_TYPE, FILE_NAME, identity.id)
    except CabildoError as refused:
        return account_page(identity, "export", refused)


@pages.post(f"{PAGE}/deletion")
def erase() -> Response:
    """Deletes the account."""
    identity = sender(while_blocked=True)
    try:
        confirm(identity)
        _check_name(identity)
        erase_player(container(), ErasePlayer(identity))
    except CabildoError as refused:
        return account_page(identity, "deletion", refused)
    return gone()


def _check_name(identity: Identity) -> None:
    """Raises InvalidRequest when the form does not repeat the name of the account."""
    with container().stores.pool.connection() as connection:
        name = get_player(connection, identity.player).name
    if request.form.get("name", "").strip() != name:
        raise InvalidRequest({"name": [Message("is not the name of your account")]})
