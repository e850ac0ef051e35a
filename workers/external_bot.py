"""Levels of the service's bots as engines of an external bot, which plays over HTTP."""

from collections.abc import Mapping
from typing import Any, Final

from cabildo_client import PlayerTurn

from projections.rules.registry import rules_of
from workers.bots.bot import Budget
from workers.bots.levels import decide, decision_record

LEVEL_BUDGET: Final = Budget()  # the budget with which a level is measured
ADDED_BY_THE_API: Final = ("version",)


class HouseBot:
    """A level of the service's bots, played by a client."""

    def __init__(self, level: str, budget: Budget = LEVEL_BUDGET) -> None:
        self.level = level
        self.budget = budget

    def choose(self, turn: PlayerTurn) -> str:
        """Returns the move of the level, from the view of its seat."""
        view: dict[str, Any] = {name: value for name, value in turn.document.items() if name not in ADDED_BY_THE_API}
        game = rules_of(turn.name, turn.rules)
        how = decision_record(self.level, turn.game.bytes + turn.version.to_bytes(8, "big"), self.budget.steps)
        source = how.source()
        document: Mapping[str, Any] = game.suppose(view, source) if view["hides"] else view
        return game.notation(decide(game, game.restore(document), turn.seat, how, self.budget.seconds).move)
