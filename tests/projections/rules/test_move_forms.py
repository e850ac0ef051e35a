"""Every form of a move that the notation lists is made in a game, at its decision, and told in five languages."""

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import pytest

from projections.rules.catalogue import LANGUAGES
from projections.rules.dealer import RandomDealer
from projections.rules.protocol import Game
from projections.rules.registry import GAMES

BOTH: Final = ["new_buildings", "nobles"]
EVERY: Final = {"expansions": BOTH, "exp1_selection": "all"}
ROW: Final = {**EVERY, "land_office_source": "face_up"}
DRAFT: Final = {"expansions": BOTH, "nobles_setup": "draft"}
TABLES: Final[Mapping[str, Sequence[tuple[int, int, Mapping[str, Any]]]]] = {  # seed, seats, options
    "puerto_rico": (
        (0, 4, ROW),
        (20, 5, EVERY),
        (1, 4, EVERY),
        (3, 4, DRAFT),
        (3, 2, EVERY),
        (0, 4, DRAFT),
        (2, 4, DRAFT),
        (9, 5, {}),
        (15, 4, DRAFT),
    ),
    "spice_road": tuple((seed, 3, {"coin_taking": "optional"}) for seed in range(4)),
}
AUTOMATIC: Final = {("D-MAY-PLACE", "place")}  # never a choice: with nobody to place the engine makes the move


def positions(rules: Game[Any, Any]) -> Iterator[Any]:
    """Yields the positions of random games."""
    for seed, seats, options in TABLES[rules.name]:
        source = random.Random(seed)
        dealer, recorder = RandomDealer(source), rules.recorder(recording=False)
        position = rules.set_up(rules.read_options(options, seats), seats, dealer, recorder)
        while rules.actor(position) is not None:
            yield position
            rules.play(position, rules.legal(position).sample(source), dealer, recorder)


@pytest.mark.parametrize("name", GAMES)
def test_every_form_of_a_move_is_made_at_its_decision(name: str) -> None:
    rules = GAMES[name]
    left = defaultdict[str | None, dict[str, Any]](dict)
    for form in rules.examples:
        left[form.decision][form.move] = rules.parse(form.move)
    for position in positions(rules):
        waiting = left[rules.decision(position)]
        for text, move in [*waiting.items()]:
            if move in rules.legal(position):
                assert rules.notation(rules.canonical(position, move)) == text
                copy, dealer = rules.copy(position), RandomDealer(random.Random(0))
                rules.play(copy, move, dealer, rules.recorder(recording=False))
                assert rules.document(copy) != rules.document(position)
                del waiting[text]
    assert {(decision, text) for decision, waiting in left.items() for text in waiting} - AUTOMATIC == set()


@pytest.mark.parametrize("name", GAMES)
def test_every_form_of_a_move_is_explained_in_five_languages(name: str) -> None:
    forms = GAMES[name].examples
    assert {tuple(form.meaning) for form in forms} == {LANGUAGES}
    assert len({(form.decision, form.move) for form in forms}) == len(forms)
    for form in forms:
        assert len({*form.meaning.values()}) == len(LANGUAGES), form.move
