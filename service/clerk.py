"""The clerk keeps the order of every act: take the game in hand, let it be decided, write it down, tell the world."""

import json
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar
from uuid import UUID

from events.book import Key
from events.errors import CabildoError, StaleVersion
from service import clocks
from service.act import SERVICE, Act, Table
from service.announce import Announcer
from service.shelf import Shelf

R = TypeVar("R")
TRIES: Final = 5  # how often an act is decided anew when others are faster, and the client did not say what it saw


class Saw(NamedTuple):
    """The history a client acts upon, as far as it says so."""

    version: int | None = None
    head: bytes | None = None


class Clerk:
    """Does acts, one at a time per game; whoever is slower decides anew or is told."""

    def __init__(self, shelf: Shelf, announcer: Announcer, now: Callable[[], int]) -> None:
        self.shelf = shelf
        self._announcer = announcer
        self._now = now

    def look(self, game: UUID) -> Table:
        """A game as it stands now, after what time has decided."""
        table = self.shelf.take(game)
        if table.known.deadline is None:
            return table
        seen = self.shelf.last_seen()
        if not clocks.is_due(table.known, seen, self._now()):
            return table
        act = Act(table, self._now(), SERVICE, lambda: self.shelf.seed(game))
        clocks.settle(act, seen)
        try:
            self._put(act, None, b"")
        except StaleVersion:
            return self.look(game)  # another process saw it at the same moment
        return act.now

    def do(
        self,
        game: UUID,
        actor: str,
        decide: Callable[[Act], None],
        tell: Callable[[Act], R],
        *,
        key: Key | None = None,
        saw: Saw = Saw(),
    ) -> R:
        """Let something be decided about a game and answer what is told of it; the same key gets the same answer."""
        for tries_left in reversed(range(TRIES)):
            if key is not None and (before := self.shelf.book.answered(key)) is not None:
                return _read(before)
            try:
                table = self.look(game)
                _check(table, saw)
                return self._decide(table, actor, decide, tell, key)
            except StaleVersion:
                if not tries_left or saw != Saw():
                    raise
            except CabildoError:
                if key is not None and (before := self.shelf.book.answered(key)) is not None:
                    return _read(before)
                raise
        raise AssertionError("the last try returns or raises")

    def open(self, game: UUID, seed: bytes, actor: str, decide: Callable[[Act], None], tell: Callable[[Act], R], key: Key | None) -> R:
        """Let a game begin its existence."""
        if key is not None and (before := self.shelf.book.answered(key)) is not None:
            return _read(before)
        act = Act(Table(game), self._now(), actor, lambda: seed)
        decide(act)
        answer = tell(act)
        return self._put(act, key, answer, seed)

    def _decide(
        self, table: Table, actor: str, decide: Callable[[Act], None], tell: Callable[[Act], R], key: Key | None
    ) -> R:
        act = Act(table, self._now(), actor, lambda: self.shelf.seed(table.id))
        decide(act)
        answer = tell(act)
        return self._put(act, key, answer) if act.events else answer

    def _put(self, act: Act, key: Key | None, answer: R, seed: bytes | None = None) -> R:
        stored = b"" if key is None else json.dumps(answer).encode()
        appended = self.shelf.put(act, seed=seed, key=key, answer=stored)
        if appended.repeated:
            return _read(appended.answer)
        self._announcer.announce(act)
        return answer


def _check(table: Table, saw: Saw) -> None:
    if saw.version not in (None, table.head.seq) or saw.head not in (None, table.head.hash):
        raise StaleVersion(table.id, *table.head)


def _read(stored: bytes) -> Any:
    return json.loads(stored)
