"""Commands of programmed answers: leave one, clear some, play the move of one."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple
from uuid import UUID, uuid4

import psycopg

from events.messages import Message
from events.store.statements import Statement
from projections.games.record import GameRecord
from projections.rules.errors import UnreadableMove
from service.container import Container
from service.core.announce import Announcement
from service.core.command_handler import Answer, Request
from service.core.errors import InvalidRequest, NotThere
from service.games import access
from service.games.command_handler import GameOutcome
from service.games.commands.answers import appended_document
from service.games.decisions import play, undo
from service.games.game_state import GameState, GameUnitOfWork
from service.programmed_answers.answers import MOST, MOST_PLAYED, SPANS, ProgrammedAnswer
from service.programmed_answers.documents import answer_document
from service.programmed_answers.errors import AnswerRefused
from service.programmed_answers.queries import answers_of, standing

LEAVE: Final = "SELECT leave_programmed_answer(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
USE: Final = "SELECT use_programmed_answer(%s, %s, %s, %s, %s)"
WAS_CLEARED: Final = "CAB08"  # the SQLSTATE of use_programmed_answer
CLEAR_ONE: Final = "DELETE FROM programmed_answers WHERE game = %s AND player = %s AND id = %s"
CLEAR_ALL: Final = "DELETE FROM programmed_answers WHERE game = %s AND player = %s"
SIGNED: Final = "your seat signs each of its moves, which the service cannot do for you"
LINKED: Final = "each move of your seat carries a secret of yours, which the service does not know"


class LeaveAnswer(NamedTuple):
    """Leave an answer for the player's own seat; one with the same decision and move is replaced."""

    game: UUID
    move: str
    decision: str | None
    until: str
    span: int | None = None  # the number of the stretch that the client saw


class ClearAnswers(NamedTuple):
    """Clear one answer of the player in a game, or all."""

    by: UUID
    game: UUID
    id: UUID | None = None


class PlayAnswer(NamedTuple):
    """Make the move of an answer for its player."""

    answer: ProgrammedAnswer
    move: str


def leave_answer(here: Container, command: LeaveAnswer, request: Request) -> GameOutcome:
    """Store an answer for the player's seat. Raises AnswerRefused, NotRunning, UnreadableMove or InvalidRequest."""

    def decide(unit: GameUnitOfWork) -> Answer:
        undo.check_running(unit.record)
        seat = access.seat_of(unit.now, request.actor)
        check_playable(unit.record, seat)
        with here.stores.pool.connection() as connection:
            stored = answers_of(connection, unit.id)
        answer, replaced = _new_answer(here, unit, command, seat, [one for one in stored if one.seat == seat])
        unit.beside.append(Statement(LEAVE, (*answer[:-1], replaced)))
        return answer_document(answer, unit.now, request.language)

    outcome = here.game_commands.execute(
        command.game, request, decide, lambda table: access.seat_of(table, request.actor)
    )
    if outcome.state is not None:
        turn = here.game_commands.programmed_turn(outcome.state)
        here.announcer.announce(Announcement((), programmed=turn, answered=command.game))
    return outcome


def clear_answers(here: Container, command: ClearAnswers) -> None:
    """Clear answers: none of their moves is stored afterwards. Raises NotThere when the player has not that one."""
    access.seat_of(here.games.load(command.game), str(command.by))
    with here.stores.pool.connection() as connection:
        if command.id is None:
            connection.execute(CLEAR_ALL, (command.game, command.by))
        elif not connection.execute(CLEAR_ONE, (command.game, command.by, command.id)).rowcount:
            raise NotThere("answer", command.id)


def play_answer(here: Container, command: PlayAnswer, request: Request) -> GameOutcome:
    """Make the move of an answer, an ordinary move of its player. Raises AnswerRefused when it was cleared before."""
    answer = command.answer

    def decide(unit: GameUnitOfWork) -> Answer:
        play.play(unit, access.seat_of(unit.now, request.actor), command.move)
        moved = unit.events[0].seq
        unit.beside.append(Statement(USE, (answer.game, answer.seat, answer.id, moved, MOST_PLAYED)))
        return appended_document(here, unit)

    try:
        return here.game_commands.execute(
            answer.game, request, decide, lambda table: access.seat_of(table, request.actor)
        )
    except psycopg.DatabaseError as problem:
        if problem.sqlstate != WAS_CLEARED:
            raise
        raise AnswerRefused("cleared", "the answer was cleared; nothing was played") from problem


COMMANDS: Final[Mapping[type, Callable[..., object]]] = {
    LeaveAnswer: leave_answer,
    ClearAnswers: clear_answers,
    PlayAnswer: play_answer,
}


def check_playable(record: GameRecord, seat: int) -> None:
    """Raises AnswerRefused for a seat whose moves carry what only its player has."""
    chair = record.chair_at(seat)
    if chair.signs:
        raise AnswerRefused("signed", SIGNED)
    if chair.owes_link:
        raise AnswerRefused("linked", LINKED)


def _new_answer(
    here: Container, unit: GameUnitOfWork, command: LeaveAnswer, seat: int, own: Sequence[ProgrammedAnswer]
) -> tuple[ProgrammedAnswer, list[UUID]]:
    """Returns the answer to store, and those that it replaces: the same one, and those that are over."""
    state = unit.now
    move, card = _checked_move(state, command)
    standing_now = standing(here, state, own)
    same = next((one for one in standing_now if (one.decision, one.move) == (command.decision, move)), None)
    kept = [one for one in standing_now if one is not same]
    if len(kept) >= MOST:
        raise AnswerRefused("too_many", "you have left {most} answers here; clear one first", most=MOST)
    taken = {one.number for one in kept}
    free = next(number for number in range(1, MOST + 1) if number not in taken)
    is_own_turn = state.known.turn is not None and state.known.turn.seat == seat
    answer = ProgrammedAnswer(
        game=unit.id,
        seat=seat,
        number=free if same is None else same.number,
        id=uuid4(),
        player=UUID(unit.actor),
        decision=command.decision,
        move=move,
        card=card,
        until=command.until,
        span=_span(state, command, seat),
        created=unit.at if same is None else same.created,
        since=state.head.seq,
        seen=state.head.seq - is_own_turn,
    )
    return answer, [one.id for one in own if one not in kept]


def _checked_move(state: GameState, command: LeaveAnswer) -> tuple[str, str | None]:
    """Returns the canonical text of a move and the card that it is about."""
    game = state.game
    if command.decision is not None and command.decision not in game.decisions:
        raise InvalidRequest({"json": {"decision": [Message("is no decision of this game")]}})
    try:
        parsed = game.parse(command.move)
    except UnreadableMove as refused:
        refused.game = game.name
        raise
    card = game.aim(state.board, parsed)
    if card == "":
        raise AnswerRefused("no_card", "no card lies there")
    return game.notation(parsed), card


def _span(state: GameState, command: LeaveAnswer, seat: int) -> int | None:
    """Returns the number of the stretch after which the answer is over; None for one without."""
    if command.until not in SPANS:
        return None
    number = state.game.spans(state.board, seat).get(command.until)
    if number is None or command.span not in (None, number):
        raise AnswerRefused("span_over", "that stretch of the game does not run now; choose another end")
    return number
