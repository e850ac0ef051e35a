"""Positions and facts as JSON: there and back, and what cannot be is refused where it is wrong."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.canonical import canonical
from projections.rules.errors import BadFact, ImpossiblePosition
from projections.rules.spice_road.apply import FACTS
from tests.projections.rules.spice_road.test_invariants import recorded_game
from tests.support.spice_road.tables import GAME, merchant, points, table

Edit = Callable[[Any], object]


@pytest.mark.parametrize("seats", GAME.seats)
def test_every_position_of_a_game_comes_back_from_its_document(seats: int) -> None:
    for seed in range(2):
        for step in recorded_game(seats, seed):
            read = json.loads(canonical(GAME.document(step.position)))
            assert GAME.restore(read) == step.position


@given(seats=st.sampled_from(GAME.seats), seed=st.integers(0, 10**6), moves=st.integers(0, 40))
def test_a_restored_position_plays_on_the_same(seats: int, seed: int, moves: int) -> None:
    game = recorded_game(seats, seed)
    *_, step = (next(game) for _ in range(moves + 1))
    restored = GAME.restore(GAME.document(step.position))
    assert list(GAME.legal(restored)) == list(GAME.legal(step.position))
    following = next(game, None)
    if following is not None:
        for fact in following.facts:
            GAME.apply(restored, fact)
        assert restored == following.position


def test_what_is_shown_of_an_open_table_is_its_whole_position() -> None:
    position = table(3, hand=["get_b"], claims={1: 2})
    for viewer in (None, 0, 2):
        assert GAME.restore(GAME.view(position, viewer)) == position


def test_what_a_view_hides_has_to_be_filled_in() -> None:
    position = table(hand_visibility="owner_only")
    view: Any = GAME.view(position, 0)
    with pytest.raises(ImpossiblePosition) as refused:
        GAME.restore(view)
    assert refused.value.where == "players[1].hand"
    view["players"][1] |= {"hand": ["create_2", "upgrade_2"], "point_cards": []}
    whole = GAME.document(position)
    assert (
        GAME.restore({**view, "point_deck": whole["point_deck"], "merchant_deck": whole["merchant_deck"]}) == position
    )


def a_document() -> Any:
    position = table(3, caravan=(3, 1, 0, 0), hand=["get_b"], played=["trade_yy_g"], claims={1: 1, 2: 1}, gold=5)
    return json.loads(canonical(GAME.document(position)))


def swapped(document: Any) -> None:
    document["players"][0]["hand"].append(document["point_row"][0])


def cubes(seat: int, **counts: Any) -> Edit:
    return lambda document: document["players"][seat]["caravan"].update(counts)


def piled(document: Any) -> None:
    document["merchant_row"][1]["cubes"]["turmeric"] = 44


EDITS: dict[str, tuple[str, Edit]] = {
    "another game": ("game", lambda d: d.update(game="puerto_rico")),
    "unknown rules": ("rules", lambda d: d.update(rules="0")),
    "unknown option": ("options.colour", lambda d: d["options"].update(colour="red")),
    "options of the wrong kind": ("options", lambda d: d.update(options=[])),
    "a missing field": ("position", lambda d: d.pop("round")),
    "an unknown field": ("position", lambda d: d.update(secret=1)),
    "a player without caravan": ("players[1]", lambda d: d["players"][1].pop("caravan")),
    "one player": ("players", lambda d: d.update(players=d["players"][:1])),
    "players of the wrong kind": ("players", lambda d: d.update(players="three")),
    "a spice that is none": ("players[0].caravan", cubes(0, pepper=1)),
    "a caravan of the wrong kind": ("players[0].caravan", lambda d: d["players"][0].update(caravan=[3, 0, 0, 0])),
    "fewer than no cubes": ("players[0].caravan.saffron", cubes(0, saffron=-1)),
    "cubes that are no number": (
        "players[0].caravan.saffron",
        cubes(0, saffron=True),
    ),
    "too many cubes for the seat to act": (
        "players[0].caravan",
        cubes(0, saffron=60),
    ),
    "too many cubes for another seat": ("players[1].caravan", cubes(1, saffron=11)),
    "a point card in a hand": ("players[0].hand", swapped),
    "a card twice": ("merchant_deck", lambda d: d["players"][0]["hand"].append("trade_yy_g")),
    "a lost merchant card": ("merchant_deck", lambda d: d["merchant_deck"].pop()),
    "a lost point card": ("point_deck", lambda d: d["players"][1]["point_cards"].pop()),
    "a starting card too many": ("players[1].hand", lambda d: d["players"][1]["hand"].append("create_2")),
    "no starting card": ("players[1].hand", lambda d: d["players"][1]["hand"].pop()),
    "a starting card in the row": ("merchant_row[0].card", lambda d: d["merchant_row"][0].update(card="create_2")),
    "a short merchant row": ("merchant_row", lambda d: d["merchant_deck"].append(d["merchant_row"].pop()["card"])),
    "a short point row": ("point_row", lambda d: d["point_deck"].append(d["point_row"].pop())),
    "a mountain of cubes on a card": (
        "merchant_row[1].cubes",
        piled,
    ),
    "a coin too many": ("gold", lambda d: d.update(gold=6)),
    "a lost coin": ("silver", lambda d: d.update(silver=5)),
    "coins without claims": ("players[0].gold", lambda d: (d.update(gold=4), d["players"][0].update(gold=1))),
    "round zero": ("round", lambda d: d.update(round=0)),
    "a round that is no number": ("round", lambda d: d.update(round="3")),
    "a final round too early": ("final_round", lambda d: d.update(final_round=True)),
    "a flag that is none": ("final_round", lambda d: d.update(final_round=0)),
    "a seat that is not there": ("turn.seat", lambda d: d["turn"].update(seat=3)),
    "a decision that is not due": ("turn.decision", lambda d: d["turn"].update(decision="caravan_limit")),
    "a decision of the wrong kind": ("turn.decision", lambda d: d["turn"].update(decision=None)),
    "an end too early": ("turn", lambda d: d.update(turn=None)),
    "a row of the wrong kind": ("merchant_row[0]", lambda d: d.update(merchant_row=["get_b"])),
}


@pytest.mark.parametrize("what", EDITS)
def test_an_impossible_document_is_refused_where_it_is_wrong(what: str) -> None:
    where, edit = EDITS[what]
    document = a_document()
    GAME.restore(copy.deepcopy(document))
    edit(document)
    with pytest.raises(ImpossiblePosition) as refused:
        GAME.restore(document)
    assert refused.value.where == where


def test_a_seat_with_all_its_point_cards_does_not_act_again() -> None:
    document: Any = GAME.document(table(caravan=(0, 0, 2, 2), turn=1, claims={0: 6}))
    document["turn"]["seat"] = 0
    with pytest.raises(ImpossiblePosition, match="would have ended"):
        GAME.restore(document)


def test_more_than_all_point_cards_are_refused() -> None:
    with pytest.raises(ImpossiblePosition, match="a player gets at most 6"):
        table(turn=1, claims={0: 7})


def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    names = st.sampled_from(["game", "players", "turn", "x"])
    return st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), containers))
def test_any_json_is_a_position_or_refused(given_json: Any) -> None:
    with pytest.raises(ImpossiblePosition):
        GAME.restore(given_json)


@given(st.data())
def test_any_edit_of_a_document_is_restored_or_refused(data: st.DataObject) -> None:
    document = a_document()
    holder, key = data.draw(st.sampled_from(list(places(document))))
    holder[key] = data.draw(st.sampled_from([None, True, -1, 0, 1, 7, "get_b", [], {}, ["get_b"], {"card": "get_b"}]))
    try:
        position = GAME.restore(document)
    except ImpossiblePosition:
        return
    assert GAME.restore(GAME.document(position)) == position


def places(value: Any) -> Any:
    """Every place in a document that can be changed."""
    if isinstance(value, dict):
        entries = list(value.items())
    else:
        entries = list(enumerate(value)) if isinstance(value, list) else []
    for key, inner in entries:
        yield value, key
        yield from places(inner)


def test_spices_may_be_left_out_where_there_are_none() -> None:
    document = a_document()
    document["players"][1]["caravan"] = {}
    document["merchant_row"][0]["cubes"] = {"saffron": 2}
    position = GAME.restore(document)
    assert position.caravans[1] == (0, 0, 0, 0)
    assert position.merchant_row[0].cubes == (0, 2, 0, 0)


def test_every_fact_of_a_game_comes_back_from_its_record() -> None:
    told: set[type] = set()
    for seats in GAME.seats:
        for step in recorded_game(seats, seats):
            for fact in step.facts:
                read = GAME.decode(json.loads(canonical(GAME.encode(fact))))
                assert read == fact
                assert type(read) is type(fact)
                told.add(type(fact))
    assert told == set(FACTS)


@pytest.mark.parametrize(
    "stored",
    [
        None,
        [],
        "rested",
        ["rested"],
        ["rested", "0"],
        ["rested", True],
        ["rested", 0, 0],
        ["doubloons_gained", 0, 1],
        [["rested"], 0],
        ["cubes_gained", 0, [1, 0, 0]],
        ["cubes_gained", 0, 3],
        ["hand_dealt", 0, "create_2"],
        ["hand_dealt", 0, [1]],
        ["card_played", 0, None],
    ],
)
def test_an_unreadable_fact_is_refused(stored: Any) -> None:
    with pytest.raises(BadFact):
        GAME.decode(stored)


@pytest.mark.parametrize(
    "stored",
    [
        ["card_played", 0, "get_b"],
        ["card_played", 7, "create_2"],
        ["point_card_dealt", "points_0"],
        ["cubes_upgraded", 0, "b"],
        ["cubes_upgraded", 0, "?"],
        ["merchant_card_taken", 9, "get_b", [0, 0, 0, 0]],
    ],
)
def test_a_fact_that_names_what_is_not_there_is_refused(stored: Any) -> None:
    with pytest.raises(BadFact):
        GAME.apply(table(), GAME.decode(stored))


def test_the_document_reads_like_the_table() -> None:
    row = [merchant(number) for number in range(1, 7)]
    document: Any = GAME.document(table(caravan=(1, 2, 3, 4), row=row, cubes_on_row=["yr"], point_row=[points(1)]))
    assert document["turn"] == {"seat": 0, "decision": "action"}
    assert document["merchant_row"][0] == {
        "card": "get_yyy",
        "cubes": {"turmeric": 1, "saffron": 1, "cardamom": 0, "cinnamon": 0},
    }
    assert document["point_row"][0] == "points_6_yyrr"
    assert document["players"][0]["caravan"] == {"turmeric": 1, "saffron": 2, "cardamom": 3, "cinnamon": 4}
    assert document["players"][0]["hand"] == ["create_2", "upgrade_2"]
