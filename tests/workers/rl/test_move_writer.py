"""A learner writes moves word by word: every legal move can be written, and nothing else."""

import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.json_types import JsonObject
from projections.rules.move_writer import END, ListedMoveWriter, MoveWriter, atoms
from projections.rules.puerto_rico.long_choices.placement_writer import PlacementWriter
from projections.rules.puerto_rico.long_choices.placements import Placements
from projections.rules.registry import GAMES
from tests.projections.rules.test_contract import OPTIONS
from tests.workers.bots.test_levels import table
from workers.rl.game_adapters import GAME_ADAPTERS

TABLES = [(game, seats, options) for game, several in OPTIONS.items() for options in several for seats in range(2, 6)]
FEW = 1_500  # moves that are all written


def every_move(script: MoveWriter) -> Iterator[Any]:
    """Yields the possible ends of a script."""
    if script.move is not None:
        yield script.move
        return
    for atom in script.choices():
        further = deepcopy(script)
        further.write(atom)
        yield from every_move(further)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(TABLES), st.integers(0, 250), st.integers(0, 10_000))
def test_what_can_be_written_is_exactly_what_is_legal(of: tuple[str, int, JsonObject], moves: int, seed: int) -> None:
    rules, position = table(*of, moves, seed)
    if rules.actor(position) is None:
        return
    legal = rules.legal(position)
    if len(legal) > FEW:
        return
    written = list(every_move(rules.writer(position)))
    assert len(written) == len(legal)
    assert set(written) == set(legal)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 51), st.integers(1, 3)), min_size=1, max_size=5, unique_by=lambda one: one[0]),
    st.integers(1, 6),
    st.integers(0, 4),
)
def test_placements_are_written_place_by_place(circles: list[tuple[int, int]], colonists: int, nobles: int) -> None:
    legal = Placements(tuple(sorted(circles)), colonists, nobles)
    written = list(every_move(PlacementWriter(legal)))
    assert len(written) == len(legal)
    assert set(written) == set(legal)


@pytest.mark.parametrize("seed", range(5))
def test_placements_beyond_counting_are_written_too(seed: int) -> None:
    source = random.Random(seed)
    legal = Placements(tuple((place, 3) for place in range(7, 30)), 20, 12)
    assert len(legal) > 10**12
    script: MoveWriter = PlacementWriter(legal)
    while script.move is None:
        script.write(source.choice(script.choices()))
    assert script.move in legal


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(TABLES), st.integers(0, 250), st.integers(0, 10_000))
def test_every_word_that_may_follow_has_its_number(of: tuple[str, int, JsonObject], moves: int, seed: int) -> None:
    rules, position = table(*of, moves, seed)
    if rules.actor(position) is None:
        return
    source, room = random.Random(seed), GAME_ADAPTERS[rules.name]
    script = rules.writer(position)
    while script.move is None:
        assert set(script.choices()) <= set(room.vocabulary)
        script.write(source.choice(script.choices()))
    assert script.move in rules.legal(position)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_form_of_a_move_is_made_of_words_that_have_numbers(game: str) -> None:
    room, rules = GAME_ADAPTERS[game], GAMES[game]
    for text in {form.move for form in rules.examples}:
        assert "".join(atoms(text)) == text
        assert set(atoms(text)) <= set(room.vocabulary), text
    assert len(room.vocabulary) == len(set(room.vocabulary))
    assert room.vocabulary[0] == END


def test_a_move_that_begins_another_is_ended_by_hand() -> None:
    rules = GAMES["puerto_rico"]
    script = ListedMoveWriter((text, rules.parse(text)) for text in ("take corn", "take corn -hospice", "take sugar"))
    script.write("take")
    script.write(" corn")
    assert script.choices() == [END, " -hospice"]
    script.write(END)
    assert rules.notation(script.move) == "take corn"
