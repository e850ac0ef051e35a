"""The guide to legal moves shows every decision of both games as the service answers it."""

import json
import re

import pytest

from projections.rules.registry import GAMES
from tests.support.projections.decision_examples import BEGIN, GUIDE, LONG_CHOICES, guide


def test_the_examples_are_answers_of_the_rules() -> None:
    assert GUIDE.read_text() == guide()  # if not: python -m tests.support.projections.decision_examples


def shown(game: str) -> dict[str, list[bool]]:
    """The decisions of a game in the guide; for each example, whether it lists every move."""
    examples = GUIDE.read_text().partition(BEGIN)[2].partition(f"### {game}\n")[2].partition("\n### ")[0]
    parts = re.split(r"^`([^`\n]+)`$", examples, flags=re.MULTILINE)
    found = dict[str, list[bool]]()
    for name, text in zip(parts[1::2], parts[2::2], strict=True):
        answers = re.findall(r'^    decision: (".+")\n    complete: (true|false)$', text, re.MULTILINE)
        found[name] = [complete == "true" for decision, complete in answers if json.loads(decision) == name]
        assert len(found[name]) == len(answers), name
        assert text.count("    moves:\n      {") == len(answers), name
    return found


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_decision_has_an_example(game: str) -> None:
    found = shown(game)
    assert [name for name in GAMES[game].decisions if not found.get(name)] == []
    assert [name for name in LONG_CHOICES[game] if False not in found[name]] == []
