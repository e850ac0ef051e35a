"""The refusal of a recorded game that cannot have happened under the rules."""

from events.errors import CabildoError


class Parted(CabildoError):
    """The recorded game cannot have happened under the rules."""

    def __init__(self, seq: int, reason: str, sentence: str, /, **values: object) -> None:
        super().__init__(sentence, **values)
        self.seq = seq
        self.reason = reason
