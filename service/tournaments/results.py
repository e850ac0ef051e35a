"""Records the results of games in their tournament: each once, with the event that ended the game as proof."""

from typing import Any, Final, NamedTuple, cast
from uuid import UUID

import structlog
from psycopg.errors import LockNotAvailable

from events.errors import CabildoError
from events.event import Event
from events.json_types import JsonObject
from events.store.failpoints import failpoint
from projections.games.record import FINISHED
from projections.rules.protocol import Board
from projections.tournaments.record import STARTED
from service.container import Container
from service.core.command_handler import BY_SERVICE
from service.core.errors import NotThere
from service.games.commands.settle import settled_game
from service.games.game_state import GameState
from service.tournaments.commands.upkeep import RecordResult, record_result

OVER: Final = ("game_ended", "game_aborted")
LAST_EVENTS: Final = 4  # the end of a game is among them
log = structlog.get_logger("service.tournaments.results")
between_results = failpoint("tournament.between_results")


class Ended(NamedTuple):
    """The end of a game."""

    table: GameState
    event: Event


def collect(here: Container, tournament: UUID) -> None:
    """Record the results of all finished or aborted games of the current round."""
    current = here.tournaments.load(tournament).known.round
    if current is None or current.status != STARTED:
        return
    for table in current.tables:
        if table.game is not None and table.proof is None:
            ended = _ended(here, UUID(table.game))
            if ended is not None:
                result = RecordResult(tournament, current.number, table.number, ended.event.kind, ended_data(ended))
                record_result(here, result, BY_SERVICE)
                between_results()


def _ended(here: Container, game: UUID) -> Ended | None:
    """Returns the end of a game; None while it runs or before its creation."""
    try:
        table = settled_game(here, game)
    except NotThere:
        return None
    except (CabildoError, LockNotAvailable) as problem:  # the other tables go on; the duty for time lists the game
        log.warning("game cannot be settled", game=str(game), reason=str(problem))
        return None
    if table.known.result is None:
        return None
    last = here.games.store.read(game, max(0, table.head.seq - LAST_EVENTS))
    return next((Ended(table, event) for event in last if event.kind in OVER), None)


def ended_data(ended: Ended) -> JsonObject:
    """Returns the tournament event's data on the end of a game; seats are in turn order."""
    record, event = ended.table.known, ended.event
    where: dict[str, Any] = {"version": event.seq, "head": event.hash.hex(), "cause": event.data["cause"]}
    if record.status != FINISHED:
        return where
    data = cast(dict[str, Any], event.data)
    absent = [seat for seat, chair in enumerate(record.seats) if chair.absent]
    never_came: dict[str, Any] = {"absent": absent} if absent else {}
    return (
        where
        | never_came
        | {
            "points": list(data["points"]),
            "tie_break": list(data["tie_break"]),
            "places": list(data["places"]),
            "forfeited": [
                seat for seat, chair in enumerate(record.seats) if chair.forfeited is not None or chair.absent
            ],
            "ends": list(ends_of(ended.table.game, ended.table.board, data["cause"])),
        }
    )


def ends_of(game: Any, board: Board, cause: str) -> tuple[str, ...]:
    """Returns the end conditions that the rules of the game name, or else the cause."""
    named = game.document(board).get("ends")
    return tuple(named) if named else (cause,)
