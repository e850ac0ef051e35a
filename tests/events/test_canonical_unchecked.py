"""The quick spelling of canonical JSON gives the bytes of the careful one, for everything this program makes."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.canonical import LARGEST_INTEGER, canonical, canonical_unchecked
from events.json_types import Json, JsonObject
from projections.rules.dealer import RandomDealer
from projections.rules.registry import GAMES

FULLEST: dict[str, JsonObject] = {"puerto_rico": {"expansions": ["new_buildings", "nobles"]}}  # the most to spell
names = st.text(st.characters(max_codepoint=127), max_size=8)
texts = st.text(st.characters(codec="utf-8"), max_size=8)
integers = st.integers(-LARGEST_INTEGER, LARGEST_INTEGER)
values = st.recursive(
    st.none() | st.booleans() | integers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4),
    max_leaves=12,
)


@given(values)
def test_values_without_floats_and_with_names_in_ascii_are_spelt_alike(value: Json) -> None:
    assert canonical_unchecked(value) == canonical(value)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_positions_of_a_whole_game_are_spelt_alike(name: str) -> None:
    game, source = GAMES[name], random.Random(1)
    dealer, recorder, seats = RandomDealer(source), game.recorder(recording=False), game.seats[-1]
    position = game.set_up(game.read_options(FULLEST.get(name, {}), seats), seats, dealer, recorder)
    while game.actor(position) is not None:
        document = game.document(position)
        assert canonical_unchecked(document) == canonical(document)
        game.play(position, game.legal(position).sample(source), dealer, recorder)
