"""Errors of reading studies."""

from events.errors import CabildoError
from events.messages import Message


class UnreadableStudy(CabildoError):
    """A line of a study, or its JSON (line 0), cannot be read."""

    def __init__(self, line: int, reason: str, text: str) -> None:
        pattern = "line {line}: {reason}: {text}" if text else "line {line}: {reason}"
        super().__init__(pattern, line=line, reason=Message.of_code(reason), text=text)
        self.line = line
        self.reason = reason
        self.text = text
