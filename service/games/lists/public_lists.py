"""The newest public games of the first pages: one list for all visitors of a process, renewed when games change."""

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Final, Generic, NamedTuple, TypeVar
from uuid import UUID

from service.core.announce import LISTS, Announcement
from service.games.search import GameEntry
from service.live.pubsub import PubSub
from service.web.pagination import Cursor

KEPT_SECONDS: Final = 2.0  # also without a message: names change, and messages may be lost
MOST: Final = 16  # lists of a process: a few states, a few lengths
WAITS: Final = 0.5  # seconds for another thread that makes the same list; then it is made twice


class PlacedGame(NamedTuple):
    """A game of a list, and its place in the order of lists."""

    at: int
    id: UUID
    entry: GameEntry


class NewestGames(NamedTuple):
    """The newest games of a state; whether there are more."""

    games: Sequence[PlacedGame]
    more: bool

    def merged(self, own: "NewestGames", limit: int) -> "NewestGames":
        """Returns the newest games of this list and of another one, which knows more of the games in both."""
        by_id = {game.id: game for game in (*self.games, *own.games)}
        newest = sorted(by_id.values(), key=lambda game: (game.at, game.id), reverse=True)
        return NewestGames(newest[:limit], self.more or own.more or len(newest) > limit)

    @property
    def next(self) -> str | None:
        """Returns the cursor of the games that follow."""
        return Cursor(self.games[-1].at, self.games[-1].id).text() if self.more else None


List = TypeVar("List")


class _Kept(NamedTuple, Generic[List]):
    """A list, when it was made, and how often games had changed before."""

    games: List
    made: float
    changes: int


class PublicLists(Generic[List]):
    """Keeps the lists that visitors without an account see; nothing in them is of one visitor."""

    def __init__(
        self,
        pubsub: PubSub,
        make: Callable[[str, int], List],  # of a kind, and so long at most
        clock: Callable[[], float] = time.monotonic,
        kept_seconds: float = KEPT_SECONDS,
    ) -> None:
        self._pubsub = pubsub
        self._make = make
        self._clock = clock
        self._kept_seconds = kept_seconds
        self._making = threading.Lock()
        self._kept: dict[tuple[str, int], _Kept[List]] = {}
        self._changes = 0  # that this process has announced
        self._followed = ExitStack()
        self._heard: Callable[[], int] | None = None  # the number of changes that others have announced

    def note(self, news: Announcement) -> None:
        """Notes an announcement of this process, which need not wait for the others."""
        if LISTS in news.topics:
            self._changes += 1

    def newest(self, kind: str, limit: int) -> List:
        """Returns a list of a kind, such as the newest public games of a state."""
        key = (kind, limit)
        if (kept := self._fresh(key)) is not None:
            return kept
        alone = self._making.acquire(timeout=WAITS)
        try:
            return self._fresh(key) or self._renewed(key)
        finally:
            if alone:
                self._making.release()

    def close(self) -> None:
        """Follows the changes no longer."""
        self._followed.close()

    def _fresh(self, key: tuple[str, int]) -> List | None:
        kept = self._kept.get(key)
        if kept is None or kept.changes != self._number() or self._clock() - kept.made > self._kept_seconds:
            return None
        return kept.games

    def _renewed(self, key: tuple[str, int]) -> List:
        changes, made = self._number(), self._clock()
        games = self._make(*key)
        if key in self._kept or len(self._kept) < MOST:
            self._kept[key] = _Kept(games, made, changes)
        return games

    def _number(self) -> int:
        """Returns how often games have changed, here and in other processes."""
        if self._heard is None:  # not earlier: the process may fork before the first visitor
            topic = self._followed.enter_context(self._pubsub.on(LISTS))
            self._heard = lambda: topic.count
        return self._changes + self._heard()
