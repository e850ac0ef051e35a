"""Leaves everything that waits for an erased player: tables, offers, running games, kept seats, tournaments."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, LiteralString, NamedTuple
from uuid import UUID

import psycopg
import structlog
from psycopg import Connection

from events.errors import CabildoError
from events.store.failpoints import failpoint
from events.store.write_errors import is_broken
from projections.games.record import OPEN, RUNNING, GameRecord
from service.container import Container
from service.core.clock import SECOND
from service.core.command_handler import Request
from service.games.commands.moves import AbortGame, Resign, WithdrawOffer, abort_game, resign, withdraw_offer
from service.games.commands.seats import DeclineSeat, LeaveGame, decline_seat, leave_game
from service.tournaments import entries
from service.tournaments.tournament_repository import TournamentUnitOfWork

BATCH: Final = 200  # of each kind in a pass; the keeper does the rest
HOSTED: Final = "SELECT id FROM games WHERE host = %s AND status = 'open' AND tournament IS NULL LIMIT %s"
SEATED: Final = """
SELECT id FROM places JOIN games USING (id) WHERE places.player = %s AND NOT over AND status = ANY(%s)
    AND EXISTS (
        SELECT FROM json_array_elements(chairs) AS taken
        WHERE taken ->> 'player' = places.player AND taken ->> 'stand_in' IS NULL AND taken ->> 'forfeited' = 'false'
    )
ORDER BY id LIMIT %s
"""
OWN_BOTS: Final = "SELECT id FROM players WHERE owner = %s AND forgotten IS NULL"
KEPT: Final = "SELECT id FROM kept_seats WHERE player = %s ORDER BY id LIMIT %s"
ENTERED: Final = """
SELECT id, number FROM entries JOIN tournaments USING (id)
WHERE player = %s AND NOT gone AND status IN ('open', 'running') LIMIT %s
"""
DONE: Final = "DELETE FROM erasures WHERE player = %s AND begun < %s"
OPEN_FOR: Final = 10 * SECOND  # requests that began before the account was closed have ended by then
after_act = failpoint("erasure.after_act")
before_done = failpoint("erasure.before_done")
log = structlog.get_logger("service.players.leaving")


class FinishErasure(NamedTuple):
    """Leaves the games and tournaments that an erased account is still in."""

    player: UUID


def finish_erasure(here: Container, command: FinishErasure) -> None:
    """Leaves what is left; forgets the note once nothing is, and no earlier request can add anything."""
    if leave_everything(here, str(command.player)):
        before_done()
        with here.stores.pool.connection() as connection:
            connection.execute(DONE, (command.player, here.now() - OPEN_FOR))


def leave_everything(here: Container, player: str) -> bool:
    """Leaves all that waits for a player, each thing for itself. Returns whether nothing is left."""
    with here.stores.pool.connection() as connection:
        entered = connection.execute(ENTERED, (player, BATCH)).fetchall()
    nothing_left = _leave_games(here, player, (OPEN, RUNNING))
    withdrawn = [_succeeds(partial(_withdraw, here, id, number, Request(player))) for id, number in entered]
    return nothing_left and all(withdrawn) and len(entered) < BATCH


def leave_open_tables(here: Container, player: UUID) -> None:
    """Cancels the open tables of a player and the player's bots, leaves those of others, and declines kept seats."""
    with here.stores.pool.connection() as connection:
        bots = [id for (id,) in connection.execute(OWN_BOTS, (player,)).fetchall()]
    for account in (player, *bots):
        _leave_games(here, str(account), (OPEN,))


def _leave_games(here: Container, player: str, statuses: Sequence[str]) -> bool:
    """Leaves the games of a player that have these statuses. Returns whether nothing is left."""
    request = Request(player)
    with here.stores.pool.connection() as connection:
        hosted = _ids(connection, HOSTED, player, BATCH)
        seated = _ids(connection, SEATED, player, list(statuses), BATCH)
        kept = _ids(connection, KEPT, player, BATCH)
    acts: list[Callable[[], object]] = [
        *(partial(abort_game, here, AbortGame(game), request) for game in hosted),
        *(partial(_leave_game, here, game, request, statuses) for game in seated if game not in hosted),
        *(partial(decline_seat, here, DeclineSeat(game), request) for game in kept),
    ]
    left = [_succeeds(act) for act in acts]
    return all(left) and BATCH not in map(len, (hosted, seated, kept))


def _ids(connection: Connection, query: LiteralString, *parameters: object) -> list[UUID]:
    return [id for (id,) in connection.execute(query, parameters).fetchall()]


def _leave_game(here: Container, game: UUID, request: Request, statuses: Sequence[str]) -> None:
    """Leaves a table that waits; resigns a running game, after the player's own offer is withdrawn."""
    record: GameRecord = here.games.load(game).known
    if record.status == OPEN:
        leave_game(here, LeaveGame(game), request)
    elif record.status == RUNNING and RUNNING in statuses:
        if record.offer is not None and record.offer.seat == record.seat_of(request.actor):
            withdraw_offer(here, WithdrawOffer(game), request)
        resign(here, Resign(game), request)


def _withdraw(here: Container, tournament: UUID, number: int, request: Request) -> None:
    def decide(unit: TournamentUnitOfWork) -> None:
        entries.withdraw(unit, unit.record.entry(number))

    here.tournament_commands.execute(tournament, request, decide)


def _succeeds(act: Callable[[], object]) -> bool:
    """Returns whether an act succeeded: a stream that refuses holds up no other."""
    try:
        act()
    except CabildoError as refusal:
        log.warning("not left yet", reason=str(refusal))
        return False
    except Exception as fault:
        if isinstance(fault, psycopg.DatabaseError) and is_broken(fault):
            raise
        log.exception("not left yet")
        return False
    after_act()
    return True
