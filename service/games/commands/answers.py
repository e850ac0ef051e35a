"""The answer of commands on games."""

from service.container import Container
from service.core.command_handler import Answer
from service.games.game_state import GameUnitOfWork
from service.games.turns import turn_document
from service.games.visibility import Visibility, visible_event


def appended_document(here: Container, unit: GameUnitOfWork) -> Answer:
    """Returns the first event of a command, the state after all its events, and the receipt."""
    first = unit.events[0]
    return {
        "event": visible_event(Visibility(unit.now, unit.record.seat_of(first.actor), 0), first),
        "version": unit.now.head.seq,
        "head": unit.now.head.hash.hex(),
        "status": unit.record.status,
        "turn": turn_document(unit.record.turn),
        "receipt": here.receipts.sign(unit.id, first.head, unit.now.head, unit.at),
    }
