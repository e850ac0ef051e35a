"""Runs a game from one decision to the next; executes duties and forced moves on the way."""

from typing import Final

from projections.rules.dealer import Dealer
from projections.rules.fact_recorder import FactRecorder
from projections.rules.made_once import SEATS
from projections.rules.move_collection import Moves
from projections.rules.puerto_rico.buildings import table
from projections.rules.puerto_rico.engine import effects
from projections.rules.puerto_rico.engine.choices import Joined, ListedMoves
from projections.rules.puerto_rico.engine.reachable_steps import reachable_steps
from projections.rules.puerto_rico.facts.frame import Awaits
from projections.rules.puerto_rico.facts.people import GuestsAsked
from projections.rules.puerto_rico.kinds import DREW, OVER
from projections.rules.puerto_rico.moves import Move, Pass, Recall
from projections.rules.puerto_rico.phases import (
    builder,
    captain,
    craftsman,
    draft,
    mayor,
    prospector,
    role_choice,
    settler,
    storage,
    trader,
)
from projections.rules.puerto_rico.plan import DRAW, RECALLS, START, STEPS, WINDOWS, PhaseProgram, program
from projections.rules.puerto_rico.state.position import Position


def ask_again(position: Position, seat: int, _move: Recall, _dealer: Dealer, recorder: FactRecorder[Position]) -> None:
    """Takes back `stay phase`: the seat is asked about its guests again."""
    recorder.record(position, GuestsAsked(seat))


GATES: Final = draft.GATES | mayor.GATES | captain.GATES
DUTIES: Final = (
    settler.DUTIES | mayor.DUTIES | craftsman.DUTIES | trader.DUTIES | captain.DUTIES | storage.DUTIES
    | prospector.DUTIES | role_choice.DUTIES
)  # fmt: skip
CHOICES: Final = (
    draft.CHOICES | role_choice.CHOICES | settler.CHOICES | mayor.CHOICES | builder.CHOICES | craftsman.CHOICES
    | trader.CHOICES | captain.CHOICES | storage.CHOICES
)  # fmt: skip
RECALL: Final = Recall()  # may stand beside a decision, never makes one
PASSES: Final = trader.PASSES | captain.PASSES  # changes by declining, by step; elsewhere none
DEEDS: Final = (
    draft.DEEDS | role_choice.DEEDS | settler.DEEDS | mayor.DEEDS | builder.DEEDS | craftsman.DEEDS | trader.DEEDS
    | captain.DEEDS | storage.DEEDS | table.DEEDS | {Recall: ask_again}
)  # fmt: skip


AWAITS: Final = tuple(tuple(Awaits(seat, step) for step in range(len(STEPS))) for seat in SEATS)

# The tables as lists by step, for speed.
_DUTIES: Final = [DUTIES.get(step) for step in range(len(STEPS))]
_PASSES: Final = [PASSES.get(step) for step in range(len(STEPS))]
_CHOICES: Final = [CHOICES.get(step) for step in range(len(STEPS))]
_OFFERING: Final = [effects.ANSWERS.offering.get(step, 0) for step in range(len(STEPS))]


def moves_at(position: Position, seat: int, step: int) -> Moves[Move]:
    """All moves of a seat at a step; none when there is nothing to decide."""
    moves = _find(position, seat, step)
    return ListedMoves(moves) if isinstance(moves, tuple) else moves


def _find(position: Position, seat: int, step: int) -> tuple[Move, ...] | Moves[Move]:
    """Returns the phase's own moves and those that buildings add."""
    choice = _CHOICES[step]
    own: tuple[Move, ...] = ()
    if choice is not None:
        found = choice(position, seat)
        if not isinstance(found, tuple):
            return found
        own = found
    if position.working[seat] & _OFFERING[step] or position.staying:
        return _with_more(position, seat, step, own)
    return own


