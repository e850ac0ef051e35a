"""Players and tokens as clients read them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict
from uuid import UUID

from service.core.clock import iso_time
from service.core.quotas import QuotaUse
from service.moderation.blocks import Block
from service.players.queries import BrowserSession, HostedGames, Player, Token
from service.players.recovery_codes import Recovered


class NamedPlayer(TypedDict):
    """A player by id and name; no name after an erasure."""

    id: str
    name: str | None


class PlayerSummary(TypedDict):
    """The document of a player; null as the name of a forgotten one."""

    id: UUID
    name: str | None
    bot: bool
    owner: UUID | None
    engine: str | None
    manifest: Mapping[str, str] | None
    key: str | None
    since: str | None


class HostedNumbers(TypedDict):
    """The numbers of games that a player hosted."""

    games: int
    aborted: int


class PlayerProfile(PlayerSummary):
    """A player with the numbers of games hosted and aborted."""

    hosted: HostedNumbers
    aborted: int


class QuotaDocument(TypedDict):
    """Use and limit of a quota."""

    used: int
    limit: int


class OwnBlock(TypedDict):
    """Until when the own account is blocked, and why."""

    until: str | None
    reason: str


class OwnPlayer(PlayerSummary):
    """A player's own account with its quotas, the number of recovery codes left, its block and the request's scopes."""

    scopes: Sequence[str]
    quotas: dict[str, QuotaDocument]
    recovery_codes: int
    blocked: OwnBlock | None


class RegisteredPlayer(TypedDict):
    """A new player with the secret of a first token."""

    player: PlayerSummary
    token: str


class PlayerSession(TypedDict):
    """The player of a session and its CSRF value."""

    player: PlayerSummary
    csrf: str


class TokenSummary(TypedDict):
    """A token without its secret."""

    id: UUID
    label: str
    scopes: Sequence[str]
    created: str | None
    expires: str | None
    used: str | None
    program: str | None


class SessionSummary(TypedDict):
    """A session without its secrets."""

    id: UUID
    created: str | None
    expires: str | None
    used: str | None
    agent: str
    address: str
    current: bool


class RecoveryReport(TypedDict):
    """What a recovery did."""

    player: UUID
    sessions: int
    tokens: int
    recovery_codes: int


class IssuedToken(TokenSummary):
    """A new token with its secret."""

    token: str


def player_document(player: Player) -> PlayerSummary:
    """Returns the document of a player."""
    return {
        "id": player.id,
        "name": player.name,
        "bot": player.bot,
        "owner": player.owner,
        "engine": player.engine,
        "manifest": player.manifest,
        "key": player.key.hex() if player.key else None,
        "since": iso_time(player.created),
    }


def profile_document(player: Player, hosted: HostedGames, aborted: int) -> PlayerProfile:
    """Returns the public profile of a player."""
    return {**player_document(player), "hosted": {"games": hosted.games, "aborted": hosted.aborted}, "aborted": aborted}


def own_document(
    player: Player, scopes: Iterable[str], used: Mapping[str, QuotaUse], codes: int, block: Block | None
) -> OwnPlayer:
    """Returns the document that a player reads of the own account."""
    quotas: dict[str, QuotaDocument] = {name: {"used": use.used, "limit": use.limit} for name, use in used.items()}
    return {
        **player_document(player),
        "scopes": sorted(scopes),
        "quotas": quotas,
        "recovery_codes": codes,
        "blocked": own_block(block),
    }


def own_block(block: Block | None) -> OwnBlock | None:
    """Returns what a player reads of a block of the own account."""
    return None if block is None else {"until": iso_time(block.until), "reason": block.reason}


def token_document(token: Token) -> TokenSummary:
    """Returns the document of a token."""
    return {
        "id": token.id,
        "label": token.label,
        "scopes": token.scopes,
        "created": iso_time(token.created),
        "expires": iso_time(token.expires),
        "used": iso_time(token.used),
        "program": token.program,
    }


def session_document(session: BrowserSession, current: UUID | None) -> SessionSummary:
    """Returns the document of a session; `current` is that of the request."""
    return {
        "id": session.id,
        "created": iso_time(session.created),
        "expires": iso_time(session.expires),
        "used": iso_time(session.used),
        "agent": session.agent,
        "address": session.address,
        "current": session.id == current,
    }


def recovery_document(recovered: Recovered) -> RecoveryReport:
    """Returns the document of a recovery."""
    return {
        "player": recovered.player,
        "sessions": recovered.sessions,
        "tokens": recovered.tokens,
        "recovery_codes": recovered.codes,
    }


def issued_document(token: Token, secret: str) -> IssuedToken:
    """Returns the document of a new token with its secret."""
    return {**token_document(token), "token": secret}
