"""Routes of accounts, tokens and sessions."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from flask import Response, jsonify, make_response, request
from psycopg import Connection

from service.core.clock import SECOND
from service.core.errors import NotAllowed, NotThere
from service.players import accounts, credentials
from service.players import schemas as schemas
from service.players.credentials import Identity
from service.players.documents import IssuedToken, PlayerSummary, TokenSummary, player_document, token_document
from service.web.auth import SESSION_COOKIE, clear_session_cookie, set_session_cookie
from service.web.routing import Routes, container

routes = Routes("players", "Accounts, tokens and sessions")
FIRST = "first"  # the label of an account's first token
SETTERS: Mapping[str, Callable[[Connection, UUID, Any], None]] = {
    "name": accounts.rename,
    "password": accounts.set_password,
    "engine": accounts.set_engine,
}


@routes.on("POST", "/v1/players", body=schemas.Registration, answers=schemas.Registered, status=201, refuses=(409,))
def register(body: schemas.RegistrationBody) -> dict[str, object]:
    """Register a player; the answer holds the player and a first token."""
    at = container().now()
    with container().stores.pool.connection() as connection, connection.transaction():
        player = accounts.register(connection, at, body["name"], body.get("password"))
        _, secret = credentials.issue_token(connection, at, player.id, FIRST)
    return {"player": player_document(player), "token": secret}


@routes.on("GET", "/v1/players/<uuid:player>", answers=schemas.Profile, refuses=(404,))
def profile(player: UUID) -> dict[str, object]:
    """Read the public profile of a player, with the numbers of games hosted and aborted."""
    with container().stores.pool.connection() as connection:
        hosted, aborted = accounts.hosted(connection, player), accounts.aborted(connection, player)
        return {**player_document(accounts.player(connection, player)), "hosted": hosted._asdict(), "aborted": aborted}


@routes.on("GET", "/v1/me", answers=schemas.PlayerDocument, scope="read")
def me(asker: Identity) -> PlayerSummary:
    """Read your account."""
    with container().stores.pool.connection() as connection:
        return player_document(accounts.player(connection, asker.player))


@routes.on("PATCH", "/v1/me", body=schemas.Change, answers=schemas.PlayerDocument, scope="host", refuses=(404, 409))
def change(body: dict[str, Any], asker: Identity) -> PlayerSummary:
    """Change your name or password, or the engine of a bot."""
    with container().stores.pool.connection() as connection, connection.transaction():
        for field, set_field in SETTERS.items():
            if field in body:
                set_field(connection, asker.player, body[field])
        changed = accounts.player(connection, asker.player)
    if "password" in body:
        container().authenticator.forget()
    return player_document(changed)


@routes.on("PUT", "/v1/me/key", body=schemas.NewKey, answers=schemas.PlayerDocument, scope="play", refuses=(404,))
def set_key(body: schemas.KeyBody, asker: Identity) -> PlayerSummary:
    """Register the key that your seats sign their moves with, when taken with `signs`."""
    with container().stores.pool.connection() as connection, connection.transaction():
        accounts.set_key(connection, asker.player, bytes.fromhex(body["key"]), bytes.fromhex(body["proof"]))
        return player_document(accounts.player(connection, asker.player))


@routes.on("DELETE", "/v1/me/key", status=204, scope="play", refuses=(404,))
def drop_key(asker: Identity) -> None:
    """Remove your key. Seats taken with it keep it."""
    with container().stores.pool.connection() as connection:
        accounts.drop_key(connection, asker.player)


@routes.on("DELETE", "/v1/me", status=204, scope="host")
def forget(asker: Identity) -> None:
    """Erase your personal data and that of your bots. Ids and games remain, and every log stays valid."""
    with container().stores.pool.connection() as connection:
        accounts.forget(connection, container().now(), asker.player)
    container().authenticator.forget()


@routes.on("GET", "/v1/bots", answers=schemas.Players, scope="read")
def bots(asker: Identity) -> dict[str, list[PlayerSummary]]:
    """List your bots."""
    with container().stores.pool.connection() as connection:
        return {"players": [player_document(bot) for bot in accounts.bots_of(connection, asker.player)]}


@routes.on(
    "POST",
    "/v1/bots",
    body=schemas.BotRegistration,
    answers=schemas.Registered,
    status=201,
    scope="host",
    refuses=(409,),
)
def register_bot(body: schemas.BotBody, asker: Identity) -> dict[str, object]:
    """Register a bot of yours; it plays with its own token, and all players see that it is a bot."""
    if asker.bot:
        raise NotAllowed("bots_own_nothing", "a bot cannot own bots")
    at = container().now()
    with container().stores.pool.connection() as connection, connection.transaction():
        bot = accounts.register(connection, at, body["name"], owner=asker.player, engine=body["engine"])
        _, secret = credentials.issue_token(connection, at, bot.id, FIRST)
    return {"player": player_document(bot), "token": secret}


@routes.on(
    "POST",
    "/v1/bots/<uuid:bot>/tokens",
    body=schemas.NewToken,
    answers=schemas.Issued,
    status=201,
    scope="host",
    refuses=(404,),
)
def issue_for_bot(bot: UUID, body: schemas.TokenBody, asker: Identity) -> IssuedToken:
    """Create a token for a bot of yours, for example to replace a lost one; the new token can revoke the old ones."""
    with container().stores.pool.connection() as connection:
        if bot not in {own.id for own in accounts.bots_of(connection, asker.player) if own.forgotten is None}:
            raise NotThere("player", bot)
        return _issued(connection, asker, bot, body)


@routes.on("GET", "/v1/tokens", answers=schemas.Tokens, scope="read")
def tokens(asker: Identity) -> dict[str, list[TokenSummary]]:
    """List your tokens, without their secrets."""
    with container().stores.pool.connection() as connection:
        return {"tokens": [token_document(token) for token in credentials.tokens_of(connection, asker.player)]}


@routes.on("POST", "/v1/tokens", body=schemas.NewToken, answers=schemas.Issued, status=201, scope="read")
def issue(body: schemas.TokenBody, asker: Identity) -> IssuedToken:
    """Create a token, with no more scopes and no later expiry than the token of this request."""
    with container().stores.pool.connection() as connection:
        return _issued(connection, asker, asker.player, body)


def _issued(connection: Connection, asker: Identity, player: UUID, body: schemas.TokenBody) -> IssuedToken:
    for scope in body["scopes"]:
        asker.need(scope)
    at = container().now()
    ends = [at + body["seconds"] * SECOND] if "seconds" in body else []
    if asker.token is not None and asker.expires is not None:
        ends.append(asker.expires)
    expires = min(ends, default=None)
    token, secret = credentials.issue_token(connection, at, player, body["label"], body["scopes"], expires)
    return {**token_document(token), "token": secret}


@routes.on("DELETE", "/v1/tokens/<uuid:token>", status=204, scope="read", refuses=(404,))
def revoke(token: UUID, asker: Identity) -> None:
    """Revoke a token: the one of this request, or another with no more scopes."""
    with container().stores.pool.connection() as connection:
        credentials.check_token_reach(connection, asker, token)
        container().authenticator.forget(credentials.revoke_token(connection, asker.player, token))


@routes.on("POST", "/v1/session", body=schemas.Login, answers=schemas.SessionDocument, status=201, refuses=(401,))
def log_in(body: schemas.LoginBody) -> Response:
    """Log a browser in with name and password; scripts cannot read the cookie."""
    at = container().now()
    with container().stores.pool.connection() as connection:
        id = accounts.log_in(connection, body["name"], body["password"])
        secret, identity = credentials.open_session(connection, at, id)
        player = accounts.player(connection, id)
    document = schemas.SessionDocument().dump({"player": player_document(player), "csrf": identity.csrf})
    response = make_response(jsonify(document), 201)
    set_session_cookie(response, secret, secure=container().settings.public_url.startswith("https:"))
    return response


@routes.on("GET", "/v1/session", answers=schemas.SessionDocument, scope="read")
def session(asker: Identity) -> dict[str, object]:
    """Read the player of the session and its CSRF value, which is empty for a token."""
    with container().stores.pool.connection() as connection:
        return {"player": player_document(accounts.player(connection, asker.player)), "csrf": asker.csrf or ""}


@routes.on("DELETE", "/v1/session", status=204, scope="read")
def log_out(asker: Identity) -> Response:
    """Log this browser out; a token stays valid."""
    if asker.csrf is not None:
        hidden = credentials.secret_hash(request.cookies.get(SESSION_COOKIE, ""))
        with container().stores.pool.connection() as connection:
            credentials.close_session(connection, hidden)
        container().authenticator.forget(hidden)
    response = make_response("", 204)
    clear_session_cookie(response)
    return response
