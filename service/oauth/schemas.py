"""Schemas of programs, and of what OAuth answers."""

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from marshmallow import Schema, fields, validate

from service.oauth.redirects import LONGEST_REDIRECT
from service.players.schemas import WEB_ADDRESS
from service.web.schema_fields import description, moment, text

MOST_REDIRECTS = 10
LONGEST_SITE = 300


class ProgramBody(TypedDict):
    """A loaded `NewProgram`."""

    name: str
    redirects: Sequence[str]
    site: NotRequired[str]


class NewProgram(Schema):
    """A new program."""

    name = text(80, required=True, metadata=description("Shown to the players whom it asks."))
    redirects = fields.List(
        text(LONGEST_REDIRECT),
        validate=validate.Length(0, MOST_REDIRECTS),
        load_default=list,
        metadata=description(
            "Where browsers may be sent with a code: https://..., http://127.0.0.1/... with any port, "
            "com.example.app:/...; left out: it uses device codes alone."
        ),
    )
    site = fields.String(
        validate=[validate.Length(1, LONGEST_SITE), validate.Regexp(WEB_ADDRESS)],
        metadata=description("A page about it: https://..."),
    )


class ProgramDocument(Schema):
    """A program that may ask players for tokens; it is public, and has no secret."""

    client_id = fields.String(required=True)
    name = fields.String(required=True)
    site = fields.String(required=True, allow_none=True)
    redirects = fields.List(fields.String(), required=True)
    created = moment(required=True)


class Programs(Schema):
    """The programs of a player."""

    programs = fields.List(fields.Nested(ProgramDocument), required=True)


class OAuthError(Schema):
    """An error in the form of OAuth (RFC 6749, 5.2)."""

    error = fields.String(required=True)
    error_description = fields.String()


class TokenAnswer(Schema):
    """A token for a program."""

    access_token = fields.String(required=True)
    token_type = fields.String(required=True)
    expires_in = fields.Integer(required=True, metadata=description("Seconds."))
    scope = fields.String(required=True, metadata=description("Separated by spaces."))
    refresh_token = fields.String(metadata=description("Used once; with a device code there is none."))


class DeviceAnswer(Schema):
    """The codes of a begun login."""

    device_code = fields.String(required=True)
    user_code = fields.String(required=True)
    verification_uri = fields.String(required=True)
    verification_uri_complete = fields.String(required=True)
    expires_in = fields.Integer(required=True)
    interval = fields.Integer(required=True)


class Revoked(Schema):
    """An empty answer."""


class Metadata(Schema):
    """What the authorisation server can do (RFC 8414)."""

    issuer = fields.String(required=True)
    authorization_endpoint = fields.String(required=True)
    token_endpoint = fields.String(required=True)
    revocation_endpoint = fields.String(required=True)
    device_authorization_endpoint = fields.String(required=True)
    scopes_supported = fields.List(fields.String(), required=True)
    response_types_supported = fields.List(fields.String(), required=True)
    response_modes_supported = fields.List(fields.String(), required=True)
    grant_types_supported = fields.List(fields.String(), required=True)
    code_challenge_methods_supported = fields.List(fields.String(), required=True)
    token_endpoint_auth_methods_supported = fields.List(fields.String(), required=True)
    revocation_endpoint_auth_methods_supported = fields.List(fields.String(), required=True)
    authorization_response_iss_parameter_supported = fields.Boolean(required=True)
    service_documentation = fields.String(required=True)
