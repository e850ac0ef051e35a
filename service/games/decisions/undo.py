"""Takes moves back: a seat's own last move alone, others by consent; the log keeps undone moves."""

from collections.abc import Sequence
from typing import cast

from events.event import Event
from events.json_types import Json
from projections.games.clocks import NONE, Clocks
from projections.games.execute_move import digest
from projections.games.record import RUNNING, GameRecord
from service.core.errors import NotRunning, OfferRefused, UndoRefused
from service.games.game_state import GameUnitOfWork, setting
from service.games.turns import turn_document, turn_of

TAKE_BACK = "take_back"


def undo(unit: GameUnitOfWork, seat: int) -> None:
    """Take back the seat's own last move. Raises UndoRefused after a draw, a revealed secret or another move."""
    check_running(unit.record)
    line = unit.history().line(unit.before.head.seq)
    last = next(line)
    if last.kind != "moved":
        raise UndoRefused("nothing_to_undo", "no move has been made")
    if last.data["seat"] != seat:
        raise UndoRefused("somebody_else_acted", "another seat has acted since")
    if reveals(unit, last):
        raise UndoRefused("revealed", "the move revealed hidden information")
    _return(unit, seat, next(line).seq, (seat,))


def reveals(unit: GameUnitOfWork, event: Event) -> bool:
    """Returns whether an event revealed a seat's secret."""
    opening = {*unit.game.secrets(unit.record.options).values()}
    facts = cast("Sequence[Sequence[object]]", event.data["facts"])
    return any(fact[0] in opening for fact in facts)


def offer_take_back(unit: GameUnitOfWork, seat: int, to: int) -> None:
    """Propose to all seats to return to an earlier version."""
    check_running(unit.record)
    _check_target(unit, to)
    _clocks(unit, seat, to)
    make_offer(unit, seat, TAKE_BACK, to)


def make_offer(unit: GameUnitOfWork, seat: int, what: str, to: int | None, seconds: int | None = None) -> None:
    """Make an offer that needs the consent of all seats. Raises OfferRefused."""
    if unit.record.offer is not None:
        raise OfferRefused("pending", "seat {seat} already waits for an answer", seat=unit.record.offer.seat + 1)
    unit.write("offer_made", seat=seat, what=what, to=to, **({} if seconds is None else {"seconds": seconds}))


def agreed_by_all(record: GameRecord) -> bool:
    """Returns whether all remaining players have agreed to the offer; programs agree to pauses."""
    offer = record.offer
    if offer is None:
        return False
    playing = {seat for seat, chair in enumerate(record.seats) if chair.engine is None}
    return (playing if offer.seconds is None else record.players_to_ask) <= {*offer.agreed}


def take_back_as_agreed(unit: GameUnitOfWork) -> None:
    """Return to the version of the accepted offer."""
    offer = unit.record.offer
    assert offer is not None
    assert offer.to is not None
    _return(unit, offer.seat, offer.to, offer.agreed)


def check_running(record: GameRecord) -> None:
    """Raises NotRunning unless the game is running."""
    if record.status != RUNNING:
        raise NotRunning(record.status)


def _return(unit: GameUnitOfWork, seat: int, to: int, agreed: Sequence[int]) -> None:
    _check_target(unit, to)
    clocks = _clocks(unit, seat, to)
    board = unit.history().board(setting(unit.record), to)
    unit.replace_board(board)
    stated: dict[str, Json] = {} if clocks is None else {"clocks": clocks.stated()}
    turn = turn_of(unit.game, board)
    unit.write(
        "undone",
        seat=seat,
        to=to,
        agreed=list(agreed),
        digest=digest(unit.game, board),
        turn=turn_document(turn),
        **stated,
    )


def _clocks(unit: GameUnitOfWork, seat: int, to: int) -> Clocks | None:
    """Returns the clocks after an undo; None without clocks. Raises UndoRefused when a seat has no time left."""
    if unit.record.clocks.setting.kind == NONE:
        return None
    history = unit.history().clocks(to, unit.before.head.seq)
    for event in unit.events:
        history.hear(event)
    clocks = history.after_undo(to, seat, unit.at)
    assert clocks is not None  # a move to take back exists
    if clocks.ran_out(unit.at):
        raise UndoRefused("no_time", "seat {seat} has less time left than has passed since the move", seat=seat + 1)
    return clocks


def _check_target(unit: GameUnitOfWork, to: int) -> None:
    """Raises UndoRefused for a version without a board, or before a draw: no draw is used twice."""
    taken = list[Event]()
    for event in unit.history().line(unit.before.head.seq):
        if event.seq <= to:
            break
        taken.append(event)
    if not taken or event.seq != to:
        raise UndoRefused("no_such_version", "version {to} is not an earlier board of this game", to=to)
    if any(event.data["drew"] for event in taken):
        raise UndoRefused("drew", "a draw was made since, and draws cannot be undone")
