"""Routes of accounts, tokens and sessions."""

from uuid import UUID

from flask import Response, jsonify, make_response, request

from service.moderation.blocks import current_block
from service.players import schemas
from service.players.commands.accounts import (
    AccountChanges,
    ChangeAccount,
    CreateBot,
    CreatePlayer,
    RegisterKey,
    RemoveKey,
    change_account,
    create_bot,
    create_player,
    register_key,
    remove_key,
)
from service.players.commands.confirmation import ConfirmPassword, confirm_password, session_of
from service.players.commands.erasure import ErasePlayer, erase_player
from service.players.commands.sessions import (
    EndSession,
    EndSessions,
    LogIn,
    LogOut,
    end_session,
    end_sessions,
    log_player_in,
    log_player_out,
)
from service.players.commands.tokens import IssueToken, RevokeToken, issue_token, revoke_token
from service.players.documents import (
    IssuedToken,
    OwnPlayer,
    PlayerProfile,
    PlayerSession,
    PlayerSummary,
    RegisteredPlayer,
    SessionSummary,
    TokenSummary,
    issued_document,
    own_document,
    player_document,
    profile_document,
    session_document,
    token_document,
)
from service.players.identity import Identity
from service.players.queries import (
    bots_of,
    count_aborted,
    count_hosted,
    count_recovery_codes,
    get_player,
    sessions_of,
    tokens_of,
)
from service.web.auth import SESSION_COOKIE, clear_session_cookie, set_session_cookie
from service.web.routing import Routes, check_not_blocked, container

routes = Routes("players", "Accounts, tokens and sessions")


@routes.on("POST", "/v1/players", body=schemas.Registration, answers=schemas.Registered, status=201, refuses=(409, 503))
def register(body: schemas.RegistrationBody) -> RegisteredPlayer:
    """Register a player; the answer holds the player and a first token."""
    player, secret = create_player(container(), CreatePlayer(body["name"], body.get("password"), request.remote_addr))
    return {"player": player_document(player), "token": secret}


@routes.on("GET", "/v1/players/<uuid:player>", answers=schemas.Profile, refuses=(404,))
def profile(player: UUID) -> PlayerProfile:
    """Read the public profile of a player, with the numbers of games hosted and aborted."""
    with container().stores.pool.connection() as connection:
        hosted, aborted = count_hosted(connection, player), count_aborted(connection, player)
        return profile_document(get_player(connection, player), hosted, aborted)


@routes.on("GET", "/v1/me", answers=schemas.OwnAccount, scope="read")
def me(asker: Identity) -> OwnPlayer:
    """Read your account, with the scopes of this token or session, the number of recovery codes left, use and limit of
    its quotas, and a block of it; bots share quotas and block of their owner.
    """
    with container().stores.pool.connection() as connection:
        used = container().quotas.used(connection, asker.player)
        codes = count_recovery_codes(connection, asker.player)
        block = current_block(connection, container().now(), asker.player)
        return own_document(get_player(connection, asker.player), asker.scopes, used, codes, block)


@routes.on(
    "PATCH",
    "/v1/me",
    body=schemas.Change,
    answers=schemas.PlayerDocument,
    scope="host",
    refuses=(404, 409),
    while_blocked=True,
)
def change(body: AccountChanges, asker: Identity) -> PlayerSummary:
    """Change your name or password, or the engine and the manifest of a bot.

    A password takes a session in which the present one was given within the last ten minutes, and ends the other
    sessions. Tokens stay valid unless `revoke_tokens` is set. An account without a password takes a token with all
    scopes that does not expire. A blocked account changes no name, and no program.
    """
    if "name" in body:
        check_not_blocked(asker)
    return player_document(change_account(container(), ChangeAccount(asker, body)))


@routes.on(
    "PUT",
    "/v1/me/key",
    body=schemas.NewKey,
    answers=schemas.PlayerDocument,
    scope="play",
    refuses=(404,),
    while_blocked=True,
)
def set_key(body: schemas.KeyBody, asker: Identity) -> PlayerSummary:
    """Register the key that your seats sign their moves with, when taken with `signs`. Programs may not."""
    container().authenticator.check(asker)  # seats keep the key when the token has ended
    command = RegisterKey(asker, bytes.fromhex(body["key"]), bytes.fromhex(body["proof"]))
    return player_document(register_key(container(), command))


@routes.on("DELETE", "/v1/me/key", status=204, scope="play", refuses=(404,), while_blocked=True)
def drop_key(asker: Identity) -> None:
    """Remove your key. Seats taken with it keep it. Programs may not."""
    remove_key(container(), RemoveKey(asker))


@routes.on("DELETE", "/v1/me", status=204, scope="host", while_blocked=True)
def forget(asker: Identity) -> None:
    """Erase your account and those of your bots.

    Running games are resigned, open tables cancelled or left, tournaments left. Ids and games remain, and every log
    stays valid. Nobody can take the name for 90 days.
    Asks for the password as a change of the password does.
    """
    erase_player(container(), ErasePlayer(asker))


@routes.on("GET", "/v1/bots", answers=schemas.Players, scope="read")
def bots(asker: Identity) -> dict[str, list[PlayerSummary]]:
    """List your bots."""
    with container().stores.pool.connection() as connection:
        return {"players": [player_document(bot) for bot in bots_of(connection, asker.player)]}


