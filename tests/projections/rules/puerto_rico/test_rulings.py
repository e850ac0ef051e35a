"""Rules versions are data: a game keeps what its version fixes, and a fix is a new row."""

import random
from dataclasses import replace
from typing import Any

import pytest

from projections.rules.dealer import RandomDealer
from projections.rules.errors import BadOptions, ImpossiblePosition
from projections.rules.puerto_rico.buildings.printed import Building
from projections.rules.puerto_rico.game import PuertoRico
from projections.rules.puerto_rico.rulings import NEWEST, VERSIONS
from projections.rules.puerto_rico.state.position import Position


def a_game(rules: PuertoRico, **options: Any) -> Position:
    recorder = rules.recorder(recording=False)
    return rules.set_up(rules.read_options(options, 3), 3, RandomDealer(random.Random(1)), recorder)


def test_a_game_keeps_the_rules_it_started_with() -> None:
    for version in VERSIONS:
        rules = PuertoRico(version)
        assert a_game(rules).rulings.version == rules.rules == version
    assert PuertoRico().rules == NEWEST


def test_the_first_rules_count_rounds_as_they_did() -> None:
    first = PuertoRico("1")
    draft = a_game(first, expansions=["new_buildings"])
    assert (first.decision(draft), draft.round) == ("D-DRAFT", 1)
    assert first.restore(first.document(draft)) == draft
    assert rounds_at_the_end(first) == 1 + rounds_at_the_end(PuertoRico())


def rounds_at_the_end(rules: PuertoRico) -> int:
    """Returns the round in the document of a finished random game."""
    position, source = a_game(rules), random.Random(1)
    dealer, recorder = RandomDealer(source), rules.recorder(recording=False)
    while rules.actor(position) is not None:
        rules.play(position, rules.legal(position).sample(source), dealer, recorder)
    return position.round


def test_an_unknown_version_is_refused() -> None:
    unknown, document = PuertoRico("0"), PuertoRico().document(a_game(PuertoRico()))
    with pytest.raises(BadOptions, match="unknown version '0'") as refused:
        a_game(unknown)
    assert refused.value.option == "rules"
    with pytest.raises(ImpossiblePosition, match="unknown version '0'"):
        unknown.restore(document)


def test_a_fix_is_a_new_row_and_leaves_the_old_games_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    dearer = replace(VERSIONS[NEWEST], vp_pool={3: 70}, balanced_costs={Building.UNIVERSITY: 9})
    monkeypatch.setitem(VERSIONS, "fixed", dearer)
    for version, pool, cost in ((NEWEST, 75, 7), ("fixed", 70, 9)):
        rules = PuertoRico(version)
        position = a_game(rules, variant="balanced")
        again = rules.restore(rules.document(position))
        for same in (position, again):
            assert (same.vp_supply, same.rulings.costs[Building.UNIVERSITY]) == (pool, cost)
            assert f"university {cost} (2)" in rules.board(same, None)
