"""The bots of the house, by the level that a table asks for; `workers/bots` plays them."""

from typing import Final

from events.messages import Message
from service.i18n import messages

LEVELS: Final[dict[str, str]] = {
    "random": "picks any legal move",
    "greedy": "takes what looks best at once",
    "search": "looks ahead in worlds that could be the real one",
}
CALLED: Final = {"random": Message("random bot"), "greedy": Message("greedy bot"), "search": Message("search bot")}
PROGRAM: Final = Message("bot")  # how the account of a bot is marked
# Grows with every change that can change a move of the level, or a figure of an analysis.
VERSIONS: Final[dict[str, int]] = {"random": 1, "greedy": 2, "search": 3}


def marked(name: str, language: str) -> str:
    """The name of a bot's account, which says what it is."""
    return f"{name} ({messages.translate(PROGRAM, language)})"


def called(level: str, number: int, language: str) -> str:
    """What a bot at a table or in a tournament is called: its level, and a number, for there are several of a kind."""
    return f"{messages.translate(CALLED[level], language)} {number}"
