"""Facts as events store them: the name, then the fields, with names for the numbers; defaults at the end left out."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from events.json_types import Json
from projections.rules.errors import BadFact
from projections.rules.protocol import Fact
from projections.rules.puerto_rico.buildings.printed import NAMES
from projections.rules.puerto_rico.engine.apply import APPLY
from projections.rules.puerto_rico.kinds import ENDS, GOODS, PERSONS, PHASES, ROLES, SOURCES, TILES
from projections.rules.puerto_rico.plan import STEPS
from projections.rules.puerto_rico.state.places import place_name, place_number

NAMED: Final = {  # field -> names of its numbers
    "building": NAMES,
    "good": GOODS,
    "face": GOODS,
    "tile": TILES,
    "role": ROLES,
    "phase": PHASES,
    "step": STEPS,
    "person": PERSONS,
    "source": SOURCES,
}
LISTS: Final = {"buildings": NAMES, "tiles": TILES}  # field -> names of the numbers in its list


def snake(name: str) -> str:
    """`GoodSold` as an event writes it: `good_sold`."""
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name).lstrip("_")


KINDS_OF_FACT: Final[dict[str, Any]] = {snake(kind.__name__): kind for kind in APPLY}
NAME_OF: Final = {kind: name for name, kind in KINDS_OF_FACT.items()}


def encode(fact: Any) -> Json:
    """The fact in plain JSON."""
    kind = fact.__class__
    defaults = kind._field_defaults
    fields = list(kind._fields)
    while fields and fields[-1] in defaults and getattr(fact, fields[-1]) == defaults[fields[-1]]:
        fields.pop()
    return [NAME_OF[kind], *(_write(kind.__name__, field, getattr(fact, field)) for field in fields)]


def _write(kind: str, field: str, value: Any) -> Json:
    if field in NAMED:
        return NAMED[field][value] if value >= 0 else None
    if field in LISTS:
        return [LISTS[field][number] for number in value]
    special = _SPECIAL.get((kind, field)) or _SPECIAL.get(("", field))
    return special[0](value) if special else value


def decode(stored: Json) -> Fact:
    """The fact that was stored."""
    match stored:
        case [str(name), *values] if name in KINDS_OF_FACT:
            kind = KINDS_OF_FACT[name]
        case _:
            raise BadFact(stored, "there is no such fact")
    if len(values) > len(kind._fields):
        raise BadFact(stored, "at most {found} fields are expected", found=len(kind._fields))
    try:
        fields = zip(kind._fields, values, strict=False)
        fact: Fact = kind(*(_read(kind.__name__, field, value) for field, value in fields))
    except (TypeError, ValueError, KeyError, AttributeError) as reason:
        raise BadFact(stored, "its fields do not fit") from reason
    return fact


def _read(kind: str, field: str, value: Any) -> Any:
    if field in NAMED:
        return NAMED[field].index(value) if value is not None else -1
    if field in LISTS:
        return tuple(LISTS[field].index(name) for name in value)
    special = _SPECIAL.get((kind, field)) or _SPECIAL.get(("", field))
    return special[1](value) if special else _plain(value)


def _plain(value: Any) -> int:
    """A number, or true or false."""
    if not isinstance(value, int):
        raise TypeError(value)
    return value


def _write_goods(goods: Sequence[int]) -> Json:
    return {name: amount for name, amount in zip(GOODS, goods, strict=True) if amount}


def _read_goods(stored: Any) -> tuple[int, ...]:
    return tuple(_plain(stored.get(name, 0)) for name in GOODS)


def _write_people(people: Sequence[tuple[int, int, int]]) -> Json:
    return [[place_name(place), colonists, nobles] for place, colonists, nobles in people]


def _place(name: str) -> int:
    number = place_number(name)
    if number is None:
        raise ValueError(name)
    return number


def _read_people(stored: Any) -> tuple[tuple[int, int, int], ...]:
    return tuple((_place(name), _plain(colonists), _plain(nobles)) for name, colonists, nobles in stored)


def _write_end(end: int) -> Json:
    return ENDS[end.bit_length() - 1]


_SPECIAL: Final[dict[tuple[str, str], tuple[Callable[[Any], Json], Callable[[Any], Any]]]] = {
    ("GoodsSupplied", "goods"): (
        lambda goods: [GOODS[good] for good in goods],
        lambda names: tuple(GOODS.index(name) for name in names),
    ),
    ("", "goods"): (_write_goods, _read_goods),
    ("", "people"): (_write_people, _read_people),
    ("", "place"): (place_name, _place),
    ("", "left"): (place_name, _place),
    ("", "end"): (_write_end, lambda name: 1 << ENDS.index(name)),
}
