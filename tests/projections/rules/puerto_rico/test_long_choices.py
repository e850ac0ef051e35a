"""Choices that are too long to list are judged as brute force judges them: small cases, and everything around them."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import Any, Final

import pytest

from projections.rules.dealer import RandomDealer
from projections.rules.move_collection import Moves
from projections.rules.puerto_rico.kinds import COLONIST, NOBLE, NONE
from projections.rules.puerto_rico.long_choices.guest_moves import GuestMoves
from projections.rules.puerto_rico.long_choices.payments import Bargains
from projections.rules.puerto_rico.long_choices.placements import Placements
from projections.rules.puerto_rico.long_choices.shipments import Shipments
from projections.rules.puerto_rico.long_choices.stores import StoreChoices
from projections.rules.puerto_rico.moves import PASS, Build, MoveGuests, PlacePeople, SmallWharf, Store
from tests.support.puerto_rico.scene_builder import scene
from tests.support.puerto_rico.scenes import GAME, NEW_BUILDINGS, A, board

OWNED: Final = ((0, 0, 0, 0, 1), (1, 0, 0, 0, 0), (2, 0, 0, 0, 0), (1, 0, 2, 0, 0), (2, 1, 0, 0, 3), (1, 1, 1, 1, 1))
AMOUNTS: Final = range(-1, 5)  # of each good: a negative number, and more than a seat owns here
PLACES: Final = (0, 3, 9)
ELSEWHERE: Final = 5  # a place that has no circle on this board


def agree(moves: Moves[Any], tried: Iterable[Any], legal: set[Any]) -> None:
    """The collection holds exactly the legal moves, by every way of asking, and no other tried move."""
    listed = [*moves]
    assert len(listed) == len(set(listed)) == len(moves)
    assert set(listed) == legal
    for move in tried:
        assert (move in moves) is (move in legal), move
    assert {*moves.suggested()} <= legal
    assert {moves.sample(random.Random(seed)) for seed in range(20)} <= legal
    assert PASS not in moves
    assert None not in moves


def heaps() -> Iterator[tuple[int, ...]]:
    """Amounts of goods, possible or not."""
    return product(AMOUNTS, repeat=5)


@pytest.mark.parametrize("owned", OWNED)
def test_a_small_wharf_ships_any_goods_that_are_owned(owned: Any) -> None:
    tried = [SmallWharf(goods) for goods in heaps()]  # type: ignore[arg-type]
    legal = {move for move in tried if within(move.goods, owned) and any(move.goods)}
    agree(Shipments(owned), tried, legal)


@pytest.mark.parametrize("owned", OWNED)
@pytest.mark.parametrize(("kinds", "singles"), [(0, 1), (1, 1), (2, 1), (3, 1), (0, 4), (1, 4)])
def test_stores_keep_what_is_owned_and_fits(owned: Any, kinds: int, singles: int) -> None:
    tried = [Store(goods) for goods in heaps()]  # type: ignore[arg-type]
    legal = {move for move in tried if within(move.goods, owned) and fits(move.goods, kinds, singles)}
    stores = StoreChoices(owned, kinds, singles)
    agree(stores, tried, legal)
    assert stores.single is (Store(owned) in legal)


def within(goods: tuple[int, ...], owned: tuple[int, ...]) -> bool:
    return len(goods) == len(owned) and all(0 <= some <= all_ for some, all_ in zip(goods, owned, strict=True))


def fits(goods: tuple[int, ...], kinds: int, singles: int) -> bool:
    """Whether some choice of complete kinds leaves no more than the single goods."""
    return any(sum(goods) - sum(goods[kind] for kind in whole) <= singles for whole in combinations(range(5), kinds))


@pytest.mark.parametrize("circles", [(1,), (3,), (1, 1), (2, 1), (1, 1, 1), (3, 1, 1)])
@pytest.mark.parametrize("people", [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (2, 1), (4, 2)])
def test_people_fill_all_circles_they_suffice_for(circles: tuple[int, ...], people: tuple[int, int]) -> None:
    room = dict(zip(PLACES, circles, strict=False))
    tried = [PlacePeople(placed) for placed in placements((*room, ELSEWHERE))]
    tried += [PlacePeople(move.people[::-1]) for move in tried] + [PlacePeople(move.people * 2) for move in tried]
    legal = {move for move in tried if fills(move.people, room, *people)}
    choice = Placements(tuple(room.items()), *people)
    agree(choice, tried, legal)
    assert choice.single is (len(legal) == 1)


def placements(places: tuple[int, ...]) -> Iterator[Any]:
    some = [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3), (2, 2), (-1, 1), (1, -1)]
    for chosen in product(some, repeat=len(places)):
        yield tuple((place, *people) for place, people in zip(places, chosen, strict=True) if people != (0, 0))
    yield ((places[0], 0, 0),)


def fills(people: Any, room: dict[int, int], colonists: int, nobles: int) -> bool:
    """Places ascending without zeros, no more than there are, and San Juan keeps the surplus alone."""
    at = [place for place, _, _ in people]
    placed = (sum(number for _, number, _ in people), sum(number for _, _, number in people))
    return (
        at == sorted({*at})
        and all(min(some) >= 0 and 0 < sum(some) <= room.get(place, 0) for place, *some in people)
        and placed[0] <= colonists
        and placed[1] <= nobles
        and sum(placed) == min(sum(room.values()), colonists + nobles)
    )


@pytest.mark.parametrize("guests", [(1, 0), (0, 1), (2, 0), (1, 1), (0, 2)])
@pytest.mark.parametrize("empty", [{0: 1}, {0: 2}, {0: 1, 3: 1}, {0: 2, 9: 3}, {0: 1, 3: 1, 9: 1}])
def test_guests_move_to_different_empty_circles(guests: tuple[int, int], empty: dict[int, int]) -> None:  # D-GUEST
    singles = [(person, place) for place in (*PLACES, ELSEWHERE) for person in (COLONIST, NOBLE)]
    tried = [MoveGuests(moved) for number in range(4) for moved in product(singles, repeat=number)]
    legal = {move for move in tried if move.guests and lodged(move.guests, guests, empty)}
    agree(GuestMoves(*guests, tuple(empty.items())), tried, legal)


def lodged(moved: Any, guests: tuple[int, int], empty: dict[int, int]) -> bool:
    people, places = Counter(person for person, _ in moved), Counter(place for _, place in moved)
    in_order = [*moved] == sorted(moved, key=lambda guest: (guest[1], guest[0]))
    enough = people[COLONIST] <= guests[0] and people[NOBLE] <= guests[1]
    return in_order and enough and all(number <= empty.get(place, 0) for place, number in places.items())


@pytest.mark.parametrize("vp", [False, True])
@pytest.mark.parametrize("goods", [[], [2], [0, 4]])
def test_a_black_market_takes_as_many_items_as_doubloons_are_missing(goods: list[int], vp: bool) -> None:
    persons: Any = {None: (0, 8), (COLONIST, 1): (0,), (NOBLE, 9): (0, 8)}
    missing = {11: 1, 14: 2, 17: 3}
    anybody = (*persons, (COLONIST, 9), (NOBLE, 1))
    tried = [Build(*one) for one in product((10, *missing), anybody, (NONE, 0, 2, 4), (False, True), (0, 4, 8))]
    legal = {
        move
        for move in tried
        if move.person in persons
        and move.good in (NONE, *goods)
        and move.vp <= vp
        and move.waived in persons[move.person]
        and (move.person is not None) + (move.good != NONE) + move.vp == missing.get(move.building, -1)
    }
    moves = Bargains(missing, persons, goods, vp=vp)
    assert {*moves} == legal
    assert len(moves) == len(legal)
    assert [move in moves for move in tried] == [move in legal for move in tried]
    assert {*moves.suggested()} <= legal


def test_nobody_is_asked_to_fill_a_building_without_circles() -> None:  # rules 3.2
    table = scene(board(island="corn corn", city="statue indigo_plant"), options=NEW_BUILDINGS).play("role mayor")
    assert table.decision == "D-MAY-PLACE"
    slots: Any = GAME.legal(table.position).slots()
    assert slots["places"] == {"corn": 2, "indigo_plant": 3}


def test_a_forced_placement_names_only_places_with_circles() -> None:  # rules 3.5
    table = scene(board(island="corn", city="statue"), options=NEW_BUILDINGS)
    recorder = GAME.recorder(recording=True)
    GAME.play(table.position, GAME.parse("role mayor"), RandomDealer(random.Random(1)), recorder)
    assert (A, GAME.parse("place corn=1")) in recorder.then


def test_slots_tell_what_there_is_to_fill() -> None:  # the play page fills them
    goods, heaps_ = (3, 0, 4, 0, 5), {"corn": 3, "sugar": 4, "coffee": 5}
    assert StoreChoices(goods, 1, 4).slots() == {"goods": heaps_, "kinds": 1, "singles": 4}
    assert Shipments(goods).slots() == {"small_wharf": heaps_}
    guests = GuestMoves(1, 1, ((0, 2), (3, 1), (4, 1), (9, 3), (12, 2)))
    assert guests.slots() == {
        "guests": {"colonists": 1, "nobles": 1},
        "places": {"corn": 2, "tobacco": 1, "coffee": 1, "indigo_plant": 3, "coffee_roaster": 2},
    }
    placed = Placements(((0, 2), (9, 3)), 3, 1).slots()
    assert placed == {"places": {"corn": 2, "indigo_plant": 3}, "colonists": 3, "nobles": 1, "to_place": 4}
    persons: Any = {None: (0,), (COLONIST, 1): (0,), (NOBLE, 9): (0,)}
    bargains = Bargains({11: 1, 14: 2, 17: 3, 12: 2}, persons, [0, 4], vp=True).slots()
    assert bargains is not None
    assert bargains == {
        "black_market": {"office": 1, "factory": 2, "wharf": 3, "large_market": 2},
        "persons": ["colonist@indigo", "noble@indigo_plant"],
        "goods": ["corn", "coffee"],
        "vp": True,
    }


@pytest.mark.parametrize(
    "moves", [StoreChoices((2, 0, 0, 0, 0), 0, 1), Shipments((1, 0, 2, 0, 0)), GuestMoves(1, 0, ((0, 1),))]
)
def test_a_short_choice_is_listed_and_has_no_slots(moves: Moves[Any]) -> None:
    assert moves.slots() is None
