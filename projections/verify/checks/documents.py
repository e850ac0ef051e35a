"""Compares values as JSON: true is not 1, although Python holds them equal."""

from collections.abc import Mapping

from events.json_types import Json


def plain(value: Json) -> Json:
    """Returns a value as JSON has it, with lists for all sequences."""
    if isinstance(value, Mapping):
        return {name: plain(item) for name, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def same(one: Json, other: Json) -> bool:
    """Returns whether two values have the same canonical JSON.

    >>> same({"a": (1, 2)}, {"a": [1, 2]}), same([1], [True])
    (True, False)
    """
    if isinstance(one, Mapping):
        return isinstance(other, Mapping) and one.keys() == other.keys() and all(same(one[n], other[n]) for n in one)
    if isinstance(one, list | tuple):
        return isinstance(other, list | tuple) and len(one) == len(other) and all(map(same, one, other))
    return isinstance(one, bool) is isinstance(other, bool) and one == other
