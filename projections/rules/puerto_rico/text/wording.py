"""Moves in words: orders, reports and effects."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from projections.rules.catalogue import ORDERS, REPORTS, Labels, MoveSentences
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
from projections.rules.puerto_rico.text.labels import labels


def order(_position: Position, move: m.Move, language: str = "en") -> str:
    """Returns a move as an order: `Build the hacienda`."""
    return _sentence(MoveSentences(labels(language), ORDERS), move)


def report(_position: Position, move: m.Move, language: str = "en") -> str:
    """Returns a played move in the past tense, without its player: `built the hacienda`."""
    return _sentence(MoveSentences(labels(language), REPORTS), move)


def _sentence(form: MoveSentences, move: m.Move) -> str:
    text = SENTENCES[move.__class__](form, move)
    for building in members(getattr(move, "waived", 0)):
        text = form.say("without", move=text, building=form.labels.say("buildings", NAMES[building]))
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


# --- one sentence for each kind of move ------------------------------------------------------------------------------


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


def _take(form: MoveSentences, move: m.Take) -> str:
    words = form.labels
    return form.say("take_forest" if move.forest else "take", tile=_tile(words, move.tile))


def _unplant(form: MoveSentences, move: m.Unplant) -> str:
    words = form.labels
    tile = _tile(words, move.tile)
    if move.person != NOBODY:
        person = words.say("pieces", PERSONS[move.person])
        tile = words.say("parts", "occupied_by", thing=tile, person=person)
    elif move.tile == FOREST and move.face != NONE:
        tile = words.say("parts", "lying_on", forest=tile, tile=_tile(words, move.face))
    return form.say("unplant", tile=tile)


def _people(form: MoveSentences, move: m.PlacePeople) -> str:
    words = form.labels
    if not move.people:
        return form.say("place_nobody")
    people = []
    for place, colonists, nobles in move.people:
        sorts = (("colonist", colonists), ("noble", nobles))
        who = ", ".join(words.count(sort, number) for sort, number in sorts if number)
        people.append(words.say("parts", "person_at", person=who, place=place_in(words, place)))
    return form.say("place", people="; ".join(people))


def _build(form: MoveSentences, move: m.Build) -> str:
    words = form.labels
    text = form.say("build", building=words.say("buildings", NAMES[move.building]))
    returned = []
    if move.person is not None:
        person, place = move.person
        who = words.count(PERSONS[person], 1)
        returned.append(words.say("parts", "stood_on", person=who, place=place_in(words, place)))
    if move.good != NONE:
        returned.append(words.say("counts", "thing", n=1, thing=words.say("goods", GOODS[move.good])))
    if move.vp:
        returned.append(words.count("victory_point", 1))
    return form.say("returning", move=text, things=", ".join(returned)) if returned else text


def _sell(form: MoveSentences, move: m.Sell) -> str:
    words = form.labels
    return form.say("sell_trading_post" if move.own_post else "sell", good=_goods(words, [move.good]))


def _plant(form: MoveSentences, move: m.Plant) -> str:
    words = form.labels
    if move.tile == NONE:
        return form.say("plant")
    return form.say("plant_forest" if move.forest else "plant_row", tile=_tile(words, move.tile))


def _store(form: MoveSentences, move: m.Store) -> str:
    words = form.labels
    kept = _amounts(words, move.goods)
    return form.say("store", goods=kept) if kept else form.say("store_nothing")


def _supply(form: MoveSentences, move: m.Supply) -> str:
    words = form.labels
    given = _goods(words, move.goods)
    return form.say("supply", goods=given) if given else form.say("supply_nothing")


def _guests(form: MoveSentences, move: m.MoveGuests) -> str:
    words = form.labels
    places = []
    for person, place in move.guests:
        where = place_in(words, place)
        who = words.say("pieces", PERSONS[person])
        places.append(where if person == COLONIST else words.say("parts", "occupied_by", thing=where, person=who))
    return form.say("guest", places=", ".join(places))


SENTENCES: Final[Mapping[type, Callable[[MoveSentences, Any], str]]] = {
    m.Draft: lambda form, move: form.say("draft", building=form.labels.say("buildings", NAMES[move.building])),
    m.TakeRole: lambda form, move: form.say("role", role=form.labels.say("roles", ROLES[move.role])),
    m.Draw: lambda form, _: form.say("draw"),
    m.Keep: lambda form, move: form.say("forest" if move.forest else "keep"),
    m.Take: _take,
    m.Unplant: _unplant,
    m.Pick: lambda form, move: form.say("pick", person=form.labels.say("pieces", PERSONS[move.person])),
    m.PlacePeople: _people,
    m.Build: _build,
    m.Bonus: lambda form, move: form.say("bonus", goods=_goods(form.labels, move.goods)),
    m.Sell: _sell,
    m.Plant: _plant,
    m.Ship: lambda form, move: form.say("ship", good=_goods(form.labels, [move.good]), capacity=move.capacity),
    m.Wharf: lambda form, move: form.say("wharf", good=_goods(form.labels, [move.good])),
    m.SmallWharf: lambda form, move: form.say("small_wharf", goods=_amounts(form.labels, move.goods)),
    m.Supply: _supply,
    m.Store: _store,
    m.MoveGuests: _guests,
    m.Stay: lambda form, move: form.say("stay_phase" if move.phase else "stay"),
    m.Recall: lambda form, _: form.say("ask_guests"),
    m.Pass: lambda form, _: form.say("pass"),
}
