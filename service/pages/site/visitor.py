"""Who looks at a page: a session that is over makes nobody in particular of its browser, not a refusal."""

import hmac
from typing import NamedTuple
from urllib.parse import urlencode

from flask import abort, redirect, request

from service.core.errors import NotAllowed, Unauthenticated
from service.live import player_source
from service.players import accounts
from service.players.credentials import Identity
from service.web.auth import BEARER, SESSION_COOKIE, reader_identity
from service.web.routing import container

FIELD = "csrf"  # of a form: what proves that our page sent it


class Visitor(NamedTuple):
    """Somebody who is logged in."""

    id: str
    name: str
    csrf: str
    due: int  # how many games wait for a move


def session() -> Identity | None:
    """Who is logged in with this browser; None: nobody."""
    secret = request.cookies.get(SESSION_COOKIE)
    if secret is None:
        return None
    try:
        return container().authenticator.session(secret)
    except Unauthenticated:
        return None


def member() -> Identity:
    """Who is logged in; anybody else is sent to log in first, and then back to where they wanted to go."""
    identity = session()
    if identity is None:
        wanted = request.full_path.rstrip("?") if request.method == "GET" else "/"
        abort(redirect(f"/login?{urlencode({'next': wanted})}", 303))
    return identity


def sender() -> Identity:
    """Who has sent a form of ours; refuses with NotAllowed a form that another page made."""
    identity = member()
    check_form(identity)
    return identity


def reader() -> Identity | None:
    """Who asks for a page, by session or token; None: nobody in particular."""
    if request.headers.get("Authorization", "").startswith(BEARER):
        return reader_identity(container().authenticator)
    return session()


def visitor() -> Visitor | None:
    """Who is logged in, by name."""
    identity = session()
    if identity is None:
        return None
    with container().stores.pool.connection() as connection:
        name = accounts.player(connection, identity.player).name
    due = player_source.pending_items(container().stores.pool, identity.id)[1]
    return Visitor(identity.id, name or "", identity.csrf or "", len(due))


def check_form(identity: Identity) -> None:
    """Refuse with NotAllowed a form that no page of ours has sent for this session."""
    if not hmac.compare_digest(request.form.get(FIELD, "").encode(), (identity.csrf or "").encode()):
        raise NotAllowed("csrf", "a form repeats the CSRF value of the session it was made for")