@routes.on(
    "POST",
    "/v1/bots",
    body=schemas.BotRegistration,
    answers=schemas.Registered,
    status=201,
    scope="host",
    refuses=(409,),
)
def register_bot(body: schemas.BotBody, asker: Identity) -> RegisteredPlayer:
    """Register a bot of yours; it plays with its own token, and all players see that it is a bot."""
    bot, secret = create_bot(container(), CreateBot(asker, body["name"], body["engine"], body.get("manifest")))
    return {"player": player_document(bot), "token": secret}


@routes.on(
    "POST",
    "/v1/bots/<uuid:bot>/tokens",
    body=schemas.NewToken,
    answers=schemas.Issued,
    status=201,
    scope="host",
    refuses=(404,),
    while_blocked=True,
)
def issue_for_bot(bot: UUID, body: schemas.TokenBody, asker: Identity) -> IssuedToken:
    """Create a token for a bot of yours, for example to replace a lost one; the new token can revoke the old ones."""
    command = IssueToken(asker, body["label"], body["scopes"], body.get("seconds"), bot)
    return issued_document(*issue_token(container(), command))


@routes.on("GET", "/v1/tokens", answers=schemas.Tokens, scope="read")
def tokens(asker: Identity) -> dict[str, list[TokenSummary]]:
    """List your tokens, without their secrets."""
    with container().stores.pool.connection() as connection:
        return {"tokens": [token_document(token) for token in tokens_of(connection, asker.player)]}


@routes.on(
    "POST", "/v1/tokens", body=schemas.NewToken, answers=schemas.Issued, status=201, scope="read", while_blocked=True
)
def issue(body: schemas.TokenBody, asker: Identity) -> IssuedToken:
    """Create a token, with no more scopes and no later expiry than the token of this request.

    A session creates one within ten minutes after its password was given.
    """
    command = IssueToken(asker, body["label"], body["scopes"], body.get("seconds"))
    return issued_document(*issue_token(container(), command))


@routes.on("DELETE", "/v1/tokens/<uuid:token>", status=204, scope="read", refuses=(404,), while_blocked=True)
def revoke(token: UUID, asker: Identity) -> None:
    """Revoke a token: the one of this request, or another with no more scopes."""
    revoke_token(container(), RevokeToken(asker, token))


@routes.on("POST", "/v1/session", body=schemas.Login, answers=schemas.SessionDocument, status=201, refuses=(401, 503))
def log_in(body: schemas.LoginBody) -> Response:
    """Log a browser in with name and password; scripts cannot read the cookie.

    An account with a second factor is answered `second_factor_needed`, with a `ticket` for the second step.
    """
    secret, identity = log_player_in(
        container(), LogIn(body["name"], body["password"], request.remote_addr, request.user_agent.string)
    )
    response = make_response(jsonify(schemas.SessionDocument().dump(_session_document(identity))), 201)
    set_session_cookie(response, secret, secure=container().settings.public_url.startswith("https:"))
    return response


@routes.on("GET", "/v1/session", answers=schemas.SessionDocument, scope="read")
def session(asker: Identity) -> PlayerSession:
    """Read the player of the session and its CSRF value, which is empty for a token."""
    return _session_document(asker)


def _session_document(identity: Identity) -> PlayerSession:
    with container().stores.pool.connection() as connection:
        return {"player": player_document(get_player(connection, identity.player)), "csrf": identity.csrf or ""}


@routes.on(
    "POST",
    "/v1/session/confirmation",
    body=schemas.Confirmation,
    status=204,
    scope="read",
    refuses=(401, 503),
    while_blocked=True,
)
def confirm(body: schemas.ConfirmationBody, asker: Identity) -> None:
    """Give your password again: for ten minutes, this session may change the password, delete the account and create
    tokens.
    """
    confirm_password(container(), ConfirmPassword(asker, body["password"], request.remote_addr))


@routes.on("GET", "/v1/sessions", answers=schemas.Sessions, scope="read")
def sessions(asker: Identity) -> dict[str, list[SessionSummary]]:
    """List the browsers that are logged in, newest first. Only a session may."""
    here, own = container(), session_of(asker)
    with here.stores.pool.connection() as connection:
        found = sessions_of(connection, asker.player, here.now())
    return {"sessions": [session_document(session, own) for session in found]}


@routes.on("DELETE", "/v1/sessions", query=schemas.SessionsQuery, status=204, scope="read", while_blocked=True)
def log_out_everywhere(query: schemas.LoadedSessionsQuery, asker: Identity) -> None:
    """End all your sessions, with `others` all but this one. Only a session may; tokens stay valid."""
    end_sessions(container(), EndSessions(asker, query["others"]))


@routes.on("DELETE", "/v1/sessions/<uuid:session>", status=204, scope="read", refuses=(404,), while_blocked=True)
def log_out_one(session: UUID, asker: Identity) -> None:
    """End one of your sessions. Only a session may."""
    end_session(container(), EndSession(asker, session))


@routes.on("DELETE", "/v1/session", status=204, scope="read", while_blocked=True)
def log_out(asker: Identity) -> Response:
    """Log this browser out; a token stays valid."""
    if asker.csrf is not None:
        log_player_out(container(), LogOut(request.cookies.get(SESSION_COOKIE, "")))
    response = make_response("", 204)
    clear_session_cookie(response)
    return response
