"""A game as one viewer may see it: version, seat, hidden facts."""

from collections.abc import Mapping
from typing import NamedTuple
from uuid import UUID

from events.event import Event
from events.json_types import JsonObject
from projections.games.record import ABORTED, FINISHED, RUNNING, GameRecord
from projections.games.redaction import conceal
from projections.rules.protocol import NO_BOARD, AnyGame, Board
from service.core.errors import NotAllowed, NotThere
from service.games import access
from service.games.documents import event_document
from service.games.game_repository import GameRepository
from service.games.game_state import GameState
from service.games.shared_deals import SharedDeals

ALL = "all"  # sees everything; only after the end of the game


class Visibility(NamedTuple):
    """A game as one viewer may see it."""

    table: GameState  # at the newest visible version
    seat: int | None  # the viewer's own; None for a spectator
    behind: int  # the spectators' delay in events

    @property
    def record(self) -> GameRecord:
        """Returns the record of the game."""
        return self.table.known

    @property
    def game(self) -> AnyGame:
        """Returns the rules of the game."""
        return self.table.game

    @property
    def secrets(self) -> Mapping[str, str]:
        """Returns the facts that only their own seat may know now."""
        return {} if self.is_over or self.record.imported else self.game.secrets(self.record.options)

    @property
    def version(self) -> int:
        """Returns the newest visible version."""
        return self.table.head.seq

    @property
    def is_over(self) -> bool:
        """Returns whether the game has ended, so that nothing is hidden any more."""
        return self.record.status in (FINISHED, ABORTED)

    @property
    def is_for_all(self) -> bool:
        """Returns whether every visitor may see the whole game, which changes no more."""
        return self.is_over and self.record.visibility == "public" and self.record.deal is None

    @property
    def board(self) -> Board:
        """Returns the board. Raises NotThere before the start."""
        if self.table.board is NO_BOARD:
            raise NotThere("board yet, for the game has not started:", self.table.id)
        return self.table.board


def visible_game(games: GameRepository, deals: SharedDeals, game: UUID, player: str | None) -> Visibility:
    """Returns the newest state of a game as a player (None: a visitor) may see it. Raises the errors of `look`."""
    return visibility_of(games, deals, games.load(game), player)


def visibility_of(games: GameRepository, deals: SharedDeals, table: GameState, player: str | None) -> Visibility:
    """Returns a game as a player (None: a visitor) may see it. Raises NotThere or TableClosed."""
    access.see(deals, table, player)
    record = table.known
    if player is not None and record.chair_of(player) is not None:
        return Visibility(table, record.seat_of(player), 0)
    if record.spectator_delay and record.status == RUNNING:
        table = _earlier(games, table, table.head.seq - record.spectator_delay)
    return Visibility(table, None, record.spectator_delay)


def _earlier(games: GameRepository, table: GameState, version: int) -> GameState:
    """Returns a game at a version, but not before its first event."""
    return games.at(table.id, max(version, 1))


def events_seen(games: GameRepository, visible: Visibility, after: int, limit: int | None = None) -> list[Event]:
    """Returns the visible events, oldest first."""
    left = visible.version - after
    if left <= 0:
        return []
    return list(games.store.read(visible.table.id, after, left if limit is None else min(left, limit)))


def visible_event(visible: Visibility, event: Event) -> JsonObject:
    """Returns an event as the viewer may see it."""
    return conceal(event_document(event), visible.secrets, visible.seat)


def viewer(visible: Visibility, eyes: str | None) -> int | str | None:
    """Returns the requested point of view: a seat, a spectator (None) or all seats at once (ALL).

    Raises NotAllowed for another seat's view while the game hides facts.
    """
    if eyes is None:
        return visible.seat
    wished = ALL if eyes == ALL else int(eyes)
    if wished != ALL and wished not in range(len(visible.record.chairs)):
        raise NotThere("seat", eyes)
    if wished == visible.seat or visible.is_over or not visible.game.view(visible.board, None)["hides"]:
        return wished
    raise NotAllowed("not_your_seat", "while the game runs, you cannot view it as another seat")
