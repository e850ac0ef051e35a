"""Fields that several schemas share."""

from typing import Any, Final

from marshmallow import fields, validate

CONTROL: Final = r"^[^\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]*\Z"
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
    """A text whose line ends become LF: browsers send CRLF."""

    def _deserialize(self, value: Any, *more: Any, **named: Any) -> Any:
        return super()._deserialize(value, *more, **named).replace("\r\n", "\n")


def prose(most: int, least: int = 1, **more: Any) -> Prose:
    """A text of a player, without control characters."""
    return Prose(validate=[validate.Length(least, most), validate.Regexp(CONTROL)], **more)


def player_id(**more: Any) -> fields.String:
    """The opaque id of a player."""
    return fields.String(validate=validate.Regexp(PLAYER_ID), **more)


def description(meaning: str) -> dict[str, Any]:
    """Returns the metadata of a field: its description."""
    return {"description": meaning}
