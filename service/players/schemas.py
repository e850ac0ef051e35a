"""Schemas of players, tokens and sessions, and the types of their loaded bodies."""

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict

from marshmallow import Schema, fields, validate

from service.players.identity import SCOPES
from service.web.schema_fields import description, hexadecimal, moment, prose, text

WEB_ADDRESS = r"^https://[!-~]+\Z"
LONGEST_PASSWORD = 200
SHORTEST_PASSWORD = 8


def password(**more: object) -> fields.String:
    """Returns the field of a password."""
    return text(LONGEST_PASSWORD, SHORTEST_PASSWORD, load_only=True, **more)


class RegistrationBody(TypedDict):
    """A loaded `Registration`."""

    name: str
    password: NotRequired[str]


class Registration(Schema):
    """A new player."""

    name = text(80, required=True, metadata=description("Unique without regard to case; can be changed and erased."))
    password = password(metadata=description("Signs in to the pages only; clients use tokens."))


class Manifest(Schema):
    """What the owner of a bot says of it, for all players."""

    author = prose(80, metadata=description("Who wrote the engine."))
    source = fields.String(
        validate=[validate.Length(1, 300), validate.Regexp(WEB_ADDRESS)],
        metadata=description("Where the source of the engine is: https://..."),
    )
    budget = prose(120, metadata=description("What a move may cost: steps, seconds, tokens."))
    hardware = prose(120, metadata=description("The machine that the engine runs on."))


class BotBody(TypedDict):
    """A loaded `BotRegistration`."""

    name: str
    engine: str
    manifest: NotRequired[Mapping[str, str]]


class BotRegistration(Schema):
    """A new bot of the client."""

    name = text(80, required=True)
    engine = prose(80, required=True, metadata=description("Name and version of the engine that plays."))
    manifest = fields.Nested(Manifest)


class Change(Schema):
    """Changes of the client's account."""

    name = text(80)
    password = password(allow_none=True, metadata=description("Null: removes the password."))
    revoke_tokens = fields.Boolean(
        metadata=description("True, with a new password: revokes the other tokens and recovery codes, too.")
    )
    engine = prose(80, metadata=description("Engine of a bot's account."))
    manifest = fields.Nested(
        Manifest, allow_none=True, metadata=description("Manifest of a bot's account, as a whole; null: removes it.")
    )


class KeyBody(TypedDict):
    """A loaded `NewKey`."""

    key: str
    proof: str


class NewKey(Schema):
    """A public key, and a proof that the client owns it."""

    key = hexadecimal(required=True, metadata=description("Ed25519 public key."))
    proof = hexadecimal(
        64, required=True, metadata=description("Signature over two lines: cabildo/player-key/v1, and the player's id.")
    )


class PlayerDocument(Schema):
    """The public document of a player."""

    id = fields.UUID(required=True)
    name = fields.String(required=True, allow_none=True, metadata=description("Name of the player; null: erased."))
    bot = fields.Boolean(required=True)
    owner = fields.UUID(required=True, allow_none=True, metadata=description("Owner of a bot's account."))
    engine = fields.String(
        required=True, allow_none=True, metadata=description("Of a bot; null: none, or hidden by an administrator.")
    )
    manifest = fields.Nested(
        Manifest,
        required=True,
        allow_none=True,
        metadata=description("Of a bot: author, source, budget and hardware; null: none, or hidden."),
    )
    key = fields.String(
        required=True,
        allow_none=True,
        metadata=description("Public key that signs the moves of seats taken with `signs`."),
    )
    since = moment(required=True, metadata=description("Time of registration."))


class QuotaSchema(Schema):
    """Use and limit of a quota."""

    used = fields.Integer(required=True)
    limit = fields.Integer(required=True, metadata=description("Most that the account may have."))


class QuotasSchema(Schema):
    """The quotas of an account, its bots included."""

    games = fields.Nested(QuotaSchema, required=True, metadata=description("Own games that run or wait for players."))
    open_tables = fields.Nested(QuotaSchema, required=True, metadata=description("Games that wait for players."))
    bot_seats = fields.Nested(QuotaSchema, required=True, metadata=description("Seats of house bots in own games."))
    studies = fields.Nested(QuotaSchema, required=True, metadata=description("Studies that the account made."))
    webhooks = fields.Nested(QuotaSchema, required=True)
    tokens = fields.Nested(QuotaSchema, required=True)
    bots = fields.Nested(QuotaSchema, required=True, metadata=description("Accounts of bots."))
    programs = fields.Nested(QuotaSchema, required=True, metadata=description("Programs registered for OAuth."))


