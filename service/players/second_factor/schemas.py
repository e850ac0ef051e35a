"""Schemas of second factors, and the types of their loaded bodies and documents."""

from typing import Final, TypedDict

from marshmallow import Schema, fields

from service.players.recovery_schemas import LONGEST_CODE
from service.web.schema_fields import description, moment, text

LONGEST_TICKET: Final = 64
ANY_CODE: Final = "Six digits of the authenticator app, or a recovery code for a lost device."


class SecondFactorCodeBody(TypedDict):
    """A loaded `SecondFactorCode`."""

    code: str


class SecondFactorCode(Schema):
    """A code of the second factor."""

    code = text(LONGEST_CODE, required=True, load_only=True, metadata=description(ANY_CODE))


class SecondStepBody(TypedDict):
    """A loaded `SecondStep`."""

    ticket: str
    code: str


class SecondStep(Schema):
    """The second step of a login."""

    ticket = text(
        LONGEST_TICKET,
        required=True,
        load_only=True,
        metadata=description("As the refusal `second_factor_needed` gave it."),
    )
    code = text(LONGEST_CODE, required=True, load_only=True, metadata=description(ANY_CODE))


class SecondFactorSummary(TypedDict):
    """Whether logins need a code."""

    on: bool
    since: str | None


class SecondFactorDocument(Schema):
    """The second factor of the client's account."""

    on = fields.Boolean(required=True, metadata=description("Whether logins need a code."))
    since = moment(required=True, allow_none=True, metadata=description("When it was switched on."))


class EnrolmentSummary(TypedDict):
    """A new secret."""

    secret: str
    uri: str
    qr: str


class EnrolmentDocument(Schema):
    """A new secret, which the server never shows again."""

    secret = fields.String(required=True, metadata=description("For an authenticator app, in base 32."))
    uri = fields.String(required=True, metadata=description("The same as otpauth URI."))
    qr = fields.String(required=True, metadata=description("The URI as QR code, in SVG."))
