"""The own settings and their values; what is stored badly or not at all has its usual value."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

THEME, MOTION, COLOURS, SOUNDS, CONFIRM, VOLUME = "theme", "motion", "colours", "sounds", "confirm", "volume"
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {  # the usual value first
    THEME: ("system", "light", "dark"),
    MOTION: ("system", "on", "off"),  # system: off where the reader asks the system for less motion
    COLOURS: ("usual", "safe"),  # safe: told apart by people who see few colours
    SOUNDS: ("off", "turn", "all"),  # turn: the own turn alone
    CONFIRM: ("final", "all", "none"),  # which moves are asked for once more before they are sent
}
LOUDEST: Final = 100
USUAL_VOLUME: Final = 50
ZONE, QUIET, NOTIFY = "time_zone", "quiet_hours", "notify"
KINDS: Final = ("turn", "time", "expires", "over", "round")
"""The own turn, time runs out, an open table ends unless it fills, a game is over, a round is published."""
PUSH, MAIL, TAB = "push", "mail", "tab"
WAYS: Final = (PUSH, MAIL, TAB)  # tab: a page that is open and out of view
USUAL_ZONE: Final = "UTC"


class Appearance(NamedTuple):
    """How the pages look, sound and ask; a browser without an account has it, too."""

    theme: str = CHOICES[THEME][0]
    motion: str = CHOICES[MOTION][0]
    colours: str = CHOICES[COLOURS][0]
    sounds: str = CHOICES[SOUNDS][0]
    volume: int = USUAL_VOLUME
    confirm: str = CHOICES[CONFIRM][0]


class QuietHours(NamedTuple):
    """From when until when nothing is told, in minutes after midnight; may pass midnight."""

    begin: int
    end: int


class Telling(NamedTuple):
    """What a player is told of, by which ways, and when not."""

    zone: str
    quiet: QuietHours | None
    ways: Mapping[str, tuple[str, ...]]  # by kind


def appearance_of(stored: Mapping[str, object]) -> Appearance:
    """Returns the appearance of stored settings."""
    chosen = {name: value for name, among in CHOICES.items() if (value := stored.get(name)) in among}
    volume = stored.get(VOLUME)
    loudness = volume if type(volume) is int and 0 <= volume <= LOUDEST else USUAL_VOLUME
    return Appearance(**chosen, volume=loudness)


def telling_of(stored: Mapping[str, object]) -> Telling:
    """Returns what stored settings say of notifications."""
    zone, chosen = stored.get(ZONE), stored.get(NOTIFY)
    ways = chosen if isinstance(chosen, Mapping) else {}
    return Telling(
        zone if isinstance(zone, str) else USUAL_ZONE,
        _quiet(stored.get(QUIET)),
        {kind: _ways(ways.get(kind, ())) for kind in KINDS},
    )


def minutes_of(time: str) -> int:
    """Returns the minutes after midnight of a time such as 22:30; raises ValueError."""
    hours, _, minutes = time.partition(":")
    if not (0 <= int(hours) < 24 and 0 <= int(minutes) < 60):
        raise ValueError(time)
    return int(hours) * 60 + int(minutes)


def time_of(minutes: int) -> str:
    """Returns the time of minutes after midnight."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _ways(given: object) -> tuple[str, ...]:
    return tuple(way for way in WAYS if isinstance(given, Sequence) and way in given)


def _quiet(given: object) -> QuietHours | None:
    if not isinstance(given, Mapping):
        return None
    try:
        return QuietHours(minutes_of(str(given["from"])), minutes_of(str(given["until"])))
    except (KeyError, ValueError):
        return None
