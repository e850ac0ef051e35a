"""Every example, derived case, ruling and invariant of the rules has a test or a check of its name."""

import re
from pathlib import Path

import pytest

from projections.rules.spice_road.apply import FACTS
from projections.rules.spice_road.deeds import CHECKS, DEEDS
from projections.rules.spice_road.moves import KINDS
from tests.support.spice_road.tables import GAME

NAMED = re.compile(r"^def (?:test|check)_([edri])(\d+)_", re.MULTILINE)
THERE_ARE = {"e": 9, "d": 29, "r": 31, "i": 7}


@pytest.mark.parametrize("letter", THERE_ARE)
def test_every_number_of_the_rules_is_tested(letter: str) -> None:
    sources = (path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    named = {int(number) for source in sources for kind, number in NAMED.findall(source) if kind == letter}
    missing = sorted(set(range(1, THERE_ARE[letter] + 1)) - named)
    assert not missing, f"without a test: {', '.join(f'{letter.upper()}-{number}' for number in missing)}"


def test_every_kind_of_move_is_judged_done_and_worded() -> None:
    assert set(CHECKS) == set(DEEDS) == KINDS


def test_no_two_facts_share_a_name() -> None:
    assert len({fact.__name__ for fact in FACTS}) == len(FACTS)
    assert GAME.name == "spice_road"
