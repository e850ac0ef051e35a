"""The levels of the house's bots, and one decision of a level as it is recorded and can be repeated."""

import random
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from events.json_types import JsonObject
from projections.rules.protocol import Game
from service.games.house_bots import VERSIONS
from workers.bots import greedy, tree_search, uniform
from workers.bots.bot import Bot, Budget
from workers.bots.expert import Ranked
from workers.bots.experts import EXPERTS
from workers.bots.information_set import as_known

SEED_BYTES: Final = 8


class BotLevel(NamedTuple):
    """A bot as tables ask for it. Its version grows with every change that can change a move."""

    bot: Bot
    version: int
    budget: Budget = Budget()


BOTS: Final[Mapping[str, BotLevel]] = {
    "random": BotLevel(uniform.choose, VERSIONS["random"]),
    "greedy": BotLevel(greedy.choose, VERSIONS["greedy"]),
    "search": BotLevel(tree_search.choose, VERSIONS["search"], Budget(steps=100)),
}


class DecisionRecord(NamedTuple):
    """Everything besides the position that a decision depends on; an event keeps it with the move."""

    level: str
    version: int
    seed: str
    steps: int  # that were really made, in the record of a move

    def source(self) -> random.Random:
        """The chance that it decides with."""
        return random.Random(bytes.fromhex(self.seed))

    def document(self) -> JsonObject:
        """As events have it."""
        return dict(self._asdict())


class BotDecision(NamedTuple):
    """A move, and the thought that gives it again."""

    move: Any
    how: DecisionRecord


def decision_record(level: str, head: bytes, steps: int = 0) -> DecisionRecord:
    """What a level decides with now, in its own number of steps or another.

    The seed comes from the newest event, so that nobody chooses it.
    """
    bot = BOTS[level]
    return DecisionRecord(level, bot.version, head[:SEED_BYTES].hex(), steps or bot.budget.steps)


def decide(game: Game[Any, Any], position: Any, seat: int, how: DecisionRecord, seconds: float = 0.0) -> BotDecision:
    """The decision of a bot, within so many seconds if not 0; the same position and steps give the same move."""
    source = how.source()
    shown = as_known(game, position, seat, source)
    chosen = BOTS[how.level].bot(game, shown, game.legal(shown), Budget(how.steps, seconds), source)
    return BotDecision(chosen.move, how._replace(steps=chosen.steps))


def ranked_moves(game: Game[Any, Any], position: Any, seat: int, how: DecisionRecord) -> Sequence[Ranked]:
    """What an expert thinks of the moves in the place of this bot, the best first."""
    source = how.source()
    shown = as_known(game, position, seat, source)
    return EXPERTS[game.name].rank(shown, game.legal(shown), source)
