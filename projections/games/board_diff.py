"""Differences of two documents: each seat's gains, and the changed values by JSON pointer.

They are computed from what a viewer sees, so that a hidden number yields no gain and no change.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeGuard, cast

from events.json_types import Json, JsonObject


def gains(before: JsonObject, after: JsonObject) -> list[dict[str, int]]:
    """Returns each seat's differences by name, such as `doubloons` or `city.harbor`; losses are negative."""
    pairs = zip(_players(before), _players(after), strict=True)
    return [_difference(was, now) for was, now in pairs]


def changes(before: Json, after: Json, pointer: str = "") -> dict[str, Json]:
    """Returns the values to set in a document, by JSON pointer (RFC 6901), to turn it into the later one."""
    if before == after:
        return {}
    if isinstance(before, Mapping) and isinstance(after, Mapping) and before.keys() <= after.keys():
        changed = {f"{pointer}/{_escaped(name)}": after[name] for name in after if name not in before}
        common = [(_escaped(name), was, after[name]) for name, was in before.items()]
    elif _is_list(before) and _is_list(after) and len(before) == len(after) and not _is_plain(after):
        changed = {}
        common = [(str(place), was, now) for place, (was, now) in enumerate(zip(before, after, strict=True))]
    else:
        return {pointer: after}
    for name, was, now in common:
        changed |= changes(was, now, f"{pointer}/{name}")
    return changed


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _is_list(value: Json) -> TypeGuard[Sequence[Json]]:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _is_plain(values: Sequence[Json]) -> bool:
    """Returns whether a list holds numbers and names alone; it is replaced as a whole."""
    return not any(isinstance(value, Mapping) or _is_list(value) for value in values)


def _players(document: JsonObject) -> Sequence[JsonObject]:
    return cast(Sequence[JsonObject], document["players"])


def _difference(was: JsonObject, now: JsonObject) -> dict[str, int]:
    changed = [field for field in {**was, **now} if field not in was or field not in now or was[field] != now[field]]
    was, now = ({field: player[field] for field in changed if field in player} for player in (was, now))
    leaves = [*_leaves("", was), *_leaves("", now)]
    unknown = tuple(f"{name}." for name, amount in leaves if amount is None)
    change = _counted(now)
    change.subtract(_counted(was))
    return {name: amount for name, amount in sorted(change.items()) if amount and not f"{name}.".startswith(unknown)}


def _counted(player: JsonObject) -> Counter[str]:
    amounts: Counter[str] = Counter()
    for name, amount in _leaves("", player):
        amounts[name] += amount or 0
    return amounts


def _leaves(name: str, value: Json) -> Iterator[tuple[str, int | None]]:
    """Yields the amounts in a value: a number as it is, a name in a list as one, None for a hidden value."""
    if value is None or type(value) is int:
        yield name, value
    elif isinstance(value, Mapping):
        for field, inner in value.items():
            yield from _leaves(f"{name}.{field}" if name else field, inner)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for place, item in enumerate(value):
            yield from _listed(name, place, item)


def _listed(name: str, place: int, item: Json) -> Iterator[tuple[str, int | None]]:
    if isinstance(item, str):
        yield f"{name}.{item}", 1
    elif isinstance(item, Mapping) and (kind := next((v for v in item.values() if isinstance(v, str)), None)):
        yield f"{name}.{kind}", 1
        yield from _leaves(f"{name}.{kind}", item)
    else:
        yield from _leaves(f"{name}.{place}", item)
