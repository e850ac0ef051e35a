"""The forms of the account's page about tokens: makes one and shows its secret once, revokes one."""

from typing import Final
from uuid import UUID

from flask import Blueprint, Response, request

from events.errors import CabildoError
from events.messages import Message
from service.core.errors import InvalidRequest
from service.pages.games.new_game import number
from service.pages.players.account.page import (
    LONGEST_LABEL,
    PAGE,
    ShownOnce,
    account_page,
    back_to,
    confirm_by_form,
)
from service.pages.site.visitor import sender
from service.players.commands.tokens import IssueToken, RevokeToken, issue_token, revoke_token
from service.web.routing import container

DAY_SECONDS: Final = 86_400
MOST_DAYS: Final = 10 * 366
pages = Blueprint("account_tokens", __name__)


@pages.post(f"{PAGE}/tokens")
def make() -> Response:
    """Creates a token and shows its secret once."""
    identity = sender(while_blocked=True)
    scopes, label = request.form.getlist("scopes"), request.form.get("label", "")
    try:
        days = number(request.form, "days")
        _check(scopes, label, days)
        confirm_by_form(identity)
        command = IssueToken(identity, label, scopes, days * DAY_SECONDS if days else None)
        secret = issue_token(container(), command)[1]
    except CabildoError as refused:
        return account_page(identity, "tokens", refused)
    return account_page(identity, "tokens", shown=ShownOnce(token=secret))


@pages.post(f"{PAGE}/tokens/<uuid:token>/revoke")
def revoke(token: UUID) -> Response:
    """Revokes a token."""
    identity = sender(while_blocked=True)
    revoke_token(container(), RevokeToken(identity, token))
    return back_to("tokens")


def _check(scopes: list[str], label: str, days: int) -> None:
    """Raises InvalidRequest for a form without a scope, or beyond its bounds."""
    if not scopes or days > MOST_DAYS or len(label) > LONGEST_LABEL:
        message = Message(
            "takes a scope, at most {days} days and {longest} characters", days=MOST_DAYS, longest=LONGEST_LABEL
        )
        raise InvalidRequest({"scopes": [message]})
