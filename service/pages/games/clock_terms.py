"""The clock of a table in a few words, as lists and invitations tell it."""

from collections.abc import Mapping
from typing import Final

from projections.games.clocks import BANK, PER_MOVE, read_setting
from service.i18n.phrases import phrase

HOURS_OF_DAY: Final = 24


def clock_in_words(document: Mapping[str, object], language: str) -> str:
    """Returns the words for the document of a time control."""
    setting = read_setting(document)
    time, more = spelled_span(setting.seconds), spelled_span(setting.increment)
    if setting.kind == PER_MOVE:
        return phrase(language, "lobby.time_per_move", time=time)
    if setting.kind == BANK:
        kind = "lobby.time_with_increment" if setting.increment else "lobby.time_in_all"
        return phrase(language, kind, time=time, more=more)
    return phrase(language, "lobby.clock_none")


def spelled_span(seconds: float) -> str:
    """Returns a span of time as the clocks of a table spell it: 0:07, 1:02:03, 2d 5h."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours >= HOURS_OF_DAY:
        return f"{hours // HOURS_OF_DAY}d {hours % HOURS_OF_DAY}h"
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
