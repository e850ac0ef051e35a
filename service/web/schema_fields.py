"""Fields that several schemas share."""

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from marshmallow import fields, validate

from events.messages import Message
from service.web.openapi.deprecation import NUMBERS_AS_TIMES, use_deprecated

CONTROL: Final = r"^[^\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]*\Z"
# Drops characters that set the direction of letters, also of those that a page shows behind the text.
TURNING: Final = str.maketrans(dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)]))
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND: Final = timedelta(microseconds=1)
LATEST: Final = 2**53 - 1  # microseconds
NO_TIME: Final = Message("takes a time in ISO 8601 with its zone, such as 2026-11-18T19:30:00Z")
NULL: Final = ({"type": "null"},)
PLAYER_ID: Final = r"^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}\Z"


def hexadecimal(size: int = 32, **more: Any) -> fields.String:
    """Returns a field of bytes in lower-case hexadecimal digits."""
    return fields.String(validate=validate.Regexp(f"^[0-9a-f]{{{2 * size}}}\\Z"), **more)


def integer(least: int, most: int, **more: Any) -> fields.Integer:
    """Returns a field of an integer within bounds; refuses texts and fractions."""
    return fields.Integer(strict=True, validate=validate.Range(least, most), **more)


class StrictBoolean(fields.Boolean):
    """A boolean; refuses numbers and texts."""

    def _deserialize(self, value: object, attr: str | None, data: Any, **more: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return bool(super()._deserialize(value, attr, data, **more))


def text(most: int, least: int = 1, **more: Any) -> fields.String:
    """A text of a bounded length."""
    return fields.String(validate=validate.Length(least, most), **more)


class Prose(fields.String):
    """A text whose line ends become LF, since browsers send CRLF, and that turns no other text around."""

    def _deserialize(self, value: Any, *more: Any, **named: Any) -> Any:
        return super()._deserialize(value, *more, **named).replace("\r\n", "\n").translate(TURNING)


def prose(most: int, least: int = 1, **more: Any) -> Prose:
    """A text of a player, without control characters."""
    return Prose(validate=[validate.Length(least, most), validate.Regexp(CONTROL)], **more)


def player_id(**more: Any) -> fields.String:
    """The opaque id of a player."""
    return fields.String(validate=validate.Regexp(PLAYER_ID), **more)


def moment(**more: Any) -> fields.String:
    """Returns the field of a time in an answer: ISO 8601 in UTC, with microseconds."""
    metadata = {"format": "date-time", **more.pop("metadata", {})}
    return fields.String(metadata=metadata, **more)


class Timestamp(fields.Field[int]):
    """A time in a request, in ISO 8601 with its zone; loads microseconds since 1970. A number of them is deprecated."""

    def __init__(self, meaning: str, **more: Any) -> None:
        number = {"type": "integer", "minimum": 0, "maximum": LATEST, "deprecated": True}
        form = {"anyOf": [{"type": "string", "format": "date-time"}, number, *NULL[: bool(more.get("allow_none"))]]}
        super().__init__(metadata={**form, "description": meaning}, error_messages={"invalid": NO_TIME}, **more)

    def _deserialize(self, value: Any, *_where: Any, **_more: Any) -> int:
        if type(value) is int and 0 <= value <= LATEST:
            use_deprecated(NUMBERS_AS_TIMES)
            return value
        try:
            at = datetime.fromisoformat(value) if isinstance(value, str) else None
            told = None if at is None or at.tzinfo is None else (at - EPOCH) // MICROSECOND
        except (ValueError, OverflowError):
            told = None
        if told is None or not 0 <= told <= LATEST:
            raise self.make_error("invalid")
        return told


def description(meaning: str) -> dict[str, Any]:
    """Returns the metadata of a field: its description."""
    return {"description": meaning}
