"""Why regulations or a pairing are refused."""

from collections.abc import Sequence

from events.errors import CabildoError
from events.messages import Message


class BadRegulations(CabildoError):
    """The regulations of a stage are unknown or do not fit together."""

    def __init__(self, where: str, reason: str, /, **values: object) -> None:
        self.where = where
        self.reason = Message(reason, **values)
        super().__init__("{where}: {reason}", where=where, reason=self.reason)


class CannotPair(CabildoError):
    """The players present cannot be seated as the regulations and the forbidden pairs ask."""

    def __init__(self, reason: str, players: Sequence[str] = (), /, **values: object) -> None:
        super().__init__(reason, **values)
        self.reason = str(self)
        self.players = tuple(players)
