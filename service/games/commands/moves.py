"""Commands of seated players: moves, undo, offers, resigning, aborting."""

from collections.abc import Callable
from typing import NamedTuple
from uuid import UUID

from events.json_types import JsonObject
from service.container import Container
from service.core.command_handler import Answer, Request
from service.games import access
from service.games.command_handler import GameOutcome
from service.games.commands.answers import appended_document
from service.games.decisions import end_early, pauses, play, undo
from service.games.decisions.play import MoveStatements
from service.games.game_state import GameState, GameUnitOfWork


class PlayMove(NamedTuple):
    """Make a move, with the next link of the seat's chain and its signature where the game asks for them."""

    game: UUID
    move: str
    link: str | None = None
    signature: str | None = None


class PlayBotMove(NamedTuple):
    """Make a house bot's move."""

    game: UUID
    seat: int
    move: str
    thought: JsonObject


class UndoMove(NamedTuple):
    """Take back the player's own last move."""

    game: UUID


class ProposeTakeBack(NamedTuple):
    """Propose to return to an earlier version."""

    game: UUID
    to: int


class AnswerOffer(NamedTuple):
    """Agree to an offer, or decline it."""

    game: UUID
    agrees: bool


class WithdrawOffer(NamedTuple):
    """Withdraw the player's own offer."""

    game: UUID


class ProposePause(NamedTuple):
    """Propose to all players to stop the clocks for a time."""

    game: UUID
    seconds: int


class ResumeClock(NamedTuple):
    """End the pause of a game."""

    game: UUID


class Resign(NamedTuple):
    """Resign the player's own seat."""

    game: UUID


class AbortGame(NamedTuple):
    """Cancel a game before its start, abort it in its first round, or offer to abort it.

    The maker of a game of house bots aborts it at any time.
    """

    game: UUID
    reason: str | None = None


def play_move(here: Container, command: PlayMove, request: Request) -> GameOutcome:
    """Make a move. Returns its event and the state of the game as the answer."""
    made = MoveStatements(request.expected.head, command.link, command.signature)
    return _act_on_seat(here, command.game, request, lambda unit, seat: play.play(unit, seat, command.move, made))


def play_bot_move(here: Container, command: PlayBotMove, request: Request) -> GameOutcome:
    """Make a bot's move; the event records the inputs of the bot's decision."""

    def decide(unit: GameUnitOfWork) -> None:
        play.play(unit, command.seat, command.move, bot=command.thought)

    return here.game_commands.execute(command.game, request, decide)


def undo_move(here: Container, command: UndoMove, request: Request) -> GameOutcome:
    """Take back the seat's own last move, if it drew and revealed nothing and no other seat has acted since."""
    return _act_on_seat(here, command.game, request, undo.undo)


def propose_take_back(here: Container, command: ProposeTakeBack, request: Request) -> GameOutcome:
    """Propose to all seats to return to an earlier version."""
    return _act_on_seat(here, command.game, request, lambda unit, seat: end_early.take_back(unit, seat, command.to))


def answer_offer(here: Container, command: AnswerOffer, request: Request) -> GameOutcome:
    """Agree to an offer or decline it; the last consent executes it."""
    return _act_on_seat(
        here, command.game, request, lambda unit, seat: end_early.answer(unit, seat, agrees=command.agrees)
    )


def withdraw_offer(here: Container, command: WithdrawOffer, request: Request) -> GameOutcome:
    """Withdraw the player's own offer."""
    return _act_on_seat(here, command.game, request, end_early.withdraw)


def propose_pause(here: Container, command: ProposePause, request: Request) -> GameOutcome:
    """Propose a pause; the last consent stops the clocks."""
    return _act_on_seat(here, command.game, request, lambda unit, seat: pauses.propose(unit, seat, command.seconds))


def resume_clock(here: Container, command: ResumeClock, request: Request) -> GameOutcome:
    """End the pause of a game for all seats."""
    return _act_on_seat(here, command.game, request, pauses.resume)


def resign(here: Container, command: Resign, request: Request) -> GameOutcome:
    """Resign; by the game's option a bot plays on, or the seat is forfeited."""
    return _act_on_seat(here, command.game, request, end_early.resign)


def abort_game(here: Container, command: AbortGame, request: Request) -> GameOutcome:
    """End a game without a result: the host before its start, a player in the first round, later by consent.

    The maker of a game of house bots ends it in any round.
    """

    def authorise(table: GameState) -> None:
        access.see(here.deals, table, request.actor)
        if table.known.order and not access.may_abort_as_maker(table.known, request.actor):
            access.seat_of(table, request.actor)

    def decide(unit: GameUnitOfWork) -> Answer:
        if access.may_abort_as_maker(unit.record, request.actor):
            end_early.abort_as_maker(unit, command.reason)
        elif unit.record.order:
            end_early.abort(unit, access.seat_of(unit.now, request.actor), command.reason)
        else:
            end_early.cancel(unit, request.actor, command.reason)
        return appended_document(here, unit)

    return here.game_commands.execute(command.game, request, decide, authorise)


def _act_on_seat(
    here: Container, game: UUID, request: Request, decide: Callable[[GameUnitOfWork, int], None]
) -> GameOutcome:
    """Execute a player's command for their seat. Returns the event and the state of the game."""

    def decide_for_seat(unit: GameUnitOfWork) -> Answer:
        decide(unit, access.seat_of(unit.now, request.actor))
        return appended_document(here, unit)

    return here.game_commands.execute(
        game, request, decide_for_seat, lambda table: access.seat_of(table, request.actor)
    )
