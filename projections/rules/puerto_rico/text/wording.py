"""Moves in words: labels and effects."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from projections.rules.puerto_rico import moves as m
from projections.rules.puerto_rico.buildings.printed import COLUMNS, NAMES, members
from projections.rules.puerto_rico.engine import flow
from projections.rules.puerto_rico.engine.fact_recorder import ReactingRecorder
from projections.rules.puerto_rico.kinds import (
    BUILDINGS_FROM,
    COLONIST,
    FOREST,
    GOODS,
    NOBODY,
    NONE,
    PERSONS,
    ROLES,
    TILES,
)
from projections.rules.puerto_rico.phases.builder import discounts
from projections.rules.puerto_rico.state.places import place_name
from projections.rules.puerto_rico.state.position import Position
from projections.rules.puerto_rico.text.labels import Labels, labels


def label(_position: Position, move: m.Move, language: str = "en") -> str:
    """The move in words."""
    words = labels(language)
    text = SAYINGS[move.__class__](words, move)
    for building in members(getattr(move, "waived", 0)):
        text = words.say("moves", "without", move=text, building=words.say("buildings", NAMES[building]))
    return text


def effect(position: Position, move: m.Move, language: str = "en") -> str:
    """Returns the gains and costs of the seat to act, before any other seat acts; empty when there are none."""
    words, seat = labels(language), position.actor
    after = position.copy()
    flow.execute(after, seat, position.step, move, _FirstKind(), ReactingRecorder())
    doubloons = after.doubloons[seat] - position.doubloons[seat]
    parts = []
    if isinstance(move, m.Build):
        parts.append(_payment(words, position, move.building, -doubloons))
    elif doubloons < 0:
        parts.append(words.say("effects", "pays", doubloons=words.count("doubloon", -doubloons)))
    gains = [words.count(piece, number) for piece, number in _gains(position, after, seat, doubloons) if number > 0]
    if gains:
        parts.append(words.say("effects", "gains", things=", ".join(gains)))
    return "; ".join(parts)


def _gains(before: Position, after: Position, seat: int, doubloons: int) -> Iterable[tuple[str, int]]:
    nobles = after.nobles_of(seat) - before.nobles_of(seat)
    yield "doubloon", doubloons
    yield "victory_point", after.chips[seat] + after.noted[seat] - before.chips[seat] - before.noted[seat]
    yield "colonist", after.people_of(seat) - before.people_of(seat) - nobles
    yield "noble", nobles


def _payment(words: Labels, position: Position, building: int, paid: int) -> str:
    """`pays 6 doubloons (8 - 1 privilege - 1 quarry)`."""
    text = words.say("effects", "pays", doubloons=words.count("doubloon", paid))
    off = discounts(position, position.actor, COLUMNS[building])
    named = [words.say("effects", name, n=n) for name, n in off._asdict().items() if n]
    cost = position.rulings.costs[building]
    return f"{text} ({' - '.join([str(cost), *named])})" if named else text


class _FirstKind:
    """Draws any kind: the effect of a move does not depend on it."""

    def draw(self, counts: Mapping[str, int]) -> str:
        return min(kind for kind, number in counts.items() if number)


# --- one saying for each kind of move --------------------------------------------------------------------------------


def _tile(words: Labels, tile: int) -> str:
    return words.say("tiles", TILES[tile])


def place_in(words: Labels, place: int) -> str:
    """Where a person stands."""
    if place < BUILDINGS_FROM:
        return _tile(words, place)
    name = place_name(place)
    return words.say("pieces", name) if name == "san_juan" else words.say("buildings", name)


def _goods(words: Labels, goods: Iterable[int]) -> str:
    return ", ".join(words.say("goods", GOODS[good]) for good in goods)


def _amounts(words: Labels, goods: Sequence[int]) -> str:
    named = zip(GOODS, goods, strict=True)
    return ", ".join(words.say("counts", "thing", n=n, thing=words.say("goods", good)) for good, n in named if n)


def _take(words: Labels, move: m.Take) -> str:
    return words.say("moves", "take_forest" if move.forest else "take", tile=_tile(words, move.tile))


def _unplant(words: Labels, move: m.Unplant) -> str:
    tile = _tile(words, move.tile)
    if move.person != NOBODY:
        person = words.say("pieces", PERSONS[move.person])
        tile = words.say("moves", "occupied_by", thing=tile, person=person)
    elif move.tile == FOREST and move.face != NONE:
        tile = words.say("moves", "lying_on", forest=tile, tile=_tile(words, move.face))
    return words.say("moves", "unplant", tile=tile)


def _people(words: Labels, move: m.PlacePeople) -> str:
    if not move.people:
        return words.say("moves", "place_nobody")
    people = []
    for place, colonists, nobles in move.people:
        sorts = (("colonist", colonists), ("noble", nobles))
        who = ", ".join(words.count(sort, number) for sort, number in sorts if number)
        people.append(words.say("moves", "person_at", person=who, place=place_in(words, place)))
    return words.say("moves", "place", people="; ".join(people))


def _build(words: Labels, move: m.Build) -> str:
    text = words.say("moves", "build", building=words.say("buildings", NAMES[move.building]))
    returned = []
    if move.person is not None:
        person, place = move.person
        who = words.count(PERSONS[person], 1)
        returned.append(words.say("moves", "stood_on", person=who, place=place_in(words, place)))
    if move.good != NONE:
        returned.append(words.say("counts", "thing", n=1, thing=words.say("goods", GOODS[move.good])))
    if move.vp:
        returned.append(words.count("victory_point", 1))
    return words.say("moves", "returning", move=text, things=", ".join(returned)) if returned else text


def _sell(words: Labels, move: m.Sell) -> str:
    return words.say("moves", "sell_trading_post" if move.own_post else "sell", good=_goods(words, [move.good]))


def _plant(words: Labels, move: m.Plant) -> str:
    if move.tile == NONE:
        return words.say("moves", "plant")
    return words.say("moves", "plant_forest" if move.forest else "plant_row", tile=_tile(words, move.tile))


def _store(words: Labels, move: m.Store) -> str:
    kept = _amounts(words, move.goods)
    return words.say("moves", "store", goods=kept) if kept else words.say("moves", "store_nothing")


def _supply(words: Labels, move: m.Supply) -> str:
    given = _goods(words, move.goods)
    return words.say("moves", "supply", goods=given) if given else words.say("moves", "supply_nothing")


def _guests(words: Labels, move: m.MoveGuests) -> str:
    places = []
    for person, place in move.guests:
        where = place_in(words, place)
        who = words.say("pieces", PERSONS[person])
        places.append(where if person == COLONIST else words.say("moves", "occupied_by", thing=where, person=who))
    return words.say("moves", "guest", places=", ".join(places))


SAYINGS: Final[Mapping[type, Callable[[Labels, Any], str]]] = {
    m.Draft: lambda words, move: words.say("moves", "draft", building=words.say("buildings", NAMES[move.building])),
    m.TakeRole: lambda words, move: words.say("moves", "role", role=words.say("roles", ROLES[move.role])),
    m.Draw: lambda words, _: words.say("moves", "draw"),
    m.Keep: lambda words, move: words.say("moves", "forest" if move.forest else "keep"),
    m.Take: _take,
    m.Unplant: _unplant,
    m.Pick: lambda words, move: words.say("moves", "pick", person=words.say("pieces", PERSONS[move.person])),
    m.PlacePeople: _people,
    m.Build: _build,
    m.Bonus: lambda words, move: words.say("moves", "bonus", goods=_goods(words, move.goods)),
    m.Sell: _sell,
    m.Plant: _plant,
    m.Ship: lambda words, move: words.say("moves", "ship", good=_goods(words, [move.good]), capacity=move.capacity),
    m.Wharf: lambda words, move: words.say("moves", "wharf", good=_goods(words, [move.good])),
    m.SmallWharf: lambda words, move: words.say("moves", "small_wharf", goods=_amounts(words, move.goods)),
    m.Supply: _supply,
    m.Store: _store,
    m.MoveGuests: _guests,
    m.Stay: lambda words, move: words.say("moves", "stay_phase" if move.phase else "stay"),
    m.Recall: lambda words, _: words.say("moves", "ask_guests"),
    m.Pass: lambda words, _: words.say("moves", "pass"),
}
