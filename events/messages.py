"""English words that remember what they were made of, so that a reader can be told the same in another language."""

from collections.abc import Mapping
from typing import Self


class Message(str):
    """A pattern with its places filled in: its English text wherever a text is wanted. Words may stand in words."""

    pattern: str
    values: Mapping[str, object]

    def __new__(cls, pattern: str, /, **values: object) -> Self:
        """The words of a pattern; without values, what is given, be it words already or a pattern without places."""
        if isinstance(pattern, cls) and not values:
            return pattern
        words = super().__new__(cls, str.format(pattern, **values) if values else pattern)
        words.pattern, words.values = str(pattern), values
        return words

    @classmethod
    def of_code(cls, code: str) -> Self:
        """A code as words: itself without its underscores, and in other languages what the code stands for."""
        words = super().__new__(cls, code.replace("_", " "))
        words.pattern, words.values = code, {}
        return words

    def format(self, *_args: object, **values: object) -> "Message":
        """These words as a pattern, filled in; whoever formats a text of ours or of a library loses nothing."""
        return Message(str(self), **values)
