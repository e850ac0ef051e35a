"""The events of a tournament as a stream."""

import json
from collections.abc import Sequence
from typing import Final

from service.games.documents import event_document
from service.live.event_cache import CachedStream
from service.live.protocol import Item
from service.live.pubsub import Topic

LAST: Final = ("tournament_closed", "tournament_corrected")


class TournamentSource:
    """The public events of a tournament."""

    def __init__(self, feed: CachedStream) -> None:
        self._feed = feed

    @property
    def topic(self) -> Topic:
        """The topic that wakes followers."""
        return self._feed.topic

    def after(self, number: int) -> Sequence[Item]:
        """Returns the next events after a number."""
        return [
            Item(event.seq, event.kind, json.dumps(event_document(event), separators=(",", ":")))
            for event in self._feed.after(number)
        ]

    def is_over(self, number: int) -> bool:
        """Returns whether the tournament is over; clients connect again for a correction."""
        newest = self._feed.newest()
        return newest is not None and newest.kind in LAST and number >= newest.seq
