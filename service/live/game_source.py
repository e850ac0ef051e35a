"""The events of one game as a stream, redacted for the viewer; viewers with the same view share the documents."""

import json
from collections.abc import Callable, Sequence
from typing import Final

from events.event import Event
from projections.games.record import OPEN
from projections.games.redaction import conceal
from service.games.documents import event_document
from service.games.visibility import Visibility
from service.live.event_cache import CachedStream
from service.live.protocol import Item
from service.live.pubsub import Topic

LAST: Final = "seed_revealed"  # of a game whose chance was committed to
ENDINGS: Final = frozenset(("game_ended", "game_aborted", LAST))


class GameSource:
    """The events of a game that one viewer may see."""

    def __init__(self, feed: CachedStream, visible: Visibility, closed: Callable[[], bool] = lambda: False) -> None:
        self._feed = feed
        self._sight = visible
        self._has_closed = closed  # checked before each batch: a seat or a director may have changed
        self._closed = False
        self._started = visible.record.status != OPEN
        self._ended = visible.is_over
        self._secrets = visible.secrets

    @property
    def topic(self) -> Topic:
        """The topic that wakes followers."""
        return self._feed.topic

    def after(self, number: int) -> Sequence[Item]:
        """Returns the next visible events; a spectator delay applies from the start of a game to its end."""
        items: list[Item] = []
        events, newest = self._feed.after(number), self._feed.newest()
        self._ended = self._ended or (newest is not None and newest.kind in ENDINGS)
        if events and self._sight.record.deal is not None and (self._closed or self._has_closed()):
            self._closed = True
            return items
        for event in events:
            self._started = self._started or event.kind == "game_started"
            if newest is not None and self._started and not self._ended and event.seq > newest.seq - self._sight.behind:
                break
            items.append(self._item(event))
        return items

    def is_over(self, number: int) -> bool:
        """Returns whether the viewer can get no more events."""
        if self._closed:
            return True
        newest = self._feed.newest()
        if newest is None or number < newest.seq:
            return False
        return newest.kind == LAST or (self._sight.record.imported and newest.kind in ENDINGS)

    def _item(self, event: Event) -> Item:
        eyes = (event.seq, self._sight.seat if self._secrets else None, self._ended)
        item: Item | None = self._feed.told.get(eyes)
        if item is None:
            document = conceal(event_document(event), {} if self._ended else self._secrets, self._sight.seat)
            line = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
            item = self._feed.told[eyes] = Item(event.seq, event.kind, line)
        return item
