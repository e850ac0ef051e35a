"""One thing that somebody does to a game: events are linked as they are written, record and board follow at once."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from events.event import START, Event, EventDraft, Head, compose, new_salt
from events.json_types import Json, JsonObject
from events.log.bundle import DATED
from events.store.postgres import Statement
from projections.games.fold import fold
from projections.games.record import GameRecord
from projections.games.replay import GameSetup
from projections.rules.dealer import Dealer
from projections.rules.protocol import Game
from projections.rules.registry import GAMES, rules_of
from service.games import chance

SERVICE = "service"  # the actor of what nobody in particular did


class GameState(NamedTuple):
    """A game in hand at one version. The board is None before the start; it is shared, so nobody changes it."""

    id: UUID
    record: GameRecord | None = None
    board: Any = None
    head: Head = START

    @property
    def known(self) -> GameRecord:
        """The record of a game that exists."""
        assert self.record is not None
        return self.record

    @property
    def game(self) -> Game[Any, Any]:
        """The rules it is played by: those it started with."""
        return rules_of(self.known.game, self.known.rules)


def setting(record: GameRecord) -> GameSetup[Any]:
    """What the boards of a game are laid out from."""
    return GameSetup(rules_of(record.game, record.rules), record.options, len(record.chairs))


class Sources(NamedTuple):
    """What an act may ask for; most do not, so that it is fetched only then."""

    seed: Callable[[], bytes]  # the server's seed of the game
    history: Callable[[], Sequence[Event]]  # all events of the game
    newest_tree: Callable[[], JsonObject | None] = lambda: None  # the newest one that everybody knows of, if any


class UnitOfWork:
    """What is written down for one request; kept as a whole or not at all."""

    def __init__(self, before: GameState, at: int, actor: str, sources: Sources) -> None:
        self.before = before
        self.actor = actor
        self.seed = sources.seed
        self.history = sources.history
        self._newest_tree = sources.newest_tree
        self.at = max(at, before.record.changed if before.record else 0)  # a clock set back does not turn time
        self.events: list[Event] = []
        self.beside: list[Statement] = []  # written in the same transaction: what stands beside the events
        self._now = before

    @property
    def id(self) -> UUID:
        """The game's."""
        return self.before.id

    @property
    def now(self) -> GameState:
        """The game with what has been written so far."""
        return self._now

    @property
    def record(self) -> GameRecord:
        """The record with what has been written so far."""
        return self._now.known

    @property
    def game(self) -> Game[Any, Any]:
        """The rules it is played by."""
        return self._now.game

    def board(self) -> Any:
        """A board of this act's own, to be changed."""
        if self._now.board is self.before.board:
            self._now = self._now._replace(board=self.game.copy(self.before.board))
        return self._now.board

    def lay(self, board: Any) -> None:
        """Put another board in place of the one there is."""
        self._now = self._now._replace(board=board)

    def dealer(self, links: Sequence[tuple[int, str]] = ()) -> Dealer:
        """Who deals next, after seats have shown more links of their chains; the first draw opens the seed."""

        def make() -> Dealer:
            promises = chance.promises(self.id, self.record)
            for seat, link in links:
                promises.hear_link(seat, bytes.fromhex(link))
            return promises.dealer(self.seed())

        return chance.LazyDealer(make)

    def write(self, kind: str, /, **data: Json) -> None:
        """Write an event; one that must not be dated back names the newest public tree."""
        record = self._now.record
        tree = self._newest_tree() if kind in DATED else None
        if tree is not None:
            data["after"] = tree
        rules = record.rules if record else GAMES[str(data["game"])].rules
        draft = EventDraft(kind, data, self.actor, self.at, rules)
        event = compose(self.id, self._now.head, draft, new_salt())
        self.events.append(event)
        self._now = self._now._replace(record=fold(record, event), head=event.head)
