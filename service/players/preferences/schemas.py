"""Schemas of the own settings, and the types of their loaded bodies and documents."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, TypedDict
from zoneinfo import ZoneInfo

from marshmallow import Schema, ValidationError, fields, validate

from events.messages import Message
from service.players.preferences.values import CHOICES, LOUDEST, WAYS
from service.web.schema_fields import description, integer

TIME_OF_DAY: Final = r"^([01][0-9]|2[0-3]):[0-5][0-9]\Z"
LONGEST_ZONE: Final = 64
TWICE: Final = Message("is given more than once")
NO_ZONE: Final = Message("is no time zone, such as Europe/Prague or UTC")
MEANINGS: Final[Mapping[str, str]] = {
    "theme": "Colours of the pages: those of the system, light or dark.",
    "motion": "Whether pieces move; `system`: off where the system asks for less motion.",
    "colours": "`safe`: goods and players differ by pattern, and by colours that every reader tells apart.",
    "sounds": "Sounds: none, for your turn, or for moves of others, too.",
    "confirm": "Which moves the page asks for once more: those that cannot be undone, all or none.",
}


class SettingsBody(TypedDict, total=False):
    """Loaded `SettingsChange`."""

    theme: str
    motion: str
    colours: str
    sounds: str
    volume: int
    confirm: str
    time_zone: str
    quiet_hours: Mapping[str, str] | None
    notify: Mapping[str, Sequence[str]]


class SettingsSummary(TypedDict):
    """The document of all settings."""

    theme: str
    motion: str
    colours: str
    sounds: str
    volume: int
    confirm: str
    time_zone: str
    quiet_hours: Mapping[str, str] | None
    notify: Mapping[str, Sequence[str]]


@lru_cache(1_000)
def is_zone(name: str) -> bool:
    """Returns whether the service knows a time zone."""
    try:
        ZoneInfo(name)
    except (OSError, ValueError, KeyError):  # no file, a path, no zone
        return False
    return True


def _check_zone(name: str) -> None:
    if not is_zone(name):
        raise ValidationError([NO_ZONE])


def _check_once(ways: Sequence[str]) -> None:
    if len(set(ways)) < len(ways):
        raise ValidationError([TWICE])


def _choice(name: str, *, required: bool = False) -> fields.String:
    return fields.String(
        validate=validate.OneOf(CHOICES[name]), metadata=description(MEANINGS[name]), required=required
    )


def _ways(meaning: str) -> fields.List[str]:
    return fields.List(
        fields.String(validate=validate.OneOf(WAYS)),
        validate=[validate.Length(max=len(WAYS)), _check_once],
        metadata=description(meaning),
    )


class QuietHoursSchema(Schema):
    """From when until when nothing is told, in the time zone of the player; it may pass midnight."""

    begin = fields.String(
        data_key="from",
        required=True,
        validate=validate.Regexp(TIME_OF_DAY),
        metadata=description("Such as 22:30."),
    )
    until = fields.String(required=True, validate=validate.Regexp(TIME_OF_DAY), metadata=description("Such as 07:00."))


class NotifySchema(Schema):
    """By which ways a player is told of what: `push`, to the subscribed browsers, `mail`, and `tab`: an open
    page of a table that is out of view."""

    turn = _ways("It is your turn.")
    time = _ways("Your time runs out.")
    expires = _ways("An open table of yours ends soon, unless it fills.")
    over = _ways("A game of yours is over.")
    round = _ways("A round of a tournament of yours is published.")


class SettingsChange(Schema):
    """Own settings to change; the others stay as they are."""

    theme = _choice("theme")
    motion = _choice("motion")
    colours = _choice("colours")
    sounds = _choice("sounds")
    volume = integer(0, LOUDEST, metadata=description("How loud sounds are."))
    confirm = _choice("confirm")
    time_zone = fields.String(
        validate=[validate.Length(1, LONGEST_ZONE), _check_zone],
        metadata=description("Name of the time zone of quiet hours, such as Europe/Prague."),
    )
    quiet_hours = fields.Nested(QuietHoursSchema, allow_none=True, metadata=description("Null: none."))
    notify = fields.Nested(NotifySchema, metadata=description("Kinds that are left out are not told of."))


class SettingsDocument(Schema):
    """The own settings."""

    theme = _choice("theme", required=True)
    motion = _choice("motion", required=True)
    colours = _choice("colours", required=True)
    sounds = _choice("sounds", required=True)
    volume = fields.Integer(required=True, metadata=description("How loud sounds are, up to 100."))
    confirm = _choice("confirm", required=True)
    time_zone = fields.String(required=True, metadata=description("Time zone of quiet hours."))
    quiet_hours = fields.Nested(QuietHoursSchema, required=True, allow_none=True)
    notify = fields.Nested(NotifySchema, required=True)
