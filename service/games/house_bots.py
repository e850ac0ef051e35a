"""Levels, names and versions of the house bots; `workers/bots` plays them."""

from collections.abc import Mapping
from typing import Final

from events.messages import Message
from projections.games.record import BOT, GameRecord
from service.i18n import messages

LEVELS: Final[dict[str, str]] = {
    "random": "picks any legal move",
    "greedy": "takes what looks best at once",
    "search": "looks ahead in worlds that could be the real one",
}
# The names of house bots by level, the same in all languages: the first one's name begins as its level does.
NAMES: Final[dict[str, tuple[str, ...]]] = {
    "random": ("Rosa", "Ragnar", "Rita", "Rufus", "Ronja"),
    "greedy": ("Greta", "Gunnar", "Gloria", "Gustav", "Gerda"),
    "search": ("Sofia", "Sigurd", "Selma", "Simon", "Signe"),
}
CALLED: Final = {"random": Message("random"), "greedy": Message("greedy"), "search": Message("searching")}
PROGRAM: Final = Message("bot")  # marks the account of a bot
# Increases with every change to the level's moves or to the figures of an analysis.
VERSIONS: Final[dict[str, int]] = {"random": 1, "greedy": 2, "search": 3}


def marked(name: str, language: str) -> str:
    """Returns the name of a bot's account with its mark."""
    return f"{name} ({messages.translate(PROGRAM, language)})"


def called(bot: str, number: int, language: str) -> str:
    """Returns the name of a house bot by its number, from 1, at its table or in its tournament: `Greta (greedy)`."""
    level = bot.removeprefix(BOT)
    turn, at = divmod(number - 1, len(NAMES[level]))
    name = NAMES[level][at] if turn == 0 else f"{NAMES[level][at]} {turn + 1}"
    return f"{name} ({messages.translate(CALLED[level], language)})"


def number_of(chair: int, entrant: int | None) -> int:
    """Returns the number that names a bot: its entrant's in a tournament, else its chair's, from 1."""
    return chair + 1 if entrant is None else entrant


def names_by_chair(record: GameRecord, entrants: Mapping[int, int], language: str) -> dict[int, str]:
    """Returns the names of the bots at a table by chair."""
    bots = ((number, chair.bot) for number, chair in enumerate(record.chairs) if chair.bot)
    return {chair: called(bot, number_of(chair, entrants.get(chair)), language) for chair, bot in bots}
