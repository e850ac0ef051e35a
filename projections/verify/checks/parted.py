"""The error for a recorded game that the rules do not allow."""

from events.errors import CabildoError


class Parted(CabildoError):
    """The recorded game is impossible under the rules."""

    def __init__(self, seq: int, reason: str, sentence: str, /, **values: object) -> None:
        super().__init__(sentence, **values)
        self.seq = seq
        self.reason = reason
