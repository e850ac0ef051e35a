"""English messages that keep their pattern and values, so that they can be translated."""

from collections.abc import Mapping
from typing import Self


class Message(str):
    """A pattern with its values filled in, usable as a string. A value may be a message too."""

    pattern: str
    values: Mapping[str, object]

    def __new__(cls, pattern: str, /, **values: object) -> Self:
        """Returns the message of a pattern; without values, returns a message unchanged."""
        if isinstance(pattern, cls) and not values:
            return pattern
        words = super().__new__(cls, str.format(pattern, **values) if values else pattern)
        words.pattern, words.values = str(pattern), values
        return words

    @classmethod
    def of_code(cls, code: str) -> Self:
        """Returns a code as a message: in English the code without underscores, in other languages its translation."""
        words = super().__new__(cls, code.replace("_", " "))
        words.pattern, words.values = code, {}
        return words

    def format(self, *_args: object, **values: object) -> "Message":
        """Fills this message as a pattern; keeps pattern and values when a library formats it."""
        return Message(str(self), **values)
