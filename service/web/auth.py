"""Authenticates requests by bearer token or session cookie; checks scopes and the CSRF value of a session."""

from collections.abc import Callable
from typing import Final
from uuid import UUID

from flask import Response, request
from psycopg import Connection
from psycopg_pool import ConnectionPool

from service.core.clock import SECOND
from service.core.errors import NotAllowed, NotThere, Unauthenticated
from service.core.standby.read_pool import reading_from
from service.players.identity import (
    ADMIN,
    SESSION_SECONDS,
    Identity,
    check_credential,
    check_expiry,
    secret_hash,
    session_identity,
    token_identity,
)
from service.players.names import LONGEST_NAME, is_id
from service.players.people_at_screen import act_for

BEARER: Final = "Bearer "
SESSION_COOKIE: Final = "cabildo_session"
CSRF_HEADER: Final = "X-CSRF-Token"
SEAT_HEADER: Final = "X-Seat-Of"  # the id of a person at the screen, for whom the client acts
SAFE_METHODS: Final = ("GET", "HEAD", "OPTIONS")
CACHE_SECONDS: Final = 2 * SECOND  # how long other processes may still accept a revoked token
CACHE_SIZE: Final = 10_000


class Authenticator:
    """Authenticates tokens and sessions; caches identities, so that a busy client costs no query per request."""

    def __init__(self, pool: ConnectionPool[Connection], now: Callable[[], int]) -> None:
        self._pool = pool
        self._now = now
        self._known: dict[bytes, tuple[Identity, int]] = {}

    def bearer(self, token: str) -> Identity:
        """Returns the identity of a bearer token; raises Unauthenticated."""
        return self._identity(secret_hash(token), token_identity)

    def check(self, identity: Identity) -> None:
        """Raises Unauthenticated when the token or session of a cached identity has ended; asks the database."""
        with reading_from(standby=False), self._pool.connection() as connection:
            check_credential(connection, identity)

    def session(self, secret: str) -> Identity:
        """Returns the identity of a session cookie; raises Unauthenticated."""
        return self._identity(secret_hash(secret), session_identity)

    def known(self, secret_hash: bytes) -> Identity | None:
        """Returns the cached identity for the hash of a secret, if there is one; it may have ended since."""
        known = self._known.get(secret_hash)
        return None if known is None else known[0]

    def acting_for(self, identity: Identity, person: str) -> Identity:
        """Returns the identity of a person at the client's screen. Raises NotThere."""
        if not is_id(person):
            raise NotThere("player", person[:LONGEST_NAME])
        with reading_from(standby=False), self._pool.connection() as connection:
            return act_for(connection, identity, UUID(person))

    def forget(self, secret_hash: bytes | None = None) -> None:
        """Removes one token or session from the cache; without a hash, clears the cache."""
        if secret_hash is None:
            self._known.clear()
        else:
            self._known.pop(secret_hash, None)

    def _identity(self, secret_hash: bytes, find: Callable[[Connection, int, bytes], Identity]) -> Identity:
        now = self._now()
        known = self._known.get(secret_hash)
        if known is not None and known[1] <= now < known[1] + CACHE_SECONDS:
            check_expiry(known[0], now)
            return known[0]
        with reading_from(standby=False), self._pool.connection() as connection:
            identity = find(connection, now, secret_hash)
        if len(self._known) >= CACHE_SIZE:
            self._known.clear()
        self._known[secret_hash] = identity, now
        return identity


def require_identity(authenticator: Authenticator, scope: str) -> Identity:
    """Returns the authenticated client; raises Unauthenticated, or ScopeMissing when its token lacks the scope."""
    identity = optional_identity(authenticator)
    if identity is None:
        raise Unauthenticated("a token is required: send Authorization: Bearer cab_...")
    identity.need(scope)
    if scope == ADMIN:
        authenticator.check(identity)  # a leaked token that was revoked does nothing more, not even for two seconds
    return identity


def reader_identity(authenticator: Authenticator) -> Identity | None:
    """Returns the client of a public read, None for a guest; raises ScopeMissing for a token without `read`."""
    identity = optional_identity(authenticator)
    if identity is not None:
        identity.need("read")
    return identity


def optional_identity(authenticator: Authenticator) -> Identity | None:
    """Returns the authenticated client or the person it acts for, None for a guest.

    Raises Unauthenticated for an invalid token or cookie, NotThere for a person of another player.
    """
    client, person = _client(authenticator), request.headers.get(SEAT_HEADER)
    return client if client is None or person is None else authenticator.acting_for(client, person)


def _client(authenticator: Authenticator) -> Identity | None:
    header = request.headers.get("Authorization")
    if header is not None:
        if header[: len(BEARER)].lower() != BEARER.lower():  # the scheme is case-insensitive
            raise Unauthenticated("the Authorization header takes the form: Bearer cab_...")
        return authenticator.bearer(header[len(BEARER) :].strip())
    cookie = request.cookies.get(SESSION_COOKIE)
    if cookie is None:
        return None
    identity = authenticator.session(cookie)
    _check_csrf(identity)
    return identity


def _check_csrf(identity: Identity) -> None:
    """Raises NotAllowed for a write by cookie without the CSRF value, which only the service's own pages know."""
    if request.method in SAFE_METHODS or request.headers.get(CSRF_HEADER) == identity.csrf:
        return
    raise NotAllowed(
        "csrf", "a request with a session requires the session's CSRF value in {header}", header=CSRF_HEADER
    )


def set_session_cookie(response: Response, secret: str, *, secure: bool) -> None:
    """Stores the session's secret in a cookie that scripts cannot read and forms of other sites do not send."""
    response.set_cookie(SESSION_COOKIE, secret, max_age=SESSION_SECONDS, httponly=True, samesite="Lax", secure=secure)


def clear_session_cookie(response: Response) -> None:
    """Deletes the session cookie."""
    response.delete_cookie(SESSION_COOKIE)
