"""The events of a tournament as a stream."""

import json
from collections.abc import Callable, Sequence
from typing import Final

from events.event import Event
from service.games.documents import event_document
from service.live.event_cache import CachedStream
from service.live.protocol import NO_ACCESS, OVER, Item
from service.live.pubsub import Topic

DECIDING: Final = "director_relieved"
LAST: Final = ("tournament_closed", "tournament_corrected")


class TournamentSource:
    """The events of a tournament for one reader."""

    def __init__(self, feed: CachedStream, may_see: Callable[[], bool]) -> None:
        self._feed = feed
        self._may_see = may_see  # only directors see a draft
        self._judged = 0
        self._gone = False

    @property
    def topic(self) -> Topic:
        """The topic that wakes followers."""
        return self._feed.topic

    def after(self, number: int) -> Sequence[Item]:
        """Returns the next events after a number; none once the reader has lost access."""
        events = self._feed.after(number)
        if any(event.seq > self._judged and event.kind == DECIDING for event in events):
            self._judged = events[-1].seq
            self._gone = self._gone or not self._may_see()
        return [] if self._gone else [_item(event) for event in events]

    def end(self, number: int) -> str | None:
        """Returns why no event can follow; clients connect again for a correction."""
        if self._gone:
            return NO_ACCESS
        newest = self._feed.newest()
        return OVER if newest is not None and newest.kind in LAST and number >= newest.seq else None


def _item(event: Event) -> Item:
    return Item(event.seq, event.kind, json.dumps(event_document(event), separators=(",", ":")))