def _with_more(position: Position, seat: int, step: int, own: tuple[Move, ...]) -> tuple[Move, ...] | Moves[Move]:
    long = None
    if position.working[seat] & _OFFERING[step]:
        listed, long = effects.offers(position, seat, step)
        own += listed
    if position.staying >> seat & 1 and step in RECALLS and (len(own) > 1 or long is not None):
        own += (RECALL,)
    return own if long is None else Joined(own, long)


def open_moves(position: Position) -> Moves[Move]:
    """The moves of the seat to act; none when the game is over."""
    return ListedMoves(()) if position.phase == OVER else moves_at(position, position.actor, position.step)


def execute(
    position: Position, seat: int, step: int, move: Move, dealer: Dealer, recorder: FactRecorder[Position]
) -> None:
    """Executes a legal move."""
    if type(move) is Pass:
        declined = _PASSES[step]
        if declined is not None:
            declined(position, seat, move, dealer, recorder)
    else:
        DEEDS[type(move)](position, seat, move, dealer, recorder)


def proceed(position: Position, dealer: Dealer, recorder: FactRecorder[Position], *, again: bool = False) -> None:
    """Runs the phases up to the next decision or the end of the game."""
    while not _play_phase(position, dealer, recorder, again=again) and position.phase != OVER:
        role_choice.next_phase(position, recorder)


def _play_phase(position: Position, dealer: Dealer, recorder: FactRecorder[Position], *, again: bool) -> bool:
    """The rest of the phase; True when it stops at a decision."""
    running = running_program(position)
    ops = running.ops
    at = _resume(position, running, again=again)
    end = len(ops)
    while at < end:
        op = ops[at]
        at += 1
        if op.closed >= 0:
            if not GATES[op.step](position):
                at = op.closed
            elif op.jump >= 0:
                at = op.jump
            continue
        step, seat = op.step, op.seat
        duty = _DUTIES[step]
        if duty is not None:
            duty(position, seat, dealer, recorder)
            continue
        moves = _find(position, seat, step)
        if not isinstance(moves, tuple):
            return _stop(position, seat, step, moves, recorder)
        if len(moves) > 1:
            return _stop(position, seat, step, ListedMoves(moves), recorder)
        if moves:  # the single legal move is executed for the seat
            recorder.forced(seat, moves[0])
            execute(position, seat, step, moves[0], dealer, recorder)
    return False


def _resume(position: Position, running: PhaseProgram, *, again: bool) -> int:
    """Where the phase goes on: at its start, or after the decision just made; `again` asks about guests first."""
    if position.step == START:
        return 0
    at = running.places[position.step, position.actor]
    return _window_before(position, running, at) if again else at + 1


def _window_before(position: Position, running: PhaseProgram, at: int) -> int:
    """The window just before a decision, if nothing could be decided in between; else the decision itself."""
    for earlier in range(at - 1, -1, -1):
        op = running.ops[earlier]
        if op.closed >= 0 or op.seat != running.ops[at].seat:
            break
        if op.step not in DUTIES and _had_choice(position, position.actor, op.step):
            return earlier if op.step in WINDOWS else at
    return at


def _had_choice(position: Position, seat: int, step: int) -> bool:
    """Whether the seat could decide something at an earlier step of its turn; rules 1 count a forced move as well."""
    moves = len(moves_at(position, seat, step))
    if not position.rulings.forced_keeps_window:
        return moves > 0
    return moves > 1 or (step == DRAW and bool(position.done[seat] & DREW))  # that may have been the last tile


def _stop(position: Position, seat: int, step: int, moves: Moves[Move], recorder: FactRecorder[Position]) -> bool:
    """The seat has a choice here, and the game waits for it."""
    recorder.record(position, AWAITS[seat][step])
    position.offer = moves
    return True


def running_program(position: Position) -> PhaseProgram:
    """The running phase as it goes in this game."""
    programs = position.programs
    if programs is None:
        programs = position.programs = {}
    key = position.chooser << 4 | position.phase
    found = programs.get(key)
    if found is None:
        live = reachable_steps(position.in_play, position.rulings)
        found = programs[key] = program(position.phase, position.chooser, position.seats, live)
    return found
