"""Levels, names and versions of the house bots; `workers/bots` plays them."""

from typing import Final

from events.messages import Message
from service.i18n import messages

LEVELS: Final[dict[str, str]] = {
    "random": "picks any legal move",
    "greedy": "takes what looks best at once",
    "search": "looks ahead in worlds that could be the real one",
}
CALLED: Final = {"random": Message("random bot"), "greedy": Message("greedy bot"), "search": Message("search bot")}
PROGRAM: Final = Message("bot")  # marks the account of a bot
# Increases with every change to the level's moves or to the figures of an analysis.
VERSIONS: Final[dict[str, int]] = {"random": 1, "greedy": 2, "search": 3}


def marked(name: str, language: str) -> str:
    """Returns the name of a bot's account with its mark."""
    return f"{name} ({messages.translate(PROGRAM, language)})"


def called(level: str, number: int, language: str) -> str:
    """Returns the name of a house bot: its level and a number."""
    return f"{messages.translate(CALLED[level], language)} {number}"
