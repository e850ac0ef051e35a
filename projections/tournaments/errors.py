"""Errors about regulations and pairings."""

from collections.abc import Sequence

from events.errors import CabildoError
from events.messages import Message


class BadRegulations(CabildoError):
    """The regulations of a stage are invalid or inconsistent."""

    def __init__(self, where: str, reason: str, /, **values: object) -> None:
        self.where = where
        self.reason = Message(reason, **values)
        super().__init__("{where}: {reason}", where=where, reason=self.reason)


class CannotPair(CabildoError):
    """The present players cannot be seated under the regulations and the forbidden pairs."""

    def __init__(self, reason: str, players: Sequence[str] = (), /, **values: object) -> None:
        super().__init__(reason, **values)
        self.reason = str(self)
        self.players = tuple(players)
