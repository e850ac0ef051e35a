"""Access to games: public and unlisted ones are open, private ones only to their host and players."""

from uuid import UUID

from projections.games.record import PLAYER, RUNNING, GameRecord
from service.core.errors import NotAllowed, NotThere
from service.games.game_state import GameState
from service.games.shared_deals import SharedDeals
from service.tournaments.tournament_repository import TournamentRepository


def may_see(record: GameRecord, player: str | None) -> bool:
    """Returns whether a player (None: a visitor) may see a game."""
    if record.visibility != "private":
        return True
    if player is None:
        return False
    return player == record.host or any(player == c.player or c.kept_for == PLAYER + player for c in record.chairs)


def see(deals: SharedDeals, table: GameState, player: str | None) -> None:
    """Raises NotThere when the player may not see the game, TableClosed while its shared deal is being played."""
    _know(table, player)
    deals.need_open(table, player)


def seat_of(table: GameState, player: str) -> int:
    """Returns the seat of a player in a started game. Raises NotThere or NotAllowed."""
    _know(table, player)
    record = table.known
    seat = record.seat_of(player)
    if seat is None:
        raise NotAllowed("not_seated", "you have no seat in this game")
    if record.chair_at(seat).stand_in is not None:
        raise NotAllowed("gone", "you have left this game; a bot plays on")
    return seat


def leads(tournaments: TournamentRepository, record: GameRecord, player: str) -> bool:
    """Returns whether a player is the host of a game, or directs its tournament."""
    if record.host == player:
        return True
    return record.tournament is not None and tournaments.load(UUID(record.tournament)).known.directs(player)


def may_abort_as_maker(record: GameRecord, player: str) -> bool:
    """Returns whether a running game concerns its maker alone, and the player is the maker and plays no seat."""
    seat = record.seat_of(player)
    plays = seat is not None and record.chair_at(seat).engine is None
    return record.status == RUNNING and record.host == player and record.concerns_maker_alone and not plays


def _know(table: GameState, player: str | None) -> None:
    if not may_see(table.known, player):
        raise NotThere("game", table.id)
