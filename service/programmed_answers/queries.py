"""Reads programmed answers: those of a game, and which of them still stand."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from psycopg import Connection
from psycopg.rows import class_row

from service.container import Container
from service.games.game_state import GameState
from service.programmed_answers.answers import ProgrammedAnswer, applicable, is_over

OF_GAME: Final = """
SELECT game, seat, number, id, player, decision, move, card, until, span, created, since, seen, played
FROM programmed_answers WHERE game = %s ORDER BY created, number
"""
MOST_EVENTS: Final = 200  # after which nothing more is read: the next look goes on there


def answers_of(connection: Connection, game: UUID) -> list[ProgrammedAnswer]:
    """Returns all answers of a game, in the order in which they were left."""
    with connection.cursor(row_factory=class_row(ProgrammedAnswer)) as cursor:
        return cursor.execute(OF_GAME, (game,)).fetchall()


def standing_answers(here: Container, state: GameState) -> list[ProgrammedAnswer]:
    """Returns the answers of a game that stand at its newest version."""
    with here.stores.pool.connection() as connection:
        answers = answers_of(connection, state.id)
    return standing(here, state, answers)


def standing(here: Container, state: GameState, answers: Sequence[ProgrammedAnswer]) -> list[ProgrammedAnswer]:
    """Returns those of the answers that are not over, whose player has the seat, and that no hand move contradicts."""
    kept = [answer for answer in answers if _is_seated(state, answer) and not is_over(answer, state.game, state.board)]
    against = _contradicted(here, state, kept)
    return [answer for answer in kept if answer.id not in against]


def _is_seated(state: GameState, answer: ProgrammedAnswer) -> bool:
    """Returns whether the player of an answer still acts for its seat."""
    record = state.known
    chair = record.chair_at(answer.seat) if record.turn is not None else None
    return chair is not None and chair.player == str(answer.player) and chair.engine is None


def _contradicted(here: Container, state: GameState, answers: Sequence[ProgrammedAnswer]) -> set[UUID]:
    """Returns the answers that would have played another move where their player moved by hand."""
    looked = {answer.id: max(answer.since, answer.seen) for answer in answers}
    seats = {answer.seat for answer in answers}
    against: set[UUID] = set()
    if not looked or min(looked.values()) >= state.head.seq:
        return against
    for event in list(here.games.store.read(state.id, min(looked.values()), MOST_EVENTS)):
        if event.kind == "moved" and event.data["seat"] in seats:
            asked = [answer for answer in answers if looked[answer.id] < event.seq and answer.id not in against]
            before = here.games.at(state.id, event.seq - 1)
            for answer, move in applicable(asked, before.game, before.board):
                if move == event.data["move"]:
                    break
                against.add(answer.id)
    return against
