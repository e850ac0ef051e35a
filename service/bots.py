"""The bots of the house, by the level that a table asks for; `workers/bots` plays them."""

from typing import Final

LEVELS: Final[dict[str, str]] = {
    "random": "picks any legal move",
    "greedy": "takes what looks best at once",
    "search": "looks ahead in worlds that could be the real one",
}
