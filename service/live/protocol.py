"""Streams as NDJSON and as server-sent events: items in order, keep-alives, and the reason of the end.

A client sends the last number it saw and gets all later items, stored or live, without gaps or duplicates. The server
drops no items for a slow client: when it cannot write for a while, it closes the stream with a last line that gives
the reason and the number to continue from. After `access_ended` the same client gets no more. After `texts_changed` it
reads again what it shows: an administrator hid a text. After `history_replaced` that number is 0: the database was
replaced by another copy, and what the client has seen may not be stored any more.
"""

import json
import select
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final, NamedTuple, Protocol

from events.json_types import Json
from service.core.errors import AccessEnded
from service.live.pubsub import Topic

PIECE: Final = 16_384  # bytes in one write, unless one item is longer
RESERVE: Final = 131_072  # SO_SNDBUF in bytes; the socket is writable while a third is free
HANG_UP: Final = getattr(select, "POLLRDHUP", 0)  # where the system tells; elsewhere a write fails at last
TOO_SLOW, STOPPING, OVER, NO_ACCESS = "too_slow", "server_is_stopping", "game_is_over", "access_ended"
TEXTS: Final = "texts_changed"
REPLACED: Final = "history_replaced"  # by another copy of the database: the client begins again


class HistoryReplaced(Exception):
    """The store does not have (any more) what a follower has seen: the database was replaced by another copy."""


class TextsChanged(Exception):
    """An administrator hid or showed a text: a follower reads again what it shows, and goes on where it was."""


class Item(NamedTuple):
    """An item of a stream; numbers increase."""

    number: int
    kind: str
    document: str  # one line of JSON


class Source(Protocol):
    """The source of a stream's items."""

    @property
    def topic(self) -> Topic: ...

    def after(self, number: int) -> Sequence[Item]:
        """Returns the next items after a number; empty when there are none yet."""

    def end(self, number: int) -> str | None:
        """Returns why no item can follow a number; None while one can."""


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


class SendBuffer:
    """The send buffer of a connection; without a socket it always has room."""

    def __init__(self, connection: socket.socket | None) -> None:
        self._poll = self._left = None
        if connection is not None:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, RESERVE)
            self._poll = select.poll()
            self._poll.register(connection, select.POLLOUT)
            self._left = select.poll()
            self._left.register(connection, HANG_UP)

    def within(self, seconds: float) -> bool:
        """Returns whether there is room within so many seconds."""
        return self._poll is None or bool(self._poll.poll(seconds * 1000))

    def hung_up(self) -> bool:
        """Returns whether the client has closed the connection."""
        return self._left is not None and bool(self._left.poll(0))


DEFAULT_PACE: Final = Pace(keep_alive=10.0, send_seconds=5.0)


def stream(
    source: Source,
    after: int,
    form: Form,
    room: SendBuffer,
    closing: Callable[[], bool],
    pace: Pace = DEFAULT_PACE,
) -> Iterator[bytes]:
    """Yields the bytes of a stream until its end, a stop of the server, a slow reader or a replaced history."""
    reason = ""
    try:
        for batch in _batches(follow(source, after, lambda: closing() or room.hung_up(), pace.keep_alive)):
            if not room.within(pace.send_seconds):
                reason = TOO_SLOW
                break
            yield ("".join(map(form.item, batch)) or form.sign_of_life).encode()
            after = batch[-1].number if batch else after
    except HistoryReplaced:
        reason, after = REPLACED, 0
    except TextsChanged:
        reason = TEXTS
    reason = reason or (STOPPING if closing() else source.end(after) or OVER)
    yield form.farewell({"closed": reason, "next": after}).encode()


def follow(source: Source, after: int, closing: Callable[[], bool], keep_alive: float) -> Iterator[Sequence[Item]]:
    """Yields the items after a number as they come; an empty batch at once and after each silence."""
    last_sent = -keep_alive
    while not closing():
        seen = source.topic.count
        items = source.after(after)
        if items:
            after = items[-1].number
        elif source.end(after):
            return
        elif (left := last_sent + keep_alive - time.monotonic()) > 0:
            source.topic.wait(seen, left)
            continue
        last_sent = time.monotonic()
        yield items


def long_poll(source: Source, after: int, seconds: float, closing: Callable[[], bool]) -> Sequence[Item]:
    """Returns the next items after a number; waits up to some seconds for the first (long poll). Raises AccessEnded."""
    until = time.monotonic() + seconds
    while True:
        seen = source.topic.count
        items: Sequence[Item] = ()
        with suppress(HistoryReplaced):  # a page cannot say so: it is empty, and the client reads from the start
            try:
                items = source.after(after)
            except TextsChanged:
                return items
            if items:
                return items
            if (end := source.end(after)) == NO_ACCESS:
                raise AccessEnded
            if end:
                return items
        left = until - time.monotonic()
        if left <= 0 or closing():
            return items
        source.topic.wait(seen, left)


def _batches(pages: Iterable[Sequence[Item]]) -> Iterator[Sequence[Item]]:
    """Yields batches of whole items up to a size; one empty batch for each page without items."""
    for items in pages:
        batch: list[Item] = []
        size = 0
        for item in items:
            if batch and size + len(item.document) > PIECE:
                yield batch
                batch, size = [], 0
            batch.append(item)
            size += len(item.document)
        yield batch
