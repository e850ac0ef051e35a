"""The visitor of a page; an expired session makes an anonymous visitor, not an error."""

import hmac
from typing import NamedTuple
from urllib.parse import urlencode

from flask import abort, redirect, request

from service.core.errors import NotAllowed, Unauthenticated
from service.live import player_source
from service.moderation.administrators import is_administrator
from service.moderation.blocks import current_block
from service.pages.site.appearance_cookie import appearance_in_cookie
from service.players.documents import OwnBlock, own_block
from service.players.identity import Identity, refuse_guest
from service.players.preferences.stored_settings import settings_of
from service.players.preferences.values import Appearance, appearance_of
from service.players.queries import get_player
from service.web.auth import BEARER, SESSION_COOKIE, reader_identity
from service.web.routing import check_not_blocked, container
from service.webhooks.queries import count_off

FIELD = "csrf"  # the form field of the CSRF value


class Visitor(NamedTuple):
    """A visitor with a session."""

    id: str
    name: str
    csrf: str
    due: int  # number of games that wait for the visitor's move
    hooks_off: int  # number of webhooks that the service switched off
    blocked: OwnBlock | None
    administrator: bool
    appearance: Appearance | None  # of the account; None: nothing was set
    guest: bool


def session() -> Identity | None:
    """Returns the identity of the browser's session; None without a valid session."""
    secret = request.cookies.get(SESSION_COOKIE)
    if secret is None:
        return None
    try:
        return container().authenticator.session(secret)
    except Unauthenticated:
        return None


def member() -> Identity:
    """Returns the visitor's identity; redirects an anonymous visitor to log in and then back."""
    identity = session()
    if identity is None:
        wanted = request.full_path.rstrip("?") if request.method == "GET" else "/"
        abort(redirect(f"/login?{urlencode({'next': wanted})}", 303))
    return identity


def sender(*, while_blocked: bool = False, guests: bool = False) -> Identity:
    """Returns the sender of a form; raises NotAllowed for a wrong CSRF value.

    Raises AccountBlocked for a blocked account, unless it may send this form, without a reason that others read;
    NotAllowed for a guest, unless the form is for guests too.
    """
    identity = member()
    check_form(identity)
    if not guests:
        refuse_guest(identity)
    if not while_blocked or request.form.get("reason"):
        check_not_blocked(identity)
    return identity


def reader() -> Identity | None:
    """Returns the identity by token or session; None for an anonymous visitor."""
    if request.headers.get("Authorization", "").startswith(BEARER):
        return reader_identity(container().authenticator)
    return session()


def visitor() -> Visitor | None:
    """Returns the visitor with name and pending games; None for an anonymous visitor."""
    identity = session()
    if identity is None:
        return None
    with container().stores.pool.connection() as connection:
        name = get_player(connection, identity.player).name
        hooks_off = count_off(connection, identity.player)
        block = current_block(connection, container().now(), identity.player)
        appointed = is_administrator(connection, identity.player)
        due = player_source.count_waiting(connection, identity.id)
        stored = settings_of(connection, identity.player)
    appearance = None if stored is None else appearance_of(stored)
    about = own_block(block), appointed, appearance, identity.guest
    return Visitor(identity.id, name or "", identity.csrf or "", due, hooks_off, *about)


def own_appearance(visitor: Visitor | None) -> Appearance:
    """Returns how pages look to the visitor: as the account says, or else the cookie of the browser."""
    return (visitor and visitor.appearance) or appearance_in_cookie()


def check_form(identity: Identity) -> None:
    """Raises NotAllowed for a form without the session's CSRF value."""
    if not hmac.compare_digest(request.form.get(FIELD, "").encode(), (identity.csrf or "").encode()):
        raise NotAllowed("csrf", "the form lacks the CSRF value of your session; load the page again")
