"""Which steps of the plan can ever ask or do something in a game, so that the others cost nothing."""

from functools import lru_cache
from typing import Final

from projections.rules.puerto_rico import plan
from projections.rules.puerto_rico.buildings.printed import members
from projections.rules.puerto_rico.buildings.table import posts
from projections.rules.puerto_rico.engine.effects import ANSWERS, MAKE_FOREST, PRIVILEGE, TRADE_TWICE
from projections.rules.puerto_rico.facts.moments import CraftingBegun, LoadingOver, MayorTurnBegun, SettlingOver
from projections.rules.puerto_rico.facts.ships import FirstTurnBegun
from projections.rules.puerto_rico.rulings import Rulings

MOMENTS: Final = {
    plan.SETTLING_OVER: SettlingOver,
    plan.MAYOR_TURN: MayorTurnBegun,
    plan.CRAFTING: CraftingBegun,
    plan.FIRST_TURN: FirstTurnBegun,
    plan.LOADING_OVER: LoadingOver,
}
# Steps that buildings alone fill.
OFFERED: Final = (*plan.WINDOWS, plan.DRAW, plan.LODGE, plan.SUPPLY)
ALLOWED: Final = {  # steps that need a permission or a doubled privilege somewhere in the game
    **dict.fromkeys(plan.KEEPS, ANSWERS.permits[MAKE_FOREST]),
    plan.TRADE_AGAIN: ANSWERS.permits[TRADE_TWICE],
    plan.SECOND_TAKE: ANSWERS.adding[PRIVILEGE],
}


def reachable_steps(in_play: int, rulings: Rulings) -> frozenset[int]:
    """The steps worth a stop in a game with these kinds of buildings and these rulings."""
    windows = plan.COARSE_WINDOWS if rulings.coarse_windows else plan.WINDOWS
    closed = set(plan.WINDOWS) - set(windows)
    if not rulings.final_window:
        closed.add(plan.GW_10)
    if not rulings.nobles:
        closed.add(plan.PICK)
    if not rulings.sealed_placement:
        closed.add(plan.REVEAL)
    return _filled(in_play) - closed


FOLLOWED: Final = {plan.GW_4: plan.DRAW, plan.GW_9: plan.TRADE_AGAIN}  # windows that are there for another step


@lru_cache(maxsize=1024)
def _filled(in_play: int) -> frozenset[int]:
    """The steps that the phases fill by themselves, and those that a building in play fills."""
    masks = [posts(building) for building in members(in_play)]
    working = 0
    for anybody, colonist, noble in masks:
        working |= anybody | colonist | noble
    steps = set(range(len(plan.STEPS))) - set(OFFERED) - set(MOMENTS) - set(ALLOWED)
    steps |= {step for step in OFFERED if working & ANSWERS.offering.get(step, 0)}
    steps |= {step for step, fact in MOMENTS.items() if working & ANSWERS.listening.get(fact, 0)}
    steps |= {step for step, mask in ALLOWED.items() if working & mask}
    steps -= {window for window, step in FOLLOWED.items() if step not in steps}
    return frozenset(steps)
