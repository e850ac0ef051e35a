"""Schemas of e-mail addresses, and the types of their loaded bodies and documents."""

from typing import TypedDict

from marshmallow import Schema, fields

from service.players.email.addresses import LONGEST_ADDRESS
from service.players.recovery_schemas import LONGEST_CODE
from service.web.schema_fields import description, moment, prose, text


class NewEmailBody(TypedDict):
    """A loaded `NewEmail`."""

    address: str


class NewEmail(Schema):
    """An e-mail address to store."""

    address = text(LONGEST_ADDRESS, 3, required=True, load_only=True)


class EmailCodeBody(TypedDict):
    """A loaded `EmailCode`."""

    code: str


class EmailCode(Schema):
    """The code out of a mail."""

    code = text(LONGEST_CODE, required=True, load_only=True)


class RecoveryRequestBody(TypedDict):
    """A loaded `RecoveryRequest`."""

    account: str


class RecoveryRequest(Schema):
    """Whose password was lost."""

    account = prose(
        LONGEST_ADDRESS,
        required=True,
        load_only=True,
        metadata=description("Name of the account, or its confirmed e-mail address."),
    )


class EmailSummary(TypedDict):
    """The addresses of an account."""

    address: str | None
    since: str | None
    waiting: str | None
    mail: bool


class EmailDocument(Schema):
    """The e-mail address of the client's account, which no other player learns."""

    address = fields.String(required=True, allow_none=True, metadata=description("The confirmed address."))
    since = moment(required=True, allow_none=True, metadata=description("When it was confirmed."))
    waiting = fields.String(
        required=True, allow_none=True, metadata=description("An address that waits for the code of its mail.")
    )
    mail = fields.Boolean(required=True, metadata=description("Whether this service sends mail."))
