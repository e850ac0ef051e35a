"""Why a move is refused: the reason, the rule's number, and a sentence a player understands."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from projections.errors import GameIsOver, IllegalMove
from projections.puerto_rico import moves as m
from projections.puerto_rico import plan
from projections.puerto_rico.kinds import OVER
from projections.puerto_rico.notation import write
from projections.puerto_rico.position import Position
from projections.puerto_rico.why import city, goods, island, people
from projections.puerto_rico.why.words import Reason

# step -> the rule it stands in, what is asked, the moves that answer it
ASKED: Final[Mapping[int, tuple[str, str, tuple[type, ...]]]] = {
    **dict.fromkeys(plan.WINDOWS, ("3.11", "whether guests move", (m.MoveGuests, m.Stay))),
    plan.DRAFT_BUILDING: ("6.1", "which building joins the game", (m.Draft,)),
    plan.CHOOSE_ROLE: ("3.1", "which role is taken", (m.TakeRole,)),
    plan.DRAW: ("3.4", "whether the hacienda draws a tile", (m.Draw, m.Pass)),
    **dict.fromkeys(plan.KEEPS, ("3.4", "whether the drawn tile becomes a forest", (m.Keep,))),
    plan.TAKE: ("3.4", "which tile is taken", (m.Take, m.Pass)),
    plan.SECOND_TAKE: ("3.4", "which second tile is taken", (m.Take, m.Pass)),
    plan.LODGE: ("3.4", "which tile the hunting lodge removes", (m.Unplant, m.Pass)),
    plan.PICK: ("3.5", "who leaves the colonist ship", (m.Pick,)),
    plan.PLACE: ("3.5", "where people are placed", (m.PlacePeople,)),
    plan.BUILD: ("3.6", "what is built", (m.Build, m.Pass)),
    plan.BONUS: ("3.7", "which good the privilege brings", (m.Bonus, m.Pass)),
    plan.TRADE: ("3.8", "what is sold", (m.Sell, m.Plant, m.Unplant, m.Pass)),
    plan.TRADE_AGAIN: ("3.8", "what else is sold", (m.Sell, m.Plant, m.Unplant, m.Pass)),
    plan.SUPPLY: ("3.9", "what the royal supplier hands in", (m.Supply,)),
    plan.LOAD: ("3.9", "what is loaded", (m.Ship, m.Wharf, m.SmallWharf, m.Pass)),
    plan.STORE: ("3.9", "what is stored", (m.Store,)),
}

EXPLAIN: Final[Mapping[type, Callable[[Position, int, Any], Reason | None]]] = {
    m.Draft: city.draft,
    m.TakeRole: people.take_role,
    m.Take: island.take,
    m.Unplant: island.unplant,
    m.Plant: island.plant,
    m.PlacePeople: people.place_people,
    m.MoveGuests: people.guests,
    m.Build: city.build,
    m.Bonus: goods.bonus,
    m.Sell: goods.sell,
    m.Ship: goods.ship,
    m.Wharf: goods.wharf,
    m.SmallWharf: goods.small_wharf,
    m.Supply: goods.supply,
    m.Store: goods.store,
}


def refusal(position: Position, move: m.Move) -> IllegalMove:
    """The refusal of a move that is not legal now."""
    text = write(move)
    if position.phase == OVER:
        return GameIsOver(text, "game_is_over", "5.1", "The game is over.")
    rule, question, answers = ASKED[position.step]
    if not isinstance(move, answers):
        return IllegalMove(text, "another_decision", rule, f"What is to be decided now is {question}.")
    explain = EXPLAIN.get(type(move))
    reason = explain(position, position.actor, move) if explain is not None else None
    if reason is None:
        reason = _declined(move, rule, question)
    return IllegalMove(text, *reason)


def _declined(move: m.Move, rule: str, question: str) -> Reason:
    if isinstance(move, m.Pass):
        return Reason("must_load", rule, "Who can load goods on a cargo ship must do so.")
    return Reason("not_possible", rule, f"That is no answer here; what is to be decided is {question}.")
