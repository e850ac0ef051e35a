"""The events of one game as a stream, redacted for the viewer; viewers with the same view share the documents."""

import json
import time
from collections.abc import Callable, Sequence
from typing import Final

from events.event import Event
from projections.games.record import OPEN
from projections.games.redaction import conceal
from service.core.errors import NotThere, TableClosed
from service.games.documents import event_document
from service.games.visibility import Visibility
from service.live.event_cache import CachedStream
from service.live.protocol import NO_ACCESS, OVER, Item
from service.live.pubsub import Topic

LAST: Final = "seed_revealed"  # of a game whose chance was committed to
DECIDING: Final = frozenset(("seat_taken", "seat_left", "game_started", "player_replaced"))  # change who sees what
LOOK_AGAIN: Final = 5.0  # seconds between two looks at a table whose deal other tables share
ENDINGS: Final = frozenset(("game_ended", "game_aborted", LAST))


class GameSource:
    """The events of a game that one viewer may see."""

    def __init__(
        self, feed: CachedStream, visible: Visibility, look_again: Callable[[], Visibility] | None = None
    ) -> None:
        self._feed = feed
        self._sight = visible
        self._look_again = look_again  # when the viewer's right may have changed; raises NotThere or TableClosed
        self._looked = (visible.version, -LOOK_AGAIN)  # at which version, and when
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
        with self._feed.page(number) as events:
            return self._items(events)

    def _items(self, events: Sequence[Event]) -> Sequence[Item]:
        items: list[Item] = []
        newest = self._feed.newest()
        self._ended = self._ended or (newest is not None and newest.kind in ENDINGS)
        if self._closed or not self._may_see(events):
            return items
        for event in events:
            self._started = self._started or event.kind == "game_started"
            if newest is not None and self._started and not self._ended and event.seq > newest.seq - self._sight.behind:
                break
            items.append(self._item(event))
        return items

    def _may_see(self, events: Sequence[Event]) -> bool:
        """Looks again after events that change who sees what, and at intervals where other games decide it."""
        version, at = self._looked
        decides = any(event.seq > version and event.kind in DECIDING for event in events)
        shares = self._sight.record.deal is not None and time.monotonic() - at >= LOOK_AGAIN
        if self._look_again is None or not (decides or shares):
            return True
        self._looked = max(version, events[-1].seq if events else 0), time.monotonic()
        try:
            self._sight = self._look_again()
        except (NotThere, TableClosed):
            self._closed = True
        self._secrets = self._sight.secrets
        return not self._closed

    def end(self, number: int) -> str | None:
        """Returns why the viewer can get no more events."""
        if self._closed:
            return NO_ACCESS
        newest = self._feed.newest()
        if newest is None or number < newest.seq:
            return None
        over = newest.kind == LAST or (self._sight.record.imported and newest.kind in ENDINGS)
        return OVER if over else None

    def _item(self, event: Event) -> Item:
        eyes = (event.seq, self._sight.seat if self._secrets else None, self._ended)

        def make() -> Item:
            document = conceal(event_document(event), {} if self._ended else self._secrets, self._sight.seat)
            return Item(event.seq, event.kind, json.dumps(document, ensure_ascii=False, separators=(",", ":")))

        return self._feed.document(eyes, make)
