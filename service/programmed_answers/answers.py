"""What a programmed answer says, and which of them apply on a board."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple
from uuid import UUID

from projections.rules.errors import IllegalMove, UnreadableMove
from projections.rules.protocol import AnyGame, Board, BoardMove

ONCE, GAME = "once", "game"
SPANS: Final = ("phase", "round", "own_choice", "last_round")  # stretches that the rules of games tell
UNTIL: Final = (ONCE, *SPANS, GAME)  # when an answer is over: played, the stretch ended, never before the game
MOST: Final = 12  # of a seat
MOST_PLAYED: Final = 100  # moves of one answer


class ProgrammedAnswer(NamedTuple):
    """A move that a seat makes by itself at a kind of decision, whenever it is legal, until something ends it."""

    game: UUID
    seat: int
    number: int
    id: UUID
    player: UUID
    decision: str | None
    move: str
    card: str | None
    until: str
    span: int | None
    created: int
    since: int
    seen: int
    played: int = 0


def move_now(answer: ProgrammedAnswer, game: AnyGame, board: Board) -> BoardMove | None:
    """Returns the move of an answer as it reads on a board, legal or not; None when its card is gone."""
    try:
        move = game.parse(answer.move)
    except UnreadableMove:  # the rules of the game were changed
        return None
    return move if answer.card is None else game.aimed(board, move, answer.card)


def is_over(answer: ProgrammedAnswer, game: AnyGame, board: Board) -> bool:
    """Returns whether the stretch of an answer has ended, or its card is gone."""
    if answer.span is not None and game.spans(board, answer.seat).get(answer.until) != answer.span:
        return True
    return move_now(answer, game, board) is None


def applicable(
    answers: Iterable[ProgrammedAnswer], game: AnyGame, board: Board
) -> Iterator[tuple[ProgrammedAnswer, str]]:
    """Yields the answers of the seat to act that apply on a board, each with its legal move, in their order."""
    seat, decision = game.actor(board), game.decision(board)
    for answer in answers:
        if answer.seat == seat and answer.decision in (None, decision) and not is_over(answer, game, board):
            move = move_now(answer, game, board)
            assert move is not None  # else it is over
            try:
                yield answer, game.notation(game.canonical(board, move))
            except IllegalMove:
                continue
