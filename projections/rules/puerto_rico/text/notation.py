"""Moves as one line of ASCII text (design section 5), and the fields of every verb."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from projections.rules.puerto_rico import moves as m
from projections.rules.puerto_rico.buildings.printed import NAMES, members
from projections.rules.puerto_rico.kinds import COLONIST, GOODS, NOBODY, NONE, PERSONS, ROLES, TILES
from projections.rules.puerto_rico.state.places import place_name, rank


def write(move: m.Move) -> str:
    """The canonical text of a move."""
    if isinstance(move, m.Keep):
        return "forest" if move.forest else "keep"
    if isinstance(move, m.Take) and move.forest:
        return " ".join(["forest", TILES[move.tile], *_waivers(move.waived)])
    writer = WRITERS.get(move.__class__)
    return " ".join([move.word, *(writer(move) if writer is not None else ())])


def _waivers(waived: int) -> list[str]:
    return sorted(f"-{NAMES[building]}" for building in members(waived))


def _take(move: m.Take) -> list[str]:
    return [TILES[move.tile], *_waivers(move.waived)]


def _unplant(move: m.Unplant) -> list[str]:
    face = [GOODS[move.face]] if move.face != NONE else []
    person = [PERSONS[move.person]] if move.person != NOBODY else []
    return [TILES[move.tile], *face, *person]


def _place(move: m.PlacePeople) -> list[str]:
    return [
        f"{place_name(place)}={_people(colonists, nobles)}"
        for place, colonists, nobles in sorted(move.people, key=lambda entry: rank(entry[0]))
    ]


def _people(colonists: int, nobles: int) -> str:
    return f"{colonists}+{nobles}n" if nobles else str(colonists)


def _person(person: m.Person) -> str:
    return f"{PERSONS[person[0]]}@{place_name(person[1])}"


def _build(move: m.Build) -> list[str]:
    items = [_person(move.person)] if move.person is not None else []
    items += [GOODS[move.good]] if move.good != NONE else []
    items += ["vp"] if move.vp else []
    payment = [f"black_market={','.join(items)}"] if items else []
    return [NAMES[move.building], *payment, *_waivers(move.waived)]


def _sell(move: m.Sell) -> list[str]:
    return [GOODS[move.good], *(["trading_post"] if move.own_post else [])]


def _plant(move: m.Plant) -> list[str]:
    return [*([TILES[move.tile]] if move.tile != NONE else []), *(["forest"] if move.forest else [])]


def _goods(goods: Sequence[int]) -> list[str]:
    return [f"{name}={amount}" for name, amount in zip(GOODS, goods, strict=True) if amount]


def _guests(move: m.MoveGuests) -> list[str]:
    """Guests by where they go; `noble@` is written, `colonist@` goes without saying."""
    ordered = sorted(move.guests, key=lambda guest: (rank(guest[1]), guest[0]))
    return [place_name(place) if person == COLONIST else _person((person, place)) for person, place in ordered]


WRITERS: Final[Mapping[type, Callable[[Any], list[str]]]] = {
    m.Draft: lambda move: [NAMES[move.building]],
    m.TakeRole: lambda move: [ROLES[move.role]],
    m.Take: _take,
    m.Unplant: _unplant,
    m.Pick: lambda move: [PERSONS[move.person]],
    m.PlacePeople: _place,
    m.Build: _build,
    m.Bonus: lambda move: [GOODS[good] for good in move.goods],
    m.Sell: _sell,
    m.Plant: _plant,
    m.Ship: lambda move: [GOODS[move.good], str(move.capacity)],
    m.Wharf: lambda move: [GOODS[move.good]],
    m.SmallWharf: lambda move: _goods(move.goods),
    m.Supply: lambda move: [GOODS[good] for good in move.goods],
    m.Store: lambda move: _goods(move.goods),
    m.MoveGuests: _guests,
    m.Stay: lambda move: ["phase"] if move.phase else [],
}
