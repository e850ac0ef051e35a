"""Why regulations or a pairing are refused."""

from collections.abc import Sequence

from events.errors import CabildoError


class BadRegulations(CabildoError):
    """The regulations of a stage are unknown or do not fit together."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}")
        self.where = where
        self.reason = reason


class CannotPair(CabildoError):
    """The players present cannot be seated as the regulations and the forbidden pairs ask."""

    def __init__(self, reason: str, players: Sequence[str] = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.players = tuple(players)
