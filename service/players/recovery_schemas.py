"""Schemas of recovery codes, and the types of their loaded bodies."""

from typing import NotRequired, TypedDict

from marshmallow import Schema, fields

from service.players.schemas import password
from service.web.schema_fields import description, text

LONGEST_CODE = 40


class RecoveryBody(TypedDict):
    """A loaded `Recovery`."""

    name: str
    code: str
    password: str
    revoke_tokens: NotRequired[bool]


class Recovery(Schema):
    """A new password, with a recovery code."""

    name = text(80, required=True)
    code = text(
        LONGEST_CODE,
        required=True,
        load_only=True,
        metadata=description("Recovery code; spaces, hyphens and case do not matter."),
    )
    password = password(required=True, metadata=description("The new password."))
    revoke_tokens = fields.Boolean(metadata=description("True: revokes all tokens and recovery codes, too."))


class RecoveryDone(Schema):
    """What a recovery did."""

    player = fields.UUID(required=True)
    sessions = fields.Integer(required=True, metadata=description("Sessions that ended: all."))
    tokens = fields.Integer(required=True, metadata=description("Tokens that stay valid."))
    recovery_codes = fields.Integer(required=True, metadata=description("Recovery codes that are left."))


class RecoveryCodes(Schema):
    """New recovery codes, which the server never shows again."""

    codes = fields.List(fields.String(), required=True)
