"""The legal moves of a game for one viewer, with the reason when there are none."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from events.json_types import Json, JsonObject
from events.messages import Message
from projections.games.record import OPEN, Turn
from projections.rules.legal_moves import (
    are_open,
    continuations,
    legal_moves_document,
    no_moves_document,
    refused_moves,
)
from service.core.errors import NotAllowed
from service.games.not_your_turn import not_your_turn
from service.games.visibility import Visibility
from service.i18n.messages import translate

NOT_STARTED, GAME_IS_OVER, NOT_SEATED = "not_started", "game_is_over", "not_seated"
NOT_PLAYING, NOT_YOUR_TURN = "not_playing", "not_your_turn"
REASONS: Final = (NOT_STARTED, GAME_IS_OVER, NOT_SEATED, NOT_PLAYING, NOT_YOUR_TURN)
SENTENCES: Final = {
    NOT_STARTED: Message("the game has not started"),
    GAME_IS_OVER: Message("the game is over"),
    NOT_SEATED: Message("you have no seat in this game"),
    NOT_PLAYING: Message("you do not play in this game any more"),
}


class LegalQuestion(NamedTuple):
    """What a viewer asks about the legal moves."""

    mine: bool | None = None  # only the viewer's own; None: for a viewer with a seat
    why_not: Sequence[str] = ()
    begin: str | None = None  # the beginning of a move to complete


def legal(visible: Visibility, language: str, question: LegalQuestion) -> JsonObject:
    """Returns the turn, and the moves that the viewer asks about or the reason why there are none.

    Raises NotAllowed for another seat's viewer when the moves would reveal a secret.
    """
    turn, none = visible.record.turn, _no_moves(visible, question.mine)
    if none is None and visible.secrets and turn is not None and turn.seat != visible.seat:
        raise NotAllowed("not_your_seat", "in this game only the seat to act knows what it may do")
    head = {"version": visible.version, "viewer": visible.seat, "yours": _no_moves(visible, mine=True) is None}
    if none is None:
        moves = legal_moves_document(visible.game, visible.board, language)
        return {**head, **moves, "none": None, **_answers(visible, language, question)}
    why = {"reason": none, "sentence": _sentence(none, turn, language)}
    return {**head, **no_moves_document(turn), "none": why, **_no_answers(question, why)}


def _answers(visible: Visibility, language: str, question: LegalQuestion) -> JsonObject:
    """Returns the answers about single moves, as far as they are asked for."""
    answers: dict[str, Json] = {}
    if question.begin is not None:
        answers["continuations"] = continuations(visible.game, visible.board, question.begin)
    if question.why_not:
        refused = refused_moves(visible.game, visible.board, question.why_not, language)
        answers |= {"refused": refused, "asked": are_open(question.why_not, refused)}
    return answers


def _no_answers(question: LegalQuestion, why: JsonObject) -> JsonObject:
    """Returns the answers to a viewer without moves: there is nothing to go on with, and every move is refused."""
    answers: dict[str, Json] = {} if question.begin is None else {"continuations": []}
    if question.why_not:
        refused = [{"move": move, "rule": "", **why} for move in question.why_not]
        answers |= {"refused": refused, "asked": are_open(question.why_not, refused)}
    return answers


def _sentence(reason: str, turn: Turn | None, language: str) -> str:
    if reason == NOT_YOUR_TURN and turn is not None:
        return not_your_turn("", turn.seat).sentence_in(language)
    return translate(SENTENCES[reason], language)


def _no_moves(visible: Visibility, mine: bool | None) -> str | None:
    """Returns why the viewer is shown no moves; None when there are some."""
    record, seat = visible.record, visible.seat
    if record.status == OPEN:
        return NOT_STARTED
    if record.turn is None or visible.is_over:
        return GAME_IS_OVER
    if not (seat is not None if mine is None else mine):
        return None
    if seat is None:
        return NOT_SEATED
    if record.chair_at(seat).engine is not None or record.chair_at(seat).forfeited is not None:
        return NOT_PLAYING
    return None if record.turn.seat == seat else NOT_YOUR_TURN
