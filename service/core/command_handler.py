"""The clerk keeps the order of every act: take the game in hand, let it be decided, write it down, tell the world."""

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple
from uuid import UUID

from events.errors import CabildoError, StaleVersion
from events.store.protocol import IdempotencyKey
from events.store.stream_lock import StreamLock
from projections.games.record import OPEN
from service.core.announce import Announcer
from service.core.repository import Repository
from service.games import clocks
from service.games.game_state import SERVICE, GameState, UnitOfWork

Answer = dict[str, Any]


class ExpectedVersion(NamedTuple):
    """The history a client acts upon, as far as it says so."""

    version: int | None = None
    head: bytes | None = None


class Command(NamedTuple):
    """What somebody wants to happen: decided on a game in hand, and told afterwards."""

    actor: str
    decide: Callable[[UnitOfWork], None]
    tell: Callable[[UnitOfWork], Answer]
    key: IdempotencyKey | None = None
    saw: ExpectedVersion = ExpectedVersion()
    admits: Callable[[GameState], object] = lambda _table: None  # refuses who may not know how the game stands
    calls_bots: bool = True  # False: the one who acts plays for the next bot too


class CommandHandler:
    """Does one act after the other on a game; whoever is slower decides anew or is told."""

    def __init__(self, shelf: Repository, announcer: Announcer, now: Callable[[], int], turns: StreamLock) -> None:
        self.shelf = shelf
        self._turns = turns
        self._announcer = announcer
        self._now = now
        self._seen: int | None = None

    def look(self, game: UUID) -> GameState:
        """A game as it stands now, after what time has decided."""
        table = self.shelf.take(game)
        if not self._is_due(table):
            return table
        act = self._act(table, SERVICE)
        clocks.settle(act, self._last_seen())
        try:
            self._put(act, Command(SERVICE, lambda _act: None, lambda _act: {}))
        except StaleVersion:
            return self.look(game)  # another process saw it at the same moment
        return act.now

    def do(self, game: UUID, wish: Command) -> Answer:
        """Let something be decided about a game and answer what is told of it; the same key gets the same answer.

        That a request was made before is found out when what it wants is refused, or written a second time.
        """
        remembered = self.shelf.in_hand(game, wish.saw.version)
        if remembered is not None and not self._is_due(remembered):
            with suppress(CabildoError):  # what is remembered may be old: nobody is refused by it
                return self._decide(remembered, wish)
        return self._decide_anew(game, wish)

    def _decide_anew(self, game: UUID, wish: Command) -> Answer:
        """Decide on what is stored, again when somebody is faster and the client did not say what it saw."""
        return self._turns.settle(
            game,
            lambda: self._decide(self.look(game), wish),
            lambda: self._answered(wish),
            insists=wish.saw == ExpectedVersion(),
        )

    def _decide(self, table: GameState, wish: Command) -> Answer:
        wish.admits(table)
        check_seen(table, wish.saw)
        act = self._act(table, wish.actor)
        wish.decide(act)
        return self._put(act, wish)

    def open(self, game: UUID, seed: bytes | None, wish: Command) -> Answer:
        """Let a game begin its existence; without a seed, it was put away before, or the game was played elsewhere."""
        if (before := self._answered(wish)) is not None:
            return before
        sources = self.shelf.sources(game)._replace(history=tuple)
        if seed is not None:
            sources = sources._replace(seed=lambda: seed)
        act = UnitOfWork(GameState(game), self._now(), wish.actor, sources)
        wish.decide(act)
        return self._put(act, wish, seed)

    def _is_due(self, table: GameState) -> bool:
        """Whether time has something to say about a game; nobody is late while nobody can reveal yet."""
        record = table.known
        if record.deadline is None or not clocks.is_due(record, self._last_seen(), self._now()):
            return False
        sealed = record.sealed if record.status == OPEN else None
        return sealed is None or self.shelf.is_sealed(table.id, sealed)

    def _last_seen(self) -> int | None:
        """When a keeper was last at work; asked anew when what is remembered does not prove that one still is."""
        if self._seen is None or self._now() - self._seen > clocks.GRACE:
            self._seen = self.shelf.last_seen()
        return self._seen

    def _act(self, table: GameState, actor: str) -> UnitOfWork:
        return UnitOfWork(table, self._now(), actor, self.shelf.sources(table.id))

    def _answered(self, wish: Command) -> Answer | None:
        stored = self.shelf.book.answered(wish.key) if wish.key is not None else None
        return None if stored is None else _read(stored)

    def _put(self, act: UnitOfWork, wish: Command, seed: bytes | None = None) -> Answer:
        answer = wish.tell(act)
        if not act.events and not act.beside:
            return self._answered(wish) or answer
        stored = b"" if wish.key is None else json.dumps(answer).encode()
        if not act.events:
            noted = self.shelf.book.note(act.id, act.beside, key=wish.key, answer=stored)
            return _read(noted.answer) if noted.repeated else answer
        appended = self.shelf.put(act, seed=seed, key=wish.key, answer=stored)
        if appended.repeated:
            return _read(appended.answer)
        self._announcer.announce(act, calls_bots=wish.calls_bots)
        return answer


def check_seen(table: GameState, saw: ExpectedVersion) -> None:
    """Refuse with StaleVersion who saw another history."""
    if saw.version not in (None, table.head.seq) or saw.head not in (None, table.head.hash):
        raise StaleVersion(table.id, *table.head)


def _read(stored: bytes) -> Answer:
    answer: Answer = json.loads(stored)
    return answer
