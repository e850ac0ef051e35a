"""Who sends a request, by bearer token or session cookie, and under which key it may be repeated."""

from collections.abc import Callable
from typing import Any, Final

from flask import Response, request
from psycopg import Connection
from psycopg_pool import ConnectionPool

from events.store.protocol import IdempotencyKey, request_key
from service.core.clock import SECOND
from service.core.errors import NotAllowed, Unauthenticated, UnreadableBody
from service.players import credentials
from service.players.credentials import SESSION_SECONDS, Identity
from service.web.request_log import sent

BEARER: Final = "Bearer "
COOKIE: Final = "cabildo_session"
CSRF: Final = "X-CSRF-Token"
IDEMPOTENCY: Final = "Idempotency-Key"
LONGEST_KEY: Final = 200
READING: Final = ("GET", "HEAD", "OPTIONS")
REMEMBERED_FOR: Final = 2 * SECOND  # how long a revoked token may live on in other processes
MOST_REMEMBERED: Final = 10_000


class Authenticator:
    """Knows who came by lately, so that not every request of a busy client asks the database who it is."""

    def __init__(self, pool: ConnectionPool[Connection[Any]], now: Callable[[], int]) -> None:
        self._pool = pool
        self._now = now
        self._known: dict[bytes, tuple[Identity, int]] = {}

    def bearer(self, token: str) -> Identity:
        """Who has a token; refuses with Unauthenticated."""
        return self._identity(credentials.hashed(token), credentials.bearer)

    def session(self, secret: str) -> Identity:
        """Who is logged in with a cookie; refuses with Unauthenticated."""
        return self._identity(credentials.hashed(secret), credentials.session)

    def knows(self, secret_hash: bytes) -> bool:
        """Whether somebody came by with this lately."""
        return secret_hash in self._known

    def forget(self, secret_hash: bytes | None = None) -> None:
        """Remember a token or session no longer; without one, none."""
        if secret_hash is None:
            self._known.clear()
        else:
            self._known.pop(secret_hash, None)

    def _identity(self, secret_hash: bytes, find: Callable[[Connection[Any], int, bytes], Identity]) -> Identity:
        now = self._now()
        known = self._known.get(secret_hash)
        if known is not None and known[1] <= now < known[1] + REMEMBERED_FOR:
            credentials.check_expiry(known[0], now)
            return known[0]
        with self._pool.connection() as connection:
            identity = find(connection, now, secret_hash)
        if len(self._known) >= MOST_REMEMBERED:
            self._known.clear()
        self._known[secret_hash] = identity, now
        return identity


def asker(gate: Authenticator, scope: str) -> Identity:
    """Who asks; refuses with Unauthenticated or ScopeMissing."""
    identity = asker_if_any(gate)
    if identity is None:
        raise Unauthenticated("this takes a token: send Authorization: Bearer cab_...")
    identity.need(scope)
    return identity


def asker_to_read(gate: Authenticator) -> Identity | None:
    """Who asks to read what anybody may read; refuses with ScopeMissing a token that is for other things."""
    identity = asker_if_any(gate)
    if identity is not None:
        identity.need("read")
    return identity


def asker_if_any(gate: Authenticator) -> Identity | None:
    """Who asks; None: nobody in particular. A token that is sent must be valid."""
    header = sent("Authorization")
    if header is not None:
        if header[: len(BEARER)].lower() != BEARER.lower():  # schemes have no case
            raise Unauthenticated("the Authorization header takes the form: Bearer cab_...")
        return gate.bearer(header[len(BEARER) :].strip())
    cookie = request.cookies.get(COOKIE)
    if cookie is None:
        return None
    identity = gate.session(cookie)
    _check_csrf(identity)
    return identity


def _check_csrf(identity: Identity) -> None:
    """A browser sends its cookie along with what other sites make it send; only our pages know the CSRF value."""
    if request.method in READING or request.headers.get(CSRF) == identity.csrf:
        return
    raise NotAllowed("csrf", "a request by session repeats the session's CSRF value in {header}", header=CSRF)


def let_in(response: Response, secret: str, *, secure: bool) -> None:
    """Let the browser keep the secret of its session, out of reach of scripts and of what other sites send."""
    response.set_cookie(COOKIE, secret, max_age=SESSION_SECONDS, httponly=True, samesite="Lax", secure=secure)


def let_out(response: Response) -> None:
    """Let the browser forget its session."""
    response.delete_cookie(COOKIE)


def key_of(identity: Identity) -> IdempotencyKey | None:
    """The idempotency key of the request; None when it carries none."""
    name = sent(IDEMPOTENCY)
    if name is None:
        return None
    if not 1 <= len(name) <= LONGEST_KEY:
        raise UnreadableBody("{header} takes 1 to {longest} characters", header=IDEMPOTENCY, longest=LONGEST_KEY)
    asked = f"{request.method} {request.full_path}\n".encode() + request.get_data()
    return request_key(identity.id, name, asked)
