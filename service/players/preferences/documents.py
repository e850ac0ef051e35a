"""The own settings as clients read them."""

from collections.abc import Mapping

from service.players.preferences.schemas import SettingsSummary
from service.players.preferences.values import QuietHours, appearance_of, telling_of, time_of


def settings_document(stored: Mapping[str, object]) -> SettingsSummary:
    """Returns all settings of what is stored."""
    appearance, telling = appearance_of(stored), telling_of(stored)
    return {
        "theme": appearance.theme,
        "motion": appearance.motion,
        "colours": appearance.colours,
        "sounds": appearance.sounds,
        "volume": appearance.volume,
        "confirm": appearance.confirm,
        "time_zone": telling.zone,
        "quiet_hours": _quiet(telling.quiet),
        "notify": telling.ways,
    }


def _quiet(quiet: QuietHours | None) -> Mapping[str, str] | None:
    return None if quiet is None else {"begin": time_of(quiet.begin), "until": time_of(quiet.end)}
