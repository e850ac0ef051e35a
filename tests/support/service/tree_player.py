"""Plays a game by the accessibility tree alone, as a screen reader's user does.

Whose turn it is, which moves there are and when the page has answered is read from roles and names; a button is given
the focus and Enter is pressed. Nothing is asked of the service, and nothing of what is drawn.
"""

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from playwright.sync_api import Page

from tests.support.running_program import PATIENCE
from tests.support.service.accessibility_tree import AccessibilityTree, Thing

MOST_STEPS: Final = 1_500  # buttons pressed in a game
OWN: Final = "Your turn"
OVER: Final = "won"  # in the heading of a finished game
ANSWERS: Final = ("Do it", "Place them so")  # what a question and a suggested placement offer first
UNFOLD: Final = "Show the moves"


class Turn(NamedTuple):
    """What the tree says about the game; the same again means that the page has not answered yet."""

    heading: str
    offered: tuple[str, ...]  # names of the buttons that can be chosen
    told: tuple[str, ...]  # the announcements


def play_by_tree(shown: Page) -> str:
    """Plays a game to its end. Returns the heading of the finished game."""
    tree, choice, before = AccessibilityTree(shown), Random(42), Turn("", (), ())

    def answered(things: list[Thing]) -> tuple[Turn, Sequence[Thing]] | None:
        """The page answers with the reader's next turn, or with the end."""
        buttons = offered(things)
        turn = Turn(heading(things), tuple(button.name for button in buttons), told(things))
        return (turn, buttons) if turn != before and (buttons or OVER in turn.heading) else None

    for _ in range(MOST_STEPS):
        turn, buttons = tree.when(answered, PATIENCE)
        if OVER in turn.heading:
            return turn.heading
        before = turn if tree.press(choice.choice(buttons)) else before
    raise AssertionError("the game does not end")


def heading(things: Sequence[Thing]) -> str:
    """Returns the heading of the region of the turn: the first below the title of the page."""
    return next((one.name for one in things if one.role == "heading" and one.lies_in("region", one.name)), "")


def offered(things: Sequence[Thing]) -> Sequence[Thing]:
    """Returns the buttons to choose from: an answer to a question, else the listed moves, else what unfolds them."""
    buttons = [one for one in things if one.role == "button" and not one.disabled]
    own = [one for one in buttons if one.lies_in("region", OWN)]
    answers = [one for one in own if one.name.startswith(ANSWERS)]
    moves = [one for one in own if one.lies_in("listitem")]
    return answers[:1] or moves or [one for one in buttons if one.name.startswith(UNFOLD)]


def told(things: Sequence[Thing]) -> tuple[str, ...]:
    """Returns the announcements."""
    return tuple(one.name for one in things if one.role == "StaticText" and one.lies_in("log", "Announcements"))
