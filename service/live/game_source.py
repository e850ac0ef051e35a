"""The events of one game as a stream, redacted for the viewer; viewers with the same view share the documents."""

import json
import time
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple
from uuid import UUID

from events.event import Event
from projections.games.record import OPEN
from projections.games.redaction import conceal
from service.games.documents import event_document
from service.games.game_repository import GameRepository
from service.games.shared_deals import SharedDeals
from service.games.visibility import Visibility, visibility_of
from service.live.event_cache import CachedStream, EventCache
from service.live.protocol import OVER, Item, RightsChanged
from service.live.pubsub import Topic

LAST: Final = "seed_revealed"  # of a game whose chance was committed to
DECIDING: Final = frozenset(("seat_taken", "seat_left", "game_started", "player_replaced"))  # change who sees what
LOOK_AGAIN: Final = 5.0  # seconds between two looks at a table whose deal other tables share
ENDINGS: Final = frozenset(("game_ended", "game_aborted", LAST))


class GameSource:
    """The events of a game that viewers with the same seat and the same delay may see."""

    forgets = False
    lags: Sequence[float] = ()

    def __init__(self, cache: EventCache, feed: CachedStream, visible: Visibility, looked: int) -> None:
        self._cache = cache
        self._feed = feed
        self._sight = visible
        self._looked = looked  # the version of the game at which its visibility was decided
        self._looked_at = time.monotonic()
        self._started = visible.record.status != OPEN
        self._start: int | None = None  # the event that started the game, where the source has read it
        self._ended = visible.is_over

    @property
    def key(self) -> Hashable:
        """Sources with equal keys give the same items."""
        return self._feed, type(self), self._sight.seat, self._sight.behind

    @property
    def topic(self) -> Topic:
        """The topic that wakes followers."""
        return self._feed.topic

    def close(self) -> None:
        """Releases the cached events."""
        self._cache.leave(self._feed)

    def after(self, number: int) -> Sequence[Item]:
        """Returns the next visible events; a spectator delay applies from the start of a game to its end.

        Raises RightsChanged before events that change who sees what, and at intervals where other games decide it.
        """
        with self._feed.page(number) as events:
            newest = self._feed.newest()
            self._ended = self._ended or (newest is not None and newest.kind in ENDINGS)
            self._check_rights(events)
            return [self._item(event) for event in events if newest is not None and self._shows(event, newest.seq)]

    def newest(self) -> int:
        """Returns the number of the newest visible event."""
        newest = self._feed.newest()
        if newest is None:
            return 0
        return newest.seq - self._sight.behind if self._is_started(newest.seq) and not self._ended else newest.seq

    def end(self, number: int) -> str | None:
        """Returns why the viewers can get no more events."""
        newest = self._feed.newest()
        if newest is None or number < newest.seq:
            return None
        over = newest.kind == LAST or (self._sight.record.imported and newest.kind in ENDINGS)
        return OVER if over else None

    @property
    def _secrets(self) -> Mapping[str, str]:
        return {} if self._ended else self._sight.secrets

    def _shows(self, event: Event, newest: int) -> bool:
        if event.kind == "game_started":
            self._start = event.seq
        return self._ended or not self._is_started(event.seq) or event.seq <= newest - self._sight.behind

    def _is_started(self, seq: int) -> bool:
        return self._started or (self._start is not None and seq >= self._start)

    def _check_rights(self, events: Sequence[Event]) -> None:
        decides = any(event.seq > self._looked and event.kind in DECIDING for event in events)
        shares = self._sight.record.deal is not None and time.monotonic() - self._looked_at >= LOOK_AGAIN
        if decides or shares:
            raise RightsChanged

    def _item(self, event: Event) -> Item:
        eyes = (event.seq, self._sight.seat if self._sight.secrets else None, self._ended)

        def make() -> Item:
            document = conceal(event_document(event), self._secrets, self._sight.seat)
            return Item(event.seq, event.kind, json.dumps(document, ensure_ascii=False, separators=(",", ":")))

        return self._feed.document(eyes, make)


class SeenGame(NamedTuple):
    """What a source of a game is made from."""

    feed: CachedStream
    visible: Visibility
    looked: int


@contextmanager
def seen_game(
    cache: EventCache, games: GameRepository, deals: SharedDeals, game: UUID, player: str | None
) -> Iterator[SeenGame]:
    """Yields a game as a player (None: a visitor) may see it now, for a source. Raises NotThere or TableClosed."""
    feed = cache.enter(game)
    try:
        table = games.load(game)
        yield SeenGame(feed, visibility_of(games, deals, table, player), table.head.seq)
    except BaseException:
        cache.leave(feed)
        raise


def game_source(
    cache: EventCache, games: GameRepository, deals: SharedDeals, game: UUID, player: str | None
) -> GameSource:
    """Returns the events of a game that a player may see. Raises NotThere or TableClosed."""
    with seen_game(cache, games, deals, game, player) as seen:
        return GameSource(cache, *seen)
