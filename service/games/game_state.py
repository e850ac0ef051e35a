"""The state of a game at one version, and its unit of work, which applies every event to record and board."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple, Protocol
from uuid import UUID

from events.event import START, Event, Head
from events.json_types import Json, JsonObject
from events.log.bundle import DATED
from projections.games.clocks_after_undo import ClockHistory
from projections.games.fold import fold
from projections.games.record import GameRecord
from projections.games.replay import CHANGES, GameSetup, apply
from projections.rules.dealer import Dealer
from projections.rules.protocol import NO_BOARD, AnyGame, Board
from projections.rules.registry import GAMES, rules_of
from service.core.unit_of_work import UnitOfWork
from service.games.decisions import chance


class GameState(NamedTuple):
    """A game at one version; the board is NO_BOARD before the start. Callers share the board and must not change it."""

    id: UUID
    record: GameRecord | None = None
    board: Board = NO_BOARD
    head: Head = START

    @property
    def known(self) -> GameRecord:
        """Returns the record of an existing game."""
        assert self.record is not None
        return self.record

    @property
    def game(self) -> AnyGame:
        """Returns the rules of the game."""
        return rules_of(self.known.game, self.known.rules)

    def after(self, events: Sequence[Event]) -> "GameState":
        """Returns the game after more events, none of which takes the board back or changes the rules."""
        record, board = self.record, self.board
        for event in events:
            record = fold(record, event)
        assert record is not None
        changes = [event for event in events if event.kind in CHANGES]
        if changes:
            played = setting(record)
            board = played.blank() if board is NO_BOARD else played.game.copy(board)
            for event in changes:
                apply(played.game, board, event)
        return GameState(self.id, record, board, events[-1].head)


def setting(record: GameRecord) -> GameSetup[Board]:
    """Returns the setup from which boards of a game are built."""
    return GameSetup(rules_of(record.game, record.rules), record.options, len(record.chairs))


class History(Protocol):
    """The events of a game and its boards at earlier versions, read as far as they are asked for."""

    def __iter__(self) -> Iterator[Event]:
        """Yields all events, oldest first."""

    def line(self, version: int) -> Iterator[Event]:
        """Yields the events that made the board at a version, newest first, without those undone by then."""

    def board(self, played: GameSetup[Board], version: int) -> Board:
        """Returns a board of its own at a version; NO_BOARD before the start."""

    def clocks(self, version: int, newest: int) -> ClockHistory:
        """Returns the clocks folded up to the newest version, from a version or before."""


class Sources(NamedTuple):
    """Data that few commands need, loaded on demand."""

    seed: Callable[[], bytes]  # the server's seed
    history: Callable[[], History]  # of the game before the unit of work
    newest_tree: Callable[[], JsonObject | None] = lambda: None  # the newest public tree, if any


class GameUnitOfWork(UnitOfWork[GameState]):
    """The events and statements of one command on a game."""

    def __init__(self, before: GameState, at: int, actor: str, sources: Sources) -> None:
        super().__init__(before, at, actor)
        self.seed = sources.seed
        self.history = cache(sources.history)  # one for all that is asked for
        self.new_seed: bytes | None = None  # encrypted and stored with the events
        self._newest_tree = sources.newest_tree

    @property
    def record(self) -> GameRecord:
        """Returns the record after the events so far."""
        return self._now.known

    @property
    def game(self) -> AnyGame:
        """Returns the rules of the game."""
        return self._now.game

    def bring_seed(self, seed: bytes) -> None:
        """Use a seed for a new game, and store it with the events."""
        self.new_seed = seed
        self.seed = lambda: seed

    def board(self) -> Board:
        """Returns the unit's own copy of the board, which the caller may change."""
        if self._now.board is self.before.board:
            self._now = self._now._replace(board=self.game.copy(self.before.board))
        return self._now.board

    def replace_board(self, board: Board) -> None:
        """Replace the current board."""
        self._now = self._now._replace(board=board)

    def dealer(self, links: Sequence[tuple[int, str]] = ()) -> Dealer:
        """Returns the dealer, with further chain links of seats; the first draw opens the seed."""

        def make() -> Dealer:
            commitments = chance.commitments_of(self.id, self.record)
            for seat, link in links:
                commitments.hear_link(seat, bytes.fromhex(link))
            return commitments.dealer(self.seed())

        return chance.LazyDealer(make)

    def write(self, kind: str, /, **data: Json) -> None:
        """Append an event; some kinds name the newest public tree, so that they cannot be backdated."""
        record = self._now.record
        tree = self._newest_tree() if kind in DATED else None
        if tree is not None:
            data["after"] = tree
        self.append(kind, data, record.rules if record else GAMES[str(data["game"])].rules)

    def _fold(self, event: Event) -> GameState:
        return self._now._replace(record=fold(self._now.record, event), head=event.head)
