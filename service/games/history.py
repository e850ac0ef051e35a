"""The history of one game, read in pages from the end: the events of a board, and boards at earlier versions."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final
from uuid import UUID

import structlog

from events.event import Event
from projections.games.clocks_after_undo import ClockHistory
from projections.games.execute_move import digest
from projections.games.replay import CHANGES, GameSetup, apply, returns_to
from projections.games.rules_versions import board_under_rules
from projections.rules.protocol import NO_BOARD, Board
from service.games.game_state import GameState

PAGE: Final = 256  # events read at once
MOST_EVENTS: Final = 2**31
ReadEvents = Callable[[int, int], Iterable[Event]]  # after a version, so many at most
FindKept = Callable[[int], GameState | None]  # the newest kept board at a version or before
log = structlog.get_logger("service.games.history")


class GameHistory:
    """Walks back from a version over what was undone, no further than to the nearest kept board."""

    def __init__(self, game: UUID, read: ReadEvents, kept: FindKept = lambda _version: None) -> None:
        self._game = game
        self._read = read
        self._kept = kept
        self._events: dict[int, Event] = {}
        self._known: GameState | None = None

    def knowing(self, state: GameState, events: Sequence[Event]) -> "GameHistory":
        """Returns the same history with a state and events that need not be read."""
        history = GameHistory(self._game, self._read, self._kept)
        history._known = state
        history._events = {event.seq: event for event in events}
        return history

    def __iter__(self) -> Iterator[Event]:
        """Yields all events, oldest first."""
        return iter(self._read(0, MOST_EVENTS))

    def event(self, seq: int) -> Event:
        """Returns an event; raises KeyError for one that is not stored."""
        if seq not in self._events:
            page = (seq - 1) // PAGE * PAGE
            self._events.update((event.seq, event) for event in self._read(page, PAGE))
        return self._events[seq]

    def line(self, version: int) -> Iterator[Event]:
        """Yields the events that made the board at a version, newest first, without those undone by then."""
        while version > 0:
            event = self.event(version)
            earlier = returns_to(event)
            if earlier is None and event.kind in CHANGES:
                yield event
            version = version - 1 if earlier is None else earlier

    def board(self, played: GameSetup[Board], version: int) -> Board:
        """Returns a board of its own at a version; NO_BOARD before the start.

        A kept board that leads to another one than the newest move records is left out.
        """
        board = self._board(played, version, self._base)
        newest = next(self.line(version), None)
        if newest is None or newest.rules != played.game.rules:
            return board
        if board is not NO_BOARD and digest(played.game, board) == newest.data["digest"]:
            return board
        log.warning("kept board differs from the events", game=str(self._game), version=version)
        return self._board(played, version, lambda _version: GameState(self._game))

    def clocks(self, version: int, newest: int) -> ClockHistory:
        """Returns the clocks folded up to the newest version, from the nearest kept record before a version."""
        base = self._base(version)
        events = (self.event(seq) for seq in range(base.head.seq + 1, newest + 1))
        return ClockHistory(events, base.record)

    def _board(self, played: GameSetup[Board], version: int, base_at: Callable[[int], GameState]) -> Board:
        base, changes = base_at(version), list[Event]()
        while version > base.head.seq:
            event = self.event(version)
            earlier = returns_to(event)
            if earlier is None and event.kind in CHANGES:
                changes.append(event)
            version = version - 1 if earlier is None else earlier
            if version < base.head.seq:
                base = base_at(version)
        if base.board is NO_BOARD and not changes:
            return NO_BOARD
        board = self._begun(played, base)
        for event in reversed(changes):
            apply(played.game, board, event)
        return board

    def _begun(self, played: GameSetup[Board], base: GameState) -> Board:
        """Returns a copy of a kept board under the rules that are asked for."""
        if base.board is NO_BOARD:
            return played.blank()
        if base.known.rules == played.game.rules:
            return played.game.copy(base.board)
        return board_under_rules(played.game, base.board)

    def _base(self, version: int) -> GameState:
        """Returns the newest known or kept state at a version or before; else the state before the first event."""
        known = self._known
        if known is not None and known.head.seq <= version and version - known.head.seq < PAGE:
            return known
        kept = self._kept(version) or GameState(self._game)
        return known if known is not None and kept.head.seq < known.head.seq <= version else kept


def history_of(game: UUID, events: Sequence[Event]) -> GameHistory:
    """Returns the history of a game whose events are at hand."""
    return GameHistory(game, lambda after, limit: events[after : after + limit])
