"""Issues and revokes bearer tokens; a secret is returned once and never stored."""

import secrets
from collections.abc import Sequence
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.event import new_stream
from service.container import Container
from service.core.clock import SECOND
from service.core.errors import NotAllowed, NotThere
from service.core.quotas import TOKENS
from service.live.access import RIGHTS_ENDED
from service.moderation.record import AdministrativeAct, record_act
from service.players.commands.confirmation import check_confirmed
from service.players.identity import (
    ADMIN,
    DELETE_EXPIRED,
    FIRST_SCOPES,
    OWN,
    SCOPES,
    TOKEN_PREFIX,
    Identity,
    TokenOrigin,
    lock_credential,
    secret_hash,
)
from service.players.queries import Token, bots_of

FIRST_LABEL: Final = "first"  # the label of an account's first token
INSERT: Final = """
INSERT INTO tokens (id, player, hash, label, scopes, created, expires, program, parent)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
"""
SCOPES_OF: Final = "SELECT scopes, parent FROM tokens WHERE id = %s AND player = %s"
ADMIN_TOKENS: Final = """
SELECT id, player, scopes FROM tokens WHERE player = ANY(%s) AND 'admin' = ANY(scopes) AND id IS DISTINCT FROM %s
"""
DELETE: Final = "DELETE FROM tokens WHERE id = %s AND player = %s RETURNING hash, scopes"


class IssueToken(NamedTuple):
    """Issues a token, with no more scopes and no later expiry than the token of the client."""

    client: Identity
    label: str
    scopes: Sequence[str]
    seconds: int | None = None  # how long it is valid
    bot: UUID | None = None  # a bot of the client that gets the token; None: the client


class RevokeToken(NamedTuple):
    """Revokes a token of the client: the one of the request, or another with no more scopes.

    The token of a program revokes itself and those that it issued.
    """

    client: Identity
    token: UUID


def issue_token(here: Container, command: IssueToken) -> tuple[Token, str]:
    """Issues a token; returns it and its secret.

    Raises ScopeMissing, NotThere for a bot of another player, ConfirmationRequired for a session without its password.
    """
    client, at = command.client, here.now()
    with here.stores.pool.connection() as connection, here.quotas.refusals(), connection.transaction():
        if command.bot is not None:
            _check_owned(connection, client.player, command.bot)
        lock_credential(connection, client)
        for scope in command.scopes:
            client.need(scope)
        if client.session is not None:
            check_confirmed(connection, at, client)
        player, expires = command.bot or client.player, _expiry(at, command)
        connection.execute(DELETE_EXPIRED, (player, at))
        origin = origin_of(client)
        issued = store_token(connection, at, player, command.label, command.scopes, expires, origin)
        connection.execute(*here.quotas.check(player, TOKENS))
        if ADMIN in issued[0].scopes:
            record_act(connection, at, token_act(client.id, "token_issued", player, issued[0].id, issued[0].scopes))
        return issued


def revoke_token(here: Container, command: RevokeToken) -> None:
    """Deletes a token; raises NotThere, or ScopeMissing when a token revokes another with more scopes.

    Raises NotAllowed for a program that revokes a token of another program, or of the player.
    """
    client, id = command.client, command.token
    with here.stores.pool.connection() as connection, connection.transaction():
        _check_scopes(connection, client, id)
        token_hash, scopes = delete_token(connection, client.player, id)
        if ADMIN in scopes:
            record_act(connection, here.now(), token_act(client.id, "token_revoked", client.player, id, scopes))
    here.authenticator.forget(token_hash)
    here.announcer.announce(RIGHTS_ENDED)


def rights_to_pass_on(client: Identity) -> tuple[Sequence[str], int | None]:
    """Returns scopes and expiry of a first token that a client gets for a bot: not more than its own token has."""
    if client.token is None:
        return FIRST_SCOPES, None
    held = FIRST_SCOPES if ADMIN in client.scopes else [scope for scope in FIRST_SCOPES if scope in client.scopes]
    return held, client.expires


def origin_of(client: Identity) -> TokenOrigin:
    """Returns what the tokens depend on that a client issues: a program's end with its own."""
    return OWN if client.program is None else TokenOrigin(client.program, client.token)


def store_token(
    connection: Connection,
    at: int,
    player: UUID,
    label: str,
    scopes: Sequence[str] = FIRST_SCOPES,
    expires: int | None = None,
    origin: TokenOrigin = OWN,
) -> tuple[Token, str]:
    """Stores a new token; returns it with its secret."""
    secret = TOKEN_PREFIX + secrets.token_urlsafe(32)
    token = Token(
        new_stream(at), label, [scope for scope in SCOPES if scope in scopes], at, expires, None, origin.program
    )
    connection.execute(INSERT, (token.id, player, secret_hash(secret), label, token.scopes, at, expires, *origin))
    return token, secret


def token_act(by: str, act: str, player: UUID, id: UUID, scopes: Sequence[str]) -> AdministrativeAct:
    """Returns the act of issuing or revoking a token of a player."""
    return AdministrativeAct(by, act, str(player), details={"token": str(id), "scopes": list(scopes)})


def rights_to_end(
    connection: Connection, by: str, players: Sequence[UUID], kept: UUID | None = None
) -> list[AdministrativeAct]:
    """Returns the acts of revoking the tokens for administrators of locked accounts, all or all but one.

    The caller records them after it has deleted the tokens, for acts wait for one another.
    """
    rows = connection.execute(ADMIN_TOKENS, (list(players), kept)).fetchall()
    return [token_act(by, "token_revoked", player, id, scopes) for id, player, scopes in rows]


def delete_token(connection: Connection, player: UUID, id: UUID) -> tuple[bytes, list[str]]:
    """Deletes a token; returns its hash and scopes, or raises NotThere."""
    row = connection.execute(DELETE, (id, player)).fetchone()
    if row is None:
        raise NotThere("token", id)
    return bytes(row[0]), row[1]


def _check_owned(connection: Connection, owner: UUID, bot: UUID) -> None:
    if bot not in {own.id for own in bots_of(connection, owner) if own.forgotten is None}:
        raise NotThere("player", bot)


def _expiry(at: int, command: IssueToken) -> int | None:
    client = command.client
    ends = [] if command.seconds is None else [at + command.seconds * SECOND]
    if client.token is not None and client.expires is not None:
        ends.append(client.expires)
    return min(ends, default=None)


def _check_scopes(connection: Connection, client: Identity, id: UUID) -> None:
    row = connection.execute(SCOPES_OF, (id, client.player)).fetchone()
    if row is None:
        raise NotThere("token", id)
    if client.program is not None and client.token not in (id, row[1]):
        raise NotAllowed("session_only", "only a browser that is logged in may do this, not a token")
    if client.token not in (None, id):  # a session may revoke any token of its player
        for scope in row[0]:
            client.need(scope)
