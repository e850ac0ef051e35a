"""The document of the legal moves has one shape, and a half-made move can be completed to every legal one."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.json_types import JsonObject
from projections.rules.dealer import RandomDealer
from projections.rules.legal_moves import continuations, legal_moves_document
from projections.rules.puerto_rico.long_choices.placements import Placements
from tests.projections.rules.test_contract import OPTIONS
from tests.workers.bots.test_levels import table

TABLES = [(game, seats, options) for game, several in OPTIONS.items() for options in several for seats in range(2, 6)]
KEYS = ["seat", "decision", "complete", "count", "moves", "slots"]
FEW = 400  # moves that are all completed


def completed(rules: Any, position: Any, begun: str = "") -> list[str]:
    """Returns every move that is reached by following the continuations."""
    found: list[str] = []
    for way in continuations(rules, position, begun):
        text = str(way["text"])
        assert text.startswith(begun)
        assert way["complete"] or text != begun
        found += [text] if way["complete"] else completed(rules, position, text)
    return found


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(TABLES), st.integers(0, 250), st.integers(0, 10_000))
def test_every_legal_move_is_reached_by_completing(of: tuple[str, int, JsonObject], moves: int, seed: int) -> None:
    rules, position = table(*of, moves, seed)
    if rules.actor(position) is None:
        assert continuations(rules, position, "") == []
        return
    legal = rules.legal(position)
    if len(legal) <= FEW:
        assert sorted(set(completed(rules, position))) == sorted(map(rules.notation, legal))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(TABLES), st.integers(0, 250), st.integers(0, 10_000), st.data())
def test_each_beginning_of_a_legal_move_leads_on(
    of: tuple[str, int, JsonObject], moves: int, seed: int, data: st.DataObject
) -> None:
    rules, position = table(*of, moves, seed)
    if rules.actor(position) is None:
        return
    suggested = [rules.notation(move) for move in rules.legal(position).suggested()]
    text = data.draw(st.sampled_from(suggested))
    begun = text[: data.draw(st.integers(0, len(text)))]
    found = continuations(rules, position, begun)
    assert found
    assert all(str(way["text"]).startswith(begun) for way in found)
    assert continuations(rules, position, f"{text} and more") == []


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(TABLES), st.integers(0, 250), st.integers(0, 10_000))
def test_the_document_has_one_shape(of: tuple[str, int, JsonObject], moves: int, seed: int) -> None:
    rules, position = table(*of, moves, seed)
    document: Any = legal_moves_document(rules, position)
    assert list(document) == KEYS
    listed = document["moves"]
    assert document["complete"] == (len(listed) == document["count"])
    assert document["complete"] or (listed and document["slots"])
    assert (document["seat"] is None) == (document["count"] == 0)


@pytest.mark.parametrize("seed", range(3))
def test_a_placement_is_completed_without_listing_all(seed: int) -> None:
    rules, position = table("puerto_rico", 4, {"expansions": ["nobles", "new_buildings"]}, 0, seed)
    dealer, recorder = RandomDealer(random.Random(seed)), rules.recorder(recording=False)
    while not (isinstance(legal := rules.legal(position), Placements) and len(legal) > 20):
        rules.play(position, legal.suggested()[0], dealer, recorder)
    text = ""
    while not (way := continuations(rules, position, text)[-1])["complete"]:
        text = str(way["text"])
    assert rules.parse(str(way["text"])) in legal
