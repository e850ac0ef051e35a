"""Taking moves back: one's own last move alone, others' with everybody's consent; the log keeps what was undone."""

from collections.abc import Sequence
from typing import Any, cast

from events.event import Event
from events.json_types import Json
from projections.games.clocks import NONE, Clocks
from projections.games.clocks_after_undo import ClockHistory
from projections.games.execute_move import digest
from projections.games.record import RUNNING, GameRecord
from projections.games.replay import line, position_at
from service.core.errors import NotRunning, OfferRefused, UndoRefused
from service.games.game_state import GameUnitOfWork, setting
from service.games.play import told, turn_of

TAKE_BACK = "take_back"


def undo(act: GameUnitOfWork, seat: int) -> None:
    """Take back the own last move, while nothing was drawn or revealed and nobody else has acted."""
    check_running(act.record)
    kept = line(act.history())
    last = kept[-1]
    if last.kind != "moved":
        raise UndoRefused("nothing_to_undo", "no move has been made")
    if last.data["seat"] != seat:
        raise UndoRefused("somebody_else_acted", "somebody else has acted since")
    if reveals(act, last):
        raise UndoRefused("revealed", "the move brought to light what was hidden")
    _return(act, seat, kept, kept[-2].seq, (seat,))


def reveals(act: GameUnitOfWork, event: Event) -> bool:
    """Whether an event made known to all what only one seat knew."""
    opening = {*act.game.secrets(act.record.options).values()}
    facts = cast("Sequence[Sequence[object]]", event.data["facts"])
    return any(fact[0] in opening for fact in facts)


def offer_take_back(act: GameUnitOfWork, seat: int, to: int) -> None:
    """Propose to all seats that the board returns to an earlier version."""
    check_running(act.record)
    _check_target(line(act.history()), to)
    _clocks(act, seat, to)
    make_offer(act, seat, TAKE_BACK, to)


def make_offer(act: GameUnitOfWork, seat: int, what: str, to: int | None) -> None:
    """Propose something that takes everybody's consent."""
    if act.record.offer is not None:
        raise OfferRefused("pending", "seat {seat} waits for an answer already", seat=act.record.offer.seat)
    act.write("offer_made", seat=seat, what=what, to=to)


def agreed_by_all(record: GameRecord) -> bool:
    """Whether everybody who still plays has agreed to the offer."""
    offer = record.offer
    return offer is not None and all(
        seat in offer.agreed for seat, chair in enumerate(record.seats) if chair.engine is None
    )


def take_back_as_agreed(act: GameUnitOfWork) -> None:
    """Return to where everybody has agreed to return."""
    offer = act.record.offer
    assert offer is not None
    assert offer.to is not None
    _return(act, offer.seat, line(act.history()), offer.to, offer.agreed)


def check_running(record: GameRecord) -> None:
    """Refuse with NotRunning what takes a running game."""
    if record.status != RUNNING:
        raise NotRunning(record.status)


def _return(act: GameUnitOfWork, seat: int, kept: Sequence[Event], to: int, agreed: Sequence[int]) -> None:
    _check_target(kept, to)
    clocks = _clocks(act, seat, to)
    board: Any = position_at(setting(act.record), kept, to)
    act.replace_board(board)
    stated: dict[str, Json] = {} if clocks is None else {"clocks": clocks.stated()}
    turn = turn_of(act.game, board)
    act.write(
        "undone", seat=seat, to=to, agreed=list(agreed), digest=digest(act.game, board), turn=told(turn), **stated
    )


def _clocks(act: GameUnitOfWork, seat: int, to: int) -> Clocks | None:
    """The clocks after an undo, None when none run; refuses with UndoRefused one that leaves a seat no time."""
    if act.record.clocks.setting.kind == NONE:
        return None
    clocks = ClockHistory((*act.history(), *act.events)).after_undo(to, seat, act.at)
    assert clocks is not None  # there is a move to take back
    if clocks.ran_out(act.at):
        raise UndoRefused("no_time", "the time since the move is charged to seat {seat}, and is not left", seat=seat)
    return clocks


def _check_target(kept: Sequence[Event], to: int) -> None:
    """Refuse a version without a board, and one from which something was drawn since: no draw is used twice."""
    if to not in [event.seq for event in kept[:-1]]:
        raise UndoRefused("no_such_version", "version {to} is not an earlier board of this game", to=to)
    if any(cast("Sequence[str]", event.data["drew"]) for event in kept if event.seq > to):
        raise UndoRefused("drew", "something was drawn since, and draws are not taken back")
