"""Fields that several schemas share."""

from typing import Any

from marshmallow import fields, validate


def hexadecimal(size: int = 32, **more: Any) -> fields.String:
    """So many bytes in lower-case hexadecimal digits."""
    return fields.String(validate=validate.Regexp(f"^[0-9a-f]{{{2 * size}}}\\Z"), **more)


def whole(least: int, most: int, **more: Any) -> fields.Integer:
    """An integer within bounds; texts and fractions are no integers."""
    return fields.Integer(strict=True, validate=validate.Range(least, most), **more)


def text(most: int, least: int = 1, **more: Any) -> fields.String:
    """A text of a bounded length."""
    return fields.String(validate=validate.Length(least, most), **more)


def told(meaning: str) -> dict[str, Any]:
    """The metadata of a field: what it means."""
    return {"description": meaning}
