"""Keeps answers to bad input short: the first faults and the beginning of long values."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

MOST_FAULTS: Final = 20
MOST_ITEMS: Final = 100  # of a list or object among the data of an error
LONGEST_NAME: Final = 80
LONGEST_VALUE: Final = 600
CUT: Final = "…"


class Excerpt(NamedTuple):
    """The first faults of a request, nested as marshmallow nests them, and how many more there are."""

    faults: object
    more: int


def first_faults(errors: object, most: int = MOST_FAULTS) -> Excerpt:
    """Returns the first faults."""
    taker = _Taker(most)
    return Excerpt(taker.take(errors), taker.more)


class _Taker:
    """Takes the first faults out of nested ones, and counts the others."""

    def __init__(self, most: int) -> None:
        self.more = 0
        self._left = most

    def take(self, errors: object) -> object:
        """Returns the faults that are taken; None for one too many."""
        if isinstance(errors, Mapping):
            members = ((str(name), self.take(inner)) for name, inner in errors.items())
            return {shortened(name, LONGEST_NAME): inner for name, inner in members if inner} or None
        if isinstance(errors, list):
            return [inner for inner in map(self.take, errors) if inner] or None
        if not self._left:
            self.more += 1
            return None
        self._left -= 1
        return errors


def clipped(value: object) -> object:
    """Returns the data of an error with long texts, lists and objects cut."""
    if isinstance(value, str):
        return shortened(value, LONGEST_VALUE)
    if isinstance(value, Mapping):
        members = [*value.items()][:MOST_ITEMS]
        return {shortened(str(name), LONGEST_NAME): clipped(inner) for name, inner in members}
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [clipped(inner) for inner in value[:MOST_ITEMS]]
    return value


def shortened(text: str, most: int) -> str:
    """Returns the beginning of a text that is longer than this."""
    return text if len(text) <= most else text[: most - 1] + CUT
