"""The hub: an event is read and encoded once for all who follow, in order, without gaps, whatever each of them does."""

import json
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any, Final

import pytest

from service.core.errors import NotThere
from service.live.delivery.follower import MOST_PENDING, Follower, Following
from service.live.delivery.hub import Hub
from service.live.protocol import DEFAULT_PACE, NDJSON, SSE, Encoding, HistoryReplaced, Item, Pace, RightsChanged
from service.live.pubsub import Topic
from tests.support.running_program import PATIENCE, eventually

PLAIN: Final = Encoding(NDJSON, chunked=False)
HURRIED: Final = Pace(keep_alive=DEFAULT_PACE.keep_alive, send_seconds=0.5)


class Stream:
    """A stream that a test appends to; all its sources share it."""

    def __init__(self) -> None:
        self.topic = Topic()
        self.items: list[Item] = []
        self.reads = 0
        self.closed = 0
        self.faults: list[Exception] = []
        self.replaced = False
        self.deciding = 0  # the number of the newest item that decides who may see what
        self.over: str | None = None

    def append(self, number: int, length: int = 10) -> None:
        """Appends so many items."""
        first = len(self.items) + 1
        self.items += [
            Item(n, "added", json.dumps({"seq": n, "data": "x" * length})) for n in range(first, first + number)
        ]
        self.topic.ring()


class StreamSource:
    """The items of a stream as viewers with one key see them."""

    forgets = False
    lags: Sequence[float] = ()

    def __init__(self, stream: Stream, key: str = "all", behind: int = 0) -> None:
        self.key = stream, key
        self.topic = stream.topic
        self._stream = stream
        self._behind = behind
        self._looked = stream.deciding

    def after(self, number: int) -> Sequence[Item]:
        """The next fifty."""
        self._stream.reads += 1
        if self._stream.faults:
            raise self._stream.faults.pop()
        if self._stream.replaced:
            raise HistoryReplaced
        if self._stream.deciding > self._looked:
            raise RightsChanged
        return self._stream.items[: self.newest()][number : number + 50]

    def newest(self) -> int:
        """The number of the newest visible item."""
        return max(0, len(self._stream.items) - self._behind)

    def end(self, number: int) -> str | None:
        """Why no item can follow."""
        if self._stream.replaced:
            raise HistoryReplaced
        return self._stream.over if number >= len(self._stream.items) else None

    def close(self) -> None:
        """Counts the closed sources."""
        self._stream.closed += 1


class Reader:
    """A client of the hub."""

    def __init__(self, hub: Hub, following: Following, after: int, encoding: Encoding, pace: Pace) -> None:
        self.client, server = socket.socketpair()
        self.client.settimeout(PATIENCE)
        self.ended: list[bool] = []

        def end(again: bool) -> None:
            server.close()
            self.ended.append(again)

        hub.follow(Follower(following, server, encoding, after, end, pace), following.find())
        self.file = self.client.makefile("rb")

    def next(self, number: int) -> list[int]:
        """The numbers of so many more items."""
        found: list[int] = []
        while len(found) < number:
            line = self.file.readline()
            assert line
            if line.strip():
                found.append(json.loads(line)["seq"])
        return found

    def rest(self) -> list[dict[str, Any]]:
        """Everything until the end."""
        return [json.loads(line) for line in self.file if line.strip()]

    def close(self) -> None:
        """Hangs up."""
        self.file.close()
        self.client.close()


Open = Callable[..., Reader]


@pytest.fixture
def hub() -> Iterator[Hub]:
    """The hub of a process."""
    found = Hub()
    yield found
    found.close()
    found.join()


@pytest.fixture
def opened(hub: Hub) -> Iterator[Open]:
    """Opens a stream."""
    with ExitStack() as exits:

        def open_one(
            stream: Stream,
            after: int = 0,
            *,
            viewer: str = "all",
            find: Callable[[], Any] | None = None,
            encoding: Encoding = PLAIN,
            pace: Pace = DEFAULT_PACE,
        ) -> Reader:
            one = Reader(hub, Following(viewer, find or (lambda: StreamSource(stream))), after, encoding, pace)
            exits.callback(one.close)
            return one

        yield open_one


def test_all_get_every_item_once_and_in_order_wherever_they_began(opened: Open) -> None:
    stream = Stream()
    stream.append(200)
    begins = (0, 0, 10, 150, 199, 200, 200)
    readers = [opened(stream, after) for after in begins]
    for _ in range(100):
        stream.append(1)
    for reader, after in zip(readers, begins, strict=True):
        assert reader.next(300 - after) == [*range(after + 1, 301)]


def test_an_item_is_read_once_for_all_who_are_level(opened: Open) -> None:
    stream = Stream()
    stream.append(3)
    readers = [opened(stream, 2) for _ in range(50)]
    assert [reader.next(1) for reader in readers] == [[3]] * 50
    assert all(reader.file.readline() == b"\n" for reader in [opened(stream, 3)])  # is level, and so are all others
    reads = stream.reads
    stream.append(1)
    assert [reader.next(1) for reader in readers] == [[4]] * 50
    assert stream.reads - reads <= 3


