"""Streams as NDJSON and as server-sent events: items in order, keep-alives, and the reason of the end.

A client sends the last number it saw and gets all later items, stored or live, without gaps or duplicates. The server
drops no items for a slow client: when it cannot write for a while, it closes the stream with a last line that gives
the reason and the number to continue from. After `access_ended` the same client gets no more. After `texts_changed` it
reads again what it shows: an administrator hid a text. After `history_replaced` that number is 0: the database was
replaced by another copy, and what the client has seen may not be stored any more.
"""

import json
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Protocol, runtime_checkable

from events.json_types import Json
from service.live.pubsub import Topic

PIECE: Final = 16_384  # bytes in one write, unless one item is longer
TOO_SLOW, STOPPING, OVER, NO_ACCESS = "too_slow", "server_is_stopping", "game_is_over", "access_ended"
TEXTS: Final = "texts_changed"
REPLACED: Final = "history_replaced"  # by another copy of the database: the client begins again


class HistoryReplaced(Exception):
    """The store does not have (any more) what a follower has seen: the database was replaced by another copy."""


class TextsChanged(Exception):
    """An administrator hid or showed a text: a follower reads again what it shows, and goes on where it was."""


class RightsChanged(Exception):
    """The next items decide who may see what: each follower's source is looked up again before they are told."""


class Item(NamedTuple):
    """An item of a stream; numbers increase."""

    number: int
    kind: str
    document: str  # one line of JSON


class Source(Protocol):
    """The items of a stream as followers with equal rights see them."""

    @property
    def key(self) -> Hashable:
        """Sources with equal keys give the same items."""

    @property
    def topic(self) -> Topic: ...

    @property
    def forgets(self) -> bool:
        """Returns whether what it gave cannot be asked for again, so that no item of a page may be dropped."""

    @property
    def lags(self) -> Sequence[float]:
        """Seconds after a wake-up at which items may still come without another one."""

    def after(self, number: int) -> Sequence[Item]:
        """Returns the next items after a number; empty when there are none yet.

        Raises HistoryReplaced, TextsChanged or RightsChanged.
        """

    def newest(self) -> int:
        """Returns the number of the newest item that there is for these followers."""

    def end(self, number: int) -> str | None:
        """Returns why no item can follow a number; None while one can. Raises HistoryReplaced or TextsChanged."""

    def close(self) -> None:
        """Releases what the source holds, once nobody follows it."""


@runtime_checkable
class Noticing(Protocol):
    """A source that tells followers something beside its items."""

    def notice(self, number: int) -> Item:
        """Returns what is told under the number of the newest item; told again whenever it differs."""


class Form(NamedTuple):
    """A wire format of streams."""

    media_type: str
    item: Callable[[Item], str]
    sign_of_life: str
    farewell: Callable[[Mapping[str, Json]], str]


NDJSON: Final = Form(
    "application/x-ndjson",
    lambda item: f"{item.document}\n",
    "\n",
    lambda told: f"{json.dumps(told)}\n",
)
SSE: Final = Form(
    "text/event-stream",
    lambda item: f"id: {item.number}\nevent: {item.kind}\ndata: {item.document}\n\n",
    ": still here\n\n",
    lambda told: f"event: closed\ndata: {json.dumps(told)}\n\n",
)
FORMS: Final = {form.media_type: form for form in (NDJSON, SSE)}


class Pace(NamedTuple):
    """The timeouts of a stream."""

    keep_alive: float  # seconds without items before a keep-alive
    send_seconds: float  # seconds to wait for a slow client


DEFAULT_PACE: Final = Pace(keep_alive=10.0, send_seconds=5.0)


class Piece(NamedTuple):
    """Bytes of whole items, and the number of the last one."""

    data: bytes
    number: int


class Encoding(NamedTuple):
    """How the items of a connection become bytes: the form, and whether HTTP sends them in chunks."""

    form: Form
    chunked: bool

    def pieces(self, items: Sequence[Item]) -> Iterator[Piece]:
        """Yields the bytes of items: whole items up to a size in each piece."""
        batch: list[str] = []
        size, last = 0, 0
        for item in items:
            text = self.form.item(item)
            if batch and size + len(text) > PIECE:
                yield Piece(self._bytes("".join(batch)), last)
                batch, size = [], 0
            batch.append(text)
            size, last = size + len(text), item.number
        if batch:
            yield Piece(self._bytes("".join(batch)), last)

    def sign_of_life(self) -> bytes:
        """Returns the bytes of a keep-alive."""
        return self._bytes(self.form.sign_of_life)

    def farewell(self, reason: str, number: int) -> bytes:
        """Returns the last bytes: the reason, the number to continue from and the end of the HTTP body."""
        last = self._bytes(self.form.farewell({"closed": reason, "next": number}))
        return last + b"0\r\n\r\n" if self.chunked else last

    def _bytes(self, text: str) -> bytes:
        data = text.encode()
        return b"%x\r\n%s\r\n" % (len(data), data) if self.chunked else data
