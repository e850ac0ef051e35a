"""The levels of the service's bots, and the record from which a decision can be repeated."""

import random
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from events.json_types import JsonObject
from projections.rules.protocol import Game, M, P
from service.games.house_bots import VERSIONS
from workers.bots import greedy, tree_search, uniform
from workers.bots.bot import Bot, Budget
from workers.bots.expert import Ranked
from workers.bots.experts import EXPERTS
from workers.bots.information_set import as_known

SEED_BYTES: Final = 8


class BotLevel(NamedTuple):
    """A bot as hosts choose it by name. Every change that can change a move increases the version."""

    bot: Bot
    version: int
    budget: Budget = Budget()


BOTS: Final[Mapping[str, BotLevel]] = {
    "random": BotLevel(uniform.choose, VERSIONS["random"]),
    "greedy": BotLevel(greedy.choose, VERSIONS["greedy"]),
    "search": BotLevel(tree_search.choose, VERSIONS["search"], Budget(steps=100)),
}


class DecisionRecord(NamedTuple):
    """Everything besides the position that a decision depends on; the event stores it with the move."""

    level: str
    version: int
    seed: str
    steps: int  # allowed before the decision; made, in the record of a move

    def source(self) -> random.Random:
        """Returns the random source of the decision, seeded."""
        return random.Random(bytes.fromhex(self.seed))

    def document(self) -> JsonObject:
        """Returns the record as events store it."""
        return dict(self._asdict())


class BotDecision(NamedTuple):
    """A move, and the record that gives it again."""

    move: Any
    how: DecisionRecord


def decision_record(level: str, head: bytes, steps: int = 0) -> DecisionRecord:
    """Returns the record for a new decision of a level, with its own number of steps or another.

    The seed comes from the hash of the newest event, so that no player can choose it.
    """
    bot = BOTS[level]
    return DecisionRecord(level, bot.version, head[:SEED_BYTES].hex(), steps or bot.budget.steps)


def decide(game: Game[P, M], position: P, seat: int, how: DecisionRecord, seconds: float = 0.0) -> BotDecision:
    """Returns the decision of a bot, within the seconds unless they are 0; equal inputs and steps give equal moves."""
    source = how.source()
    known = as_known(game, position, seat, source)
    chosen = BOTS[how.level].bot(game, known, game.legal(known), Budget(how.steps, seconds), source)
    return BotDecision(chosen.move, how._replace(steps=chosen.steps))


def ranked_moves(game: Game[P, M], position: P, seat: int, how: DecisionRecord) -> Sequence[Ranked]:
    """Returns the moves as the expert ranks them in the place of this bot, the best first."""
    source = how.source()
    known = as_known(game, position, seat, source)
    return EXPERTS[game.name].rank(known, game.legal(known), source)
