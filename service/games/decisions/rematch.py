"""Rematches: the same table for the same players, once for each game."""

from typing import NamedTuple
from uuid import UUID

from psycopg import Connection

from projections.games.chance import ChanceLevel
from projections.games.record import ABORTED, BOT, FINISHED, Chair, GameRecord
from service.core.errors import NotAllowed
from service.games.decisions.proposals import ME, Proposal
from service.games.game_state import GameState

EXISTING = "SELECT rematch FROM rematches WHERE game = %s"
STANDING = "SELECT id, host FROM games WHERE id = %s AND status IN ('open', 'running')"


class StandingRematch(NamedTuple):
    """The rematch of a game, and the player who opened it."""

    game: UUID
    host: str


def proposal(table: GameState, player: str) -> Proposal:
    """Returns a player's proposal for the rematch of a game. Raises NotAllowed."""
    record = table.known
    if record.status not in (FINISHED, ABORTED):
        raise NotAllowed("not_over", "a rematch requires a finished game")
    if record.chair_of(player) is None:
        raise NotAllowed("not_seated", "only players of the game can ask for a rematch")
    return Proposal(
        game=record.game,
        options=record.options,
        seats=[_seat(chair, player) for chair in record.chairs],
        clock=record.clocks.setting,
        rated=record.rated,
        visibility=record.visibility,
        level=None if record.rated and record.level == ChanceLevel.DECLARED else record.level,
        first_chair=_next_first(record),
        leaver=record.leaver,
        spectator_delay=record.spectator_delay,
        rematch_of=str(table.id),
        silent=record.silent,
        pauses=record.pauses,
    )


def existing(connection: Connection, game: UUID) -> UUID | None:
    """Returns the rematch of a game, if it exists."""
    row = connection.execute(EXISTING, (game,)).fetchone()
    return UUID(str(row[0])) if row else None


def standing_rematch(connection: Connection, game: UUID) -> StandingRematch | None:
    """Returns the rematch of a game while it is open or played; None without one."""
    again = existing(connection, game)
    row = connection.execute(STANDING, (again,)).fetchone()
    return StandingRematch(*row) if row else None


def _seat(chair: Chair, player: str) -> str:
    if chair.bot is not None:
        return BOT + chair.bot
    if chair.player is None:
        return "open"
    return ME if chair.player == player else chair.player


def _next_first(record: GameRecord) -> int | None:
    """Returns the chair after the previous starter."""
    return (record.order[0] + 1) % len(record.chairs) if record.order else record.first_chair
