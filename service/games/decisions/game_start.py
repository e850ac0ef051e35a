"""The start: reveals entropies, closes the commitments, deals and starts a game."""

from projections.games import chance
from projections.games.clocks import SECOND
from projections.games.execute_move import set_up
from projections.games.record import OPEN
from projections.games.seating import turn_order
from service.core.errors import ChanceRefused, NotAllowed
from service.games.game_state import GameUnitOfWork
from service.games.turns import turn_document, turn_of

REVEAL_WITHIN = 120 * SECOND


def reveal(unit: GameUnitOfWork, player: str, entropy: str) -> None:
    """Reveal a seat's committed entropy. Raises BrokenCommitment for a different one."""
    record = unit.record
    chair = record.chair_of(player)
    if chair is None:
        raise NotAllowed("not_seated", "you have no seat in this game")
    if record.sealed is None or record.status != OPEN:
        raise ChanceRefused("not_closed", "entropies are revealed after all commitments are in, and before the start")
    if not record.chairs[chair].unrevealed:
        raise ChanceRefused("nothing_to_reveal", "this seat has no commitment to reveal")
    promised = bytes.fromhex(record.chairs[chair].commitment or "")
    chance.check_entropy(unit.id, chair, promised, bytes.fromhex(entropy))
    unit.write("entropy_revealed", chair=chair, entropy=entropy)
    start_when_ready(unit)


def stop_waiting(unit: GameUnitOfWork) -> None:
    """Mark the late seats as absent, after the deadline for commitments or entropies."""
    for number, chair in enumerate(unit.record.chairs):
        if chair.awaited or (unit.record.sealed is not None and chair.unrevealed):
            unit.write("entropy_revealed", chair=number, entropy=None)
    start_when_ready(unit)


def start_when_ready(unit: GameUnitOfWork) -> None:
    """Close the commitments or start the game, once the seats allow it."""
    record = unit.record
    if not record.full or any(chair.awaited for chair in record.chairs):
        return
    if record.sealed is None and any(chair.unrevealed for chair in record.chairs):
        unit.write("commitments_closed", reveal_by=unit.at + REVEAL_WITHIN)
    elif not any(chair.unrevealed for chair in record.chairs):
        _start(unit)


def _start(unit: GameUnitOfWork) -> None:
    record, dealer = unit.record, unit.dealer()
    order, drew = turn_order(record.first_chair, len(record.chairs), dealer)
    board, deed = set_up(unit.game, record.options, len(record.chairs), dealer)
    data = deed.data()
    unit.replace_board(board)
    turn = turn_of(unit.game, board)
    unit.write("game_started", **{**data, "drew": [*drew, *deed.drew]}, order=list(order), turn=turn_document(turn))
