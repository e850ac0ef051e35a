"""Playing: reads a move, executes it by the rules and appends it, or tries it in a dry run."""

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from events.json_types import Json, JsonObject
from projections.games.execute_move import ExecutedMove, enact
from projections.games.record import RUNNING, Turn
from projections.games.signed_moves import check_signature, move_statement
from projections.rules.dealer import Dealer
from projections.rules.errors import IllegalMove, UnreadableMove
from projections.rules.protocol import AnyGame, Board
from service.core.errors import ChanceHidden, NotRunning, SignatureRefused
from service.games.decisions import chance, endings
from service.games.game_state import GameState, GameUnitOfWork
from service.games.not_your_turn import game_is_over, not_your_turn
from service.games.turns import turn_document, turn_of

MOST_ALTERNATIVES = 60


class MoveStatements(NamedTuple):
    """The client's statement with a move: the history it saw, its next link, its signature."""

    saw: bytes | None = None
    link: str | None = None
    signature: str | None = None


NO_STATEMENTS = MoveStatements()


class Trial(NamedTuple):
    """The result of a dry run; for a draw only the possible outcomes, for an uncovered secret nothing."""

    move: str
    then: Sequence[tuple[int, str]]
    facts: Sequence[Json]
    turn: Turn | None
    drawn_from: tuple[str, ...] | None


def play(
    unit: GameUnitOfWork,
    seat: int,
    text: str,
    statements: MoveStatements = NO_STATEMENTS,
    bot: JsonObject | None = None,
) -> None:
    """Make a move with its forced moves. Raises UnreadableMove, IllegalMove or a subclass.

    `bot` records the inputs of a house bot's decision.
    """
    check_turn(unit.now, seat, text)
    chance.check_link(unit.id, unit.record, seat, statements.link)
    dealer = unit.dealer([(seat, statements.link)] if statements.link else ())
    played = _decided(unit.game, unit.now.board, unit.board(), text, dealer)
    _check_signed(unit.now, seat, played.move, statements.signature)
    saw = statements.saw.hex() if statements.saw else None
    stated: dict[str, Json] = {"link": statements.link, "saw": saw, "signature": statements.signature, "bot": bot}
    turn = turn_of(unit.game, unit.board())
    unit.write(
        "moved",
        seat=seat,
        move=played.move,
        turn=turn_document(turn),
        **{name: value for name, value in stated.items() if value is not None},
        **played.deed.data(),
    )
    endings.end_if_over(unit)


def attempt(table: GameState, seat: int, text: str) -> Trial:
    """Returns the result of a dry run; writes nothing and reveals nothing hidden."""
    check_turn(table, seat, text)
    game = table.game
    board = game.copy(table.board)
    try:
        played = _decided(game, table.board, board, text, chance.Hidden())
    except ChanceHidden as hidden:
        move = game.notation(game.canonical(table.board, game.parse(text)))
        return Trial(move, (), (), None, hidden.possible)
    if _uncovers(table, seat, played):
        return Trial(played.move, (), (), None, ())
    return Trial(played.move, played.deed.then, played.deed.facts, turn_of(game, board), None)


def _uncovers(table: GameState, seat: int, played: ExecutedMove) -> bool:
    """Returns whether a move would reveal another seat's secret, which a dry run must not show."""
    opening = {*table.game.secrets(table.known.options).values()}
    facts = [cast(list[Any], fact) for fact in played.deed.facts]
    return any(name in opening and whose != seat for name, whose, *_ in (fact for fact in facts if len(fact) > 1))


def check_turn(table: GameState, seat: int, move: str) -> None:
    """Raises NotYourTurn, GameIsOver or NotRunning unless the seat is to act."""
    record = table.known
    if record.turn is None:
        if record.status == RUNNING or record.result:
            raise game_is_over(record.game, move)
        raise NotRunning(record.status)
    if record.turn.seat != seat:
        raise not_your_turn(record.game, move, record.turn.seat)


def _check_signed(table: GameState, seat: int, move: str, signature: str | None) -> None:
    """Raises SignatureRefused or FalseSignature unless the move is signed as its seat promised."""
    chair = table.known.chair_at(seat)
    if signature is None:
        if chair.signs:
            raise SignatureRefused("missing", "this seat signs its moves, and the move carries no signature")
        return
    if chair.key is None:
        raise SignatureRefused("no_key", "this seat has no registered key; take a seat with signs: true")
    check_signature(
        bytes.fromhex(chair.key), move_statement(table.id, table.head, seat, move), bytes.fromhex(signature)
    )


def _decided(game: AnyGame, visible: Any, board: Board, text: str, dealer: Dealer) -> ExecutedMove:
    """Returns the move executed on `board`; refusals name legal moves on the board as `shown`."""
    try:
        return enact(game, board, text, dealer)
    except (IllegalMove, UnreadableMove) as refused:
        refused.alternatives = alternatives(game, visible)
        refused.game = game.name
        raise


def alternatives(game: AnyGame, board: Board) -> tuple[str, ...]:
    """Returns legal moves to name in a refusal."""
    moves = game.legal(board).suggested()
    return tuple(game.notation(move) for move in moves[:MOST_ALTERNATIVES])
