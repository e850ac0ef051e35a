"""Programmed answers as JSON for their player."""

from collections.abc import Sequence
from typing import Any

from events.json_types import JsonObject
from service.core.clock import iso_time
from service.games.game_state import GameState
from service.programmed_answers.answers import GAME, MOST, ONCE, SPANS, ProgrammedAnswer, move_now


def answer_document(answer: ProgrammedAnswer, state: GameState, language: str) -> JsonObject:
    """Returns one answer that stands."""
    move = move_now(answer, state.game, state.board)
    assert move is not None  # it stands
    return {
        "id": str(answer.id),
        "decision": answer.decision,
        "move": state.game.notation(move),
        "label": state.game.label(state.board, move, language),
        "until": answer.until,
        "left": iso_time(answer.created),
        "played": answer.played,
    }


def answers_document(
    answers: Sequence[ProgrammedAnswer], state: GameState, seat: int, reason: str | None, language: str
) -> dict[str, Any]:
    """Returns the answers of a seat, and what its player may leave now."""
    spans = {} if reason == "over" else state.game.spans(state.board, seat)
    stretches = [{"until": name, "span": spans[name]} for name in SPANS if name in spans]
    return {
        "answers": [answer_document(answer, state, language) for answer in answers],
        "reason": reason,
        "ends": [{"until": ONCE, "span": None}, *stretches, {"until": GAME, "span": None}],
        "decisions": state.game.decisions,
        "most": MOST,
    }
