"""The guide to legal moves shows every decision of both games as the service answers it."""

from tests.support.projections.decision_examples import GUIDE, guide


def test_the_examples_are_answers_of_the_rules() -> None:
    assert GUIDE.read_text() == guide()  # if not: python -m tests.support.projections.decision_examples
