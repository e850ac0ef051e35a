"""The events of one game as a stream: what a viewer may see of each, made once for all who see the same."""

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
    """What one viewer hears of a game."""

    def __init__(self, feed: CachedStream, sight: Visibility, closed: Callable[[], bool] = lambda: False) -> None:
        self._feed = feed
        self._sight = sight
        self._has_closed = closed  # asked before each batch: a seat or an office may have changed hands
        self._closed = False
        self._started = sight.record.status != OPEN
        self._ended = sight.over
        self._secrets = sight.secrets

    @property
    def topic(self) -> Topic:
        """What wakes who waits for more."""
        return self._feed.topic

    def after(self, number: int) -> Sequence[Item]:
        """The next events the viewer may see; spectators may be kept behind from the start of a game to its end."""
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

    def over(self, number: int) -> bool:
        """Whether the game can have no more events for the viewer."""
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
