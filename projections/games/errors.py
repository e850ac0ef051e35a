"""Errors of recorded games: unreadable records, impossible lines, commitments that do not hold, lost seeds."""

import re
from collections.abc import Sequence

from events.errors import CabildoError
from events.messages import Message


class UnreadableRecord(CabildoError):
    """A line of a record of a game cannot be read."""

    def __init__(self, line: int, reason: str, text: str) -> None:
        pattern = "line {line}: {reason}: {text}" if text else "line {line}: {reason}"
        super().__init__(pattern, line=line, reason=Message.of_code(reason), text=text)
        self.line = line
        self.reason = reason
        self.text = text


class ImpossibleLine(CabildoError):
    """A line of a record, or of moves to analyse, cannot have happened; it is the first such line."""

    def __init__(self, line: int, text: str, cause: CabildoError, legal: Sequence[str]) -> None:
        super().__init__("line {line}, {text!r}: {cause}", line=line, text=text, cause=cause)
        self.line = line
        self.text = text
        self.reason = _reason(cause)
        self.rule = getattr(cause, "rule", None)
        self.legal = tuple(legal)  # the legal moves
        self.possible = tuple(getattr(cause, "possible", ()))  # the possible outcomes, when a draw is wrong


def _reason(cause: CabildoError) -> str:
    """The reason code of a refusal: its own, or its name in lower case."""
    own = getattr(cause, "reason", None)
    return str(own) if own else re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(cause).__name__).lower()


class NeedlessDraw(CabildoError):
    """More draws were declared than were made."""

    def __init__(self, left: Sequence[str]) -> None:
        super().__init__("no further draw is needed; left over: {left}", left=", ".join(left))
        self.left = tuple(left)


class BrokenCommitment(CabildoError):
    """A revealed seed, entropy or link is not the one that was committed to, or a commitment came too late."""

    def __init__(self, what: str, seat: int | None, fault: str = "is not the one committed to") -> None:
        pattern = "the server's {what} {fault}" if seat is None else "chair {seat}'s {what} {fault}"
        number = None if seat is None else seat + 1  # sentences count chairs from 1
        super().__init__(pattern, seat=number, what=Message(what), fault=Message(fault))
        self.what = what
        self.seat = seat


class UnreadableCommitment(CabildoError):
    """An event has no commitment or reveal in the agreed form."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field} {reason}")
        self.field = field
        self.reason = reason
