"""Accounts: register, change, be forgotten; tokens; logging in and out of the pages."""

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
FIRST = "first"  # the label of the token that comes with an account
SETTERS: Mapping[str, Callable[[Connection, UUID, Any], None]] = {
    "name": accounts.rename,
    "password": accounts.set_password,
    "engine": accounts.set_engine,
}


@routes.on("POST", "/v1/players", body=schemas.Registration, answers=schemas.Registered, status=201, refuses=(409,))
def register(body: schemas.RegistrationBody) -> dict[str, object]:
    """Register; the answer holds the player and a first token."""
    at = container().now()
    with container().stores.pool.connection() as connection, connection.transaction():
        player = accounts.register(connection, at, body["name"], body.get("password"))
        _, secret = credentials.issue_token(connection, at, player.id, FIRST)
    return {"player": player_document(player), "token": secret}


@routes.on("GET", "/v1/players/<uuid:player>", answers=schemas.Profile, refuses=(404,))
def profile(player: UUID) -> dict[str, object]:
    """A player as everybody may know them, with how many games they hosted and how many they aborted."""
    with container().stores.pool.connection() as connection:
        hosted, aborted = accounts.hosted(connection, player), accounts.aborted(connection, player)
        return {**player_document(accounts.player(connection, player)), "hosted": hosted._asdict(), "aborted": aborted}


@routes.on("GET", "/v1/me", answers=schemas.PlayerDocument, scope="read")
def me(asker: Identity) -> PlayerSummary:
    """Who asks."""
    with container().stores.pool.connection() as connection:
        return player_document(accounts.player(connection, asker.player))


@routes.on("PATCH", "/v1/me", body=schemas.Change, answers=schemas.PlayerDocument, scope="host", refuses=(404, 409))
def change(body: dict[str, Any], asker: Identity) -> PlayerSummary:
    """Change the own name, password, or what plays under a bot's name."""
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
    """Register the key that the own seats sign their moves with, when they are taken with `signs`."""
    with container().stores.pool.connection() as connection, connection.transaction():
        accounts.set_key(connection, asker.player, bytes.fromhex(body["key"]), bytes.fromhex(body["proof"]))
        return player_document(accounts.player(connection, asker.player))


@routes.on("DELETE", "/v1/me/key", status=204, scope="play", refuses=(404,))
def drop_key(asker: Identity) -> None:
    """Forget the own key. Seats that were taken with it keep to it."""
    with container().stores.pool.connection() as connection:
        accounts.drop_key(connection, asker.player)


@routes.on("DELETE", "/v1/me", status=204, scope="host")
def forget(asker: Identity) -> None:
    """Erase what is known of the asker and the asker's bots. The id and the games remain, and every log stays valid."""
    with container().stores.pool.connection() as connection:
        accounts.forget(connection, container().now(), asker.player)
    container().authenticator.forget()


@routes.on("GET", "/v1/bots", answers=schemas.Players, scope="read")
def bots(asker: Identity) -> dict[str, list[PlayerSummary]]:
    """The asker's own bots."""
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
    """Register a bot of the asker's; it plays with a token of its own, and everybody sees what it is."""
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
    """Make a token for a bot of the asker's, as when its own is lost; with it, those it had can be revoked."""
    with container().stores.pool.connection() as connection:
        if bot not in {own.id for own in accounts.bots_of(connection, asker.player) if own.forgotten is None}:
            raise NotThere("player", bot)
        return _issued(connection, asker, bot, body)


@routes.on("GET", "/v1/tokens", answers=schemas.Tokens, scope="read")
def tokens(asker: Identity) -> dict[str, list[TokenSummary]]:
    """The asker's tokens, without their secrets."""
    with container().stores.pool.connection() as connection:
        return {"tokens": [token_document(token) for token in credentials.tokens_of(connection, asker.player)]}


@routes.on("POST", "/v1/tokens", body=schemas.NewToken, answers=schemas.Issued, status=201, scope="read")
def issue(body: schemas.TokenBody, asker: Identity) -> IssuedToken:
    """Make a token; it can do no more, and lasts no longer, than the one that asks for it."""
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
    """Make a token worthless: the one that asks, or another that can do no more."""
    with container().stores.pool.connection() as connection:
        credentials.check_token_reach(connection, asker, token)
        container().authenticator.forget(credentials.revoke_token(connection, asker.player, token))


@routes.on("POST", "/v1/session", body=schemas.Login, answers=schemas.SessionDocument, status=201, refuses=(401,))
def log_in(body: schemas.LoginBody) -> Response:
    """Log a browser in with name and password; the cookie cannot be read by scripts."""
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
    """Who is logged in, and the CSRF value of the session; empty for a token."""
    with container().stores.pool.connection() as connection:
        return {"player": player_document(accounts.player(connection, asker.player)), "csrf": asker.csrf or ""}


@routes.on("DELETE", "/v1/session", status=204, scope="read")
def log_out(asker: Identity) -> Response:
    """Log this browser out; a token stays what it is."""
    if asker.csrf is not None:
        hidden = credentials.secret_hash(request.cookies.get(SESSION_COOKIE, ""))
        with container().stores.pool.connection() as connection:
            credentials.close_session(connection, hidden)
        container().authenticator.forget(hidden)
    response = make_response("", 204)
    clear_session_cookie(response)
    return response
