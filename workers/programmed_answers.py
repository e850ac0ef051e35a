"""Plays the answers that players have left, one move at a time, and clears those that stand no more."""

from collections.abc import Sequence
from typing import Final

import structlog

from events.errors import CabildoError, LogNotReconciled, OutcomeUnknown, StaleVersion, StoreAway
from events.store.protocol import request_key
from service.container import Container
from service.core.command_handler import ExpectedVersion, Request
from service.games.game_state import GameState
from service.programmed_answers.answers import ProgrammedAnswer, applicable
from service.programmed_answers.commands import PlayAnswer, check_playable, play_answer
from service.programmed_answers.queries import answers_of, standing

FORGET: Final = "DELETE FROM programmed_answers WHERE game = %s AND id = ANY(%s)"
SEEN: Final = "UPDATE programmed_answers SET seen = %s WHERE game = %s AND id = ANY(%s) AND seen < %s"
STORE_FAULTS: Final = (StoreAway, OutcomeUnknown, LogNotReconciled)
log = structlog.get_logger("workers.programmed_answers")


def answer_turn(here: Container, state: GameState) -> None:
    """Plays the first answer that applies at this version of a game; the announcement of its move calls what follows.

    The move is bound to the version and to a key that follows from it: a turn that comes twice, or late, adds nothing.
    """
    with here.stores.pool.connection() as connection:
        answers = answers_of(connection, state.id)
    if not answers:
        here.announcer.programmed_games.unmark(str(state.id))
        return
    kept = standing(here, state, answers)
    _forget(here, state, [answer for answer in answers if answer not in kept])
    for answer, move in applicable(kept, state.game, state.board):
        _play(here, state, answer, move)
        return
    _note_seen(here, state, kept)


def _play(here: Container, state: GameState, answer: ProgrammedAnswer, move: str) -> None:
    """Plays an answer; one that is refused, as while a game is paused, waits for the next event."""
    player = str(answer.player)
    key = request_key(player, f"programmed answer {state.head.seq}", f"{answer.id} {move}".encode(), state.id)
    try:
        check_playable(state.known, answer.seat)
        play_answer(here, PlayAnswer(answer, move), Request(player, key, ExpectedVersion(state.head.seq)))
    except (StaleVersion, *STORE_FAULTS) as fault:
        if not isinstance(fault, StaleVersion):
            raise
        log.info("lost a race for the game", game=str(state.id), version=state.head.seq)
    except CabildoError as refused:
        log.info("answer not played", game=str(state.id), version=state.head.seq, reason=type(refused).__name__)
        _note_seen(here, state, [answer])


def _forget(here: Container, state: GameState, answers: Sequence[ProgrammedAnswer]) -> None:
    if answers:
        with here.stores.pool.connection() as connection:
            connection.execute(FORGET, (state.id, [answer.id for answer in answers]))


def _note_seen(here: Container, state: GameState, answers: Sequence[ProgrammedAnswer]) -> None:
    """Notes the version up to which answers were considered, so that the keeper calls this turn no more."""
    seen = state.head.seq
    with here.stores.pool.connection() as connection:
        connection.execute(SEEN, (seen, state.id, [answer.id for answer in answers], seen))
