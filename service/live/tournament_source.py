"""The events of a tournament as a stream."""

import json
from collections.abc import Callable, Hashable, Sequence
from typing import Final
from uuid import UUID

from events.event import Event
from service.games.documents import event_document
from service.live.event_cache import CachedStream, EventCache
from service.live.protocol import OVER, Item, RightsChanged
from service.live.pubsub import Topic
from service.tournaments.tournament_repository import TournamentState

DECIDING: Final = "director_relieved"
LAST: Final = ("tournament_closed", "tournament_corrected")


class TournamentSource:
    """The events of a tournament; all its readers see the same."""

    forgets = False
    lags: Sequence[float] = ()

    def __init__(self, cache: EventCache, feed: CachedStream, looked: int) -> None:
        self._cache = cache
        self._feed = feed
        self._looked = looked  # the version at which the reader's access was decided

    @property
    def key(self) -> Hashable:
        """Sources with equal keys give the same items."""
        return self._feed, TournamentSource

    @property
    def topic(self) -> Topic:
        """The topic that wakes followers."""
        return self._feed.topic

    def close(self) -> None:
        """Releases the cached events."""
        self._cache.leave(self._feed)

    def after(self, number: int) -> Sequence[Item]:
        """Returns the next events; raises RightsChanged before one after which a director may see the draft no more."""
        events = self._feed.after(number)
        if any(event.seq > self._looked and event.kind == DECIDING for event in events):
            raise RightsChanged
        return [_item(event) for event in events]

    def newest(self) -> int:
        """Returns the version of the tournament."""
        newest = self._feed.newest()
        return 0 if newest is None else newest.seq

    def end(self, number: int) -> str | None:
        """Returns why no event can follow; clients connect again for a correction."""
        newest = self._feed.newest()
        return OVER if newest is not None and newest.kind in LAST and number >= newest.seq else None


def tournament_source(
    cache: EventCache,
    tournament: UUID,
    load: Callable[[], TournamentState],
    make: Callable[[EventCache, CachedStream, int], TournamentSource] = TournamentSource,
) -> TournamentSource:
    """Returns the events of a tournament; `load` raises NotThere when the reader has no access."""
    feed = cache.enter(tournament)
    try:
        state = load()
    except BaseException:
        cache.leave(feed)
        raise
    return make(cache, feed, state.head.seq)


def _item(event: Event) -> Item:
    return Item(event.seq, event.kind, json.dumps(event_document(event), separators=(",", ":")))