class OwnBlockSchema(Schema):
    """Until when the account is blocked, and why; null: it is not."""

    until = moment(required=True)
    reason = fields.String(required=True)


class OwnAccount(PlayerDocument):
    """The account of the client."""

    scopes = fields.List(
        fields.String(), required=True, metadata=description("Scopes of the token or session of this request.")
    )
    quotas = fields.Nested(QuotasSchema, required=True)
    recovery_codes = fields.Integer(required=True, metadata=description("Recovery codes that are left."))
    blocked = fields.Nested(OwnBlockSchema, required=True, allow_none=True)


class HostedDocument(Schema):
    """The games that a player hosted; the number of aborted ones is public, since aborting vetoes a deal."""

    games = fields.Integer(required=True)
    aborted = fields.Integer(required=True, metadata=description("Games this player aborted after the deal."))


class Profile(PlayerDocument):
    """A player, with the numbers of games hosted and aborted."""

    hosted = fields.Nested(HostedDocument, required=True)
    aborted = fields.Integer(
        required=True, metadata=description("Games this player aborted after the deal, whoever hosted them.")
    )


class Registered(Schema):
    """The new player and a first token, whose secret the server never shows again."""

    player = fields.Nested(PlayerDocument, required=True)
    token = fields.String(required=True)


class Players(Schema):
    """A list of players."""

    players = fields.List(fields.Nested(PlayerDocument), required=True)


class TokenBody(TypedDict):
    """A loaded `NewToken`."""

    label: str
    scopes: Sequence[str]
    seconds: NotRequired[int]


class NewToken(Schema):
    """A new token."""

    label = prose(80, load_default="", least=0)
    scopes = fields.List(
        fields.String(validate=validate.OneOf(SCOPES)), required=True, validate=validate.Length(1, len(SCOPES))
    )
    seconds = fields.Integer(
        strict=True,
        validate=validate.Range(1, 10 * 366 * 86_400),
        metadata=description("Lifetime; left out: as long as the token of the request."),
    )


class TokenDocument(Schema):
    """A token without its secret."""

    id = fields.UUID(required=True)
    label = fields.String(required=True)
    scopes = fields.List(fields.String(), required=True)
    created = moment(required=True)
    expires = moment(required=True, allow_none=True)
    used = moment(required=True, allow_none=True, metadata=description("Time of the last use, to the minute."))
    program = fields.String(
        required=True,
        allow_none=True,
        metadata=description("The program (its `client_id`) that holds the token; null: issued to the player."),
    )


class Tokens(Schema):
    """The tokens of a player."""

    tokens = fields.List(fields.Nested(TokenDocument), required=True)


class Issued(TokenDocument):
    """A new token with its secret, which the server never shows again."""

    token = fields.String(required=True)


class LoginBody(TypedDict):
    """A loaded `Login`."""

    name: str
    password: str


class Login(Schema):
    """The login of a browser."""

    name = text(80, required=True)
    password = text(LONGEST_PASSWORD, required=True, load_only=True)


class ConfirmationBody(TypedDict):
    """A loaded `Confirmation`."""

    password: str


class Confirmation(Schema):
    """The present password, given again."""

    password = text(LONGEST_PASSWORD, required=True, load_only=True)


class LoadedSessionsQuery(TypedDict):
    """A loaded `SessionsQuery`."""

    others: bool


class SessionsQuery(Schema):
    """Which sessions end."""

    others = fields.Boolean(load_default=False, metadata=description("True: all but that of the request."))


class ListedSession(Schema):
    """A browser that is logged in."""

    id = fields.UUID(required=True)
    created = moment(required=True)
    expires = moment(required=True)
    used = moment(required=True, allow_none=True, metadata=description("Last use, to the minute."))
    agent = fields.String(required=True, metadata=description("Browser and system, where known."))
    address = fields.String(required=True, metadata=description("At the login: the address, of IPv6 the network."))
    current = fields.Boolean(required=True, metadata=description("Whether it is the session of the request."))


class Sessions(Schema):
    """The sessions of a player, newest first."""

    sessions = fields.List(fields.Nested(ListedSession), required=True)


class SessionDocument(Schema):
    """The player of a session, and the value that pages send in X-CSRF-Token."""

    player = fields.Nested(PlayerDocument, required=True)
    csrf = fields.String(required=True)