def test_what_a_delayed_viewer_named_too_early_is_not_told_twice(opened: Open) -> None:
    stream = Stream()
    stream.append(10)

    def late() -> StreamSource:
        return StreamSource(stream, "late", behind=3)

    ahead, level = opened(stream, 9, find=late), opened(stream, 7, find=late)
    stream.append(5)
    assert level.next(5) == [8, 9, 10, 11, 12]
    assert ahead.next(3) == [10, 11, 12]


def test_rights_are_looked_up_once_for_equal_viewers_before_the_next_item(opened: Open) -> None:
    stream = Stream()
    stream.append(1)
    looks: list[str] = []

    def find(viewer: str) -> Callable[[], StreamSource]:
        def look() -> StreamSource:
            looks.append(viewer)
            if viewer == "guest" and stream.deciding:
                raise NotThere("stream", "x")
            return StreamSource(stream, "own" if viewer == "player" and stream.deciding else "all")

        return look

    readers = {
        viewer: [opened(stream, 1, viewer=viewer, find=find(viewer)) for _ in range(5)]
        for viewer in ("guest", "player", "visitor")
    }
    for of_viewer in readers.values():
        for reader in of_viewer:
            assert reader.file.readline() == b"\n"
    looks.clear()
    stream.deciding = 2
    stream.append(1)
    for reader in readers["guest"]:
        assert reader.rest() == [{"closed": "access_ended", "next": 1}]
    for reader in readers["player"] + readers["visitor"]:
        assert reader.next(1) == [2]
    assert sorted(looks) == ["guest", "player", "visitor"]


def test_a_replaced_history_ends_all_at_the_beginning(opened: Open) -> None:
    stream = Stream()
    stream.append(1)
    readers = [opened(stream) for _ in range(3)]
    assert [reader.next(1) for reader in readers] == [[1]] * 3
    stream.replaced = True
    stream.topic.ring()
    assert [reader.rest() for reader in readers] == [[{"closed": "history_replaced", "next": 0}]] * 3


def test_a_stream_goes_on_after_faults_of_the_store(opened: Open) -> None:
    stream = Stream()
    reader = opened(stream)
    assert reader.file.readline() == b"\n"
    stream.faults.append(RuntimeError("once"))
    stream.append(2)
    assert reader.next(2) == [1, 2]


def test_the_end_of_a_stream_is_told_to_those_behind_after_their_items(opened: Open) -> None:
    stream = Stream()
    stream.append(120)
    stream.over = "game_is_over"
    *items, last = opened(stream).rest()
    assert ([item["seq"] for item in items], last) == ([*range(1, 121)], {"closed": "game_is_over", "next": 120})


def test_a_slow_reader_is_told_and_closed_and_delays_no_other(opened: Open) -> None:
    stream = Stream()
    slow, fast = opened(stream, pace=HURRIED), opened(stream)
    for _ in range(200):
        stream.append(5, length=2_000)  # much more than buffers hold
    assert fast.next(1_000) == [*range(1, 1_001)]
    assert eventually(lambda: bool(slow.ended))
    *items, last = slow.rest()
    assert [item["seq"] for item in items] == [*range(1, len(items) + 1)]
    assert last == {"closed": "too_slow", "next": len(items)}
    assert len(items) < 1_000


def test_a_reader_who_pauses_gets_the_rest_from_the_store(opened: Open) -> None:
    stream = Stream()
    reader = opened(stream)
    for _ in range(100):
        stream.append(2, length=2_000)
    assert reader.next(200) == [*range(1, 201)]
    assert MOST_PENDING < 200 * 2_000  # not all of it can have waited in memory


def test_items_are_sent_in_chunks_and_as_events(opened: Open) -> None:
    stream = Stream()
    stream.over = "game_is_over"
    stream.append(1)
    chunked = opened(stream, encoding=Encoding(NDJSON, chunked=True))
    events = opened(stream, encoding=Encoding(SSE, chunked=False))
    document = stream.items[0].document
    body = f"{document}\n"
    last = '{"closed": "game_is_over", "next": 1}\n'
    assert chunked.file.read().decode() == (f"{len(body):x}\r\n{body}\r\n{len(last):x}\r\n{last}\r\n0\r\n\r\n")
    assert eventually(lambda: chunked.ended == [True])  # the connection can be used again
    assert events.file.read().decode() == f"id: 1\nevent: added\ndata: {document}\n\nevent: closed\ndata: {last}\n"
    assert eventually(lambda: events.ended == [False])


def test_sources_are_closed_when_nobody_follows(hub: Hub, opened: Open) -> None:
    stream = Stream()
    readers = [opened(stream) for _ in range(5)]
    for reader in readers:
        assert reader.file.readline() == b"\n"
    assert (len(hub), stream.closed) == (5, 4)  # one source is enough
    for reader in readers:
        reader.close()
    assert eventually(lambda: (len(hub), stream.closed) == (0, 5))
    assert eventually(lambda: not stream.topic.listeners)


def test_all_are_told_that_the_server_stops_and_those_who_come_too(hub: Hub, opened: Open) -> None:
    stream = Stream()
    stream.append(2)
    before = opened(stream)
    assert before.next(2) == [1, 2]
    hub.close()
    assert before.rest() == [{"closed": "server_is_stopping", "next": 2}]
    assert opened(stream, 1).rest() == [{"closed": "server_is_stopping", "next": 1}]
