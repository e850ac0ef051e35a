"""Whoever follows a stream gets every event once and in order, whatever becomes of the wake-ups."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from uuid import UUID

import pytest
import redis

from deploy.local.processes import Process
from deploy.local.stores import EmbeddedRedis
from events.event import Event
from events.store.connections import open_pool
from events.store.postgres import PostgresStore
from service.live.document_cache import KEPT_SECONDS, DocumentCache
from service.live.event_cache import KEPT, MOST_BEHIND, CachedStream, EventCache
from service.live.protocol import Item
from service.live.pubsub import BREATH, PubSub, Topic
from service.live.wake_channels import WakeChannels, channel_of
from tests.support.events.examples import a_game, next_move
from tests.support.running_program import eventually

IN_TIME = 60.0
NEVER = 1e9  # seconds between two polls


@pytest.fixture
def book(database: str) -> Iterator[PostgresStore]:
    """An empty book."""
    with open_pool(database) as pool:
        yield PostgresStore(pool)


@pytest.fixture
def wakeups(redis_url: str) -> Iterator[PubSub]:
    """The subscription of a process in which nothing is heard but by wake-ups."""
    found = PubSub(WakeChannels(redis_url), NEVER)
    yield found
    found.close()


def wake(client: "redis.Redis", topic: str) -> None:
    """Call a topic out, as the service does after a commit."""
    client.publish(channel_of(topic), "")


def begin(book: PostgresStore, moves: int) -> tuple[UUID, Event]:
    """A game with so many moves, and its newest event."""
    events = a_game(moves)
    book.append(events[0].stream, 0, events)
    return events[0].stream, events[-1]


def go_on(book: PostgresStore, last: Event) -> Event:
    """One more move."""
    events = next_move(last.stream, last.head)
    book.append(last.stream, last.seq, events)
    return events[-1]


def heard(feed: CachedStream, after: int, until: int) -> list[int]:
    """Returns the versions that a follower receives between two versions."""
    numbers: list[int] = []
    give_up = time.monotonic() + IN_TIME
    while (numbers[-1] if numbers else after) < until:
        assert time.monotonic() < give_up, numbers
        seen = feed.topic.count
        found = feed.after(numbers[-1] if numbers else after)
        numbers += [event.seq for event in found]
        if not found:
            feed.topic.wait(seen, 1.0)
    return numbers


def meanwhile(does: Callable[[], object]) -> threading.Thread:
    """Something that happens at the same time."""
    thread = threading.Thread(target=does)
    thread.start()
    return thread


def test_everybody_hears_the_past_and_what_happens_once_and_in_order(
    book: PostgresStore, wakeups: PubSub, redis_url: str
) -> None:
    stream, last = begin(book, 20)
    feeds = EventCache(book, wakeups)

    def play_on() -> None:
        newest = last
        with redis.Redis.from_url(redis_url) as client:
            for _ in range(30):
                newest = go_on(book, newest)
                wake(client, str(stream))

    def listen(after: int) -> list[int]:
        with feeds.on(stream) as feed:
            return heard(feed, after, 51)

    with ThreadPoolExecutor(8) as people:
        told = [people.submit(listen, after) for after in (0, 0, 5, 20, 21, 21, 21)]
        play_on()
    assert [one.result() for one in told] == [[*range(after + 1, 52)] for after in (0, 0, 5, 20, 21, 21, 21)]


def test_a_distant_follower_reads_the_store_up_to_the_cache(book: PostgresStore, wakeups: PubSub) -> None:
    stream, last = begin(book, 100)
    with EventCache(book, wakeups).on(stream) as feed:
        assert heard(feed, 101, 101) == []
        for _ in range(KEPT + 10):
            last = go_on(book, last)
        feed.topic.ring()
        assert heard(feed, 0, last.seq) == [*range(1, last.seq + 1)]


def test_the_store_is_read_once_for_all_who_follow(book: PostgresStore, wakeups: PubSub) -> None:
    stream, last = begin(book, 1)
    with EventCache(book, wakeups).on(stream) as feed:
        feed.topic.wait(0, IN_TIME)  # the start of the subscription wakes its followers once
        feed.after(last.seq)
        go_on(book, last)
        assert feed.after(last.seq) == []  # no wake-up: the cache does not query the store
        feed.topic.ring()
        assert feed.after(last.seq)[0] is feed.after(last.seq)[0]


def test_a_wake_up_that_never_came_is_made_up_for(book: PostgresStore, wakeups: PubSub) -> None:
    stream, last = begin(book, 1)
    wakeups.look_again = 0.2
    with EventCache(book, wakeups).on(stream) as feed:
        silent = meanwhile(lambda: go_on(book, last))
        assert heard(feed, last.seq, last.seq + 1) == [last.seq + 1]
        silent.join()


def test_while_redis_is_away_events_are_found_all_the_same(book: PostgresStore, redis_server: EmbeddedRedis) -> None:
    wakeups = PubSub(WakeChannels("unix:///nowhere.sock"))
    stream, last = begin(book, 1)
    with EventCache(book, wakeups).on(stream) as feed:
        later = meanwhile(lambda: go_on(book, last))
        assert heard(feed, last.seq, last.seq + 1) == [last.seq + 1]
        later.join()
    wakeups.close()


def test_a_redis_that_comes_back_is_heard_again(book: PostgresStore, redis_server: EmbeddedRedis) -> None:
    server = EmbeddedRedis(redis_server.directory.parent / "comes-and-goes")
    process = Process(server.prepare())
    process.wait_ready()
    stream, last = begin(book, 1)
    with redis.Redis.from_url(server.url()) as client:
        wakeups = PubSub(WakeChannels(server.url()), NEVER)
        with EventCache(book, wakeups).on(stream) as feed:
            process.stop()
            last = go_on(book, last)
            assert heard(feed, last.seq - 1, last.seq) == [last.seq]
            process = Process(server.prepare())
            process.wait_ready()
            while not client.pubsub_numsub(channel_of(str(stream)))[0][1]:
                feed.topic.wait(feed.topic.count, 0.1)
            while feed.topic.count != feed.topic.wait(feed.topic.count, 2 * BREATH):
                continue  # a new subscription wakes its followers once
            go_on(book, last)
            later = meanwhile(lambda: wake(client, str(stream)))
            assert heard(feed, last.seq, last.seq + 1) == [last.seq + 1]
            later.join()
        wakeups.close()
    process.stop()


class FailingTopic(Topic):
    """A topic whose first ring fails."""

    failed = False

    def ring(self) -> None:
        """Raises RuntimeError, once."""
        if not self.failed:
            self.failed = True
            raise RuntimeError("unexpected")


def test_unexpected_error_does_not_end_the_listening_thread(redis_url: str, wakeups: PubSub) -> None:
    broken = wakeups._topics["broken"] = FailingTopic()
    with redis.Redis.from_url(redis_url) as client, wakeups.on("whole") as topic:
        assert eventually(lambda: broken.failed)  # the first subscription rings all

        def is_heard() -> bool:
            seen = topic.count
            wake(client, "whole")
            return topic.wait(seen, 1) != seen

        assert eventually(is_heard)


def test_nobody_is_kept_who_has_left(book: PostgresStore, wakeups: PubSub) -> None:
    stream, _ = begin(book, 1)
    feeds = EventCache(book, wakeups)
    with feeds.on(stream) as first:
        with feeds.on(stream) as second:
            assert second is first
        assert first.followers == 1
    with feeds.on(stream) as another:
        assert another is not first


def document(number: int, length: int = 1_000) -> Item:
    return Item(number, "moved", "x" * length)


def test_shared_documents_are_bounded_in_bytes_and_time() -> None:
    at = 0.0
    cache = DocumentCache(20_000, lambda: at)
    made = [cache.get(number, partial(document, number)) for number in range(100)]
    assert [item.number for item in made] == [*range(100)]
    assert 10_000 < cache.bytes <= 20_000
    assert cache.get(99, lambda: document(0)) is made[99]
    assert cache.get("larger than all", lambda: document(1, 30_000)).number == 1
    assert cache.bytes <= 20_000
    at = KEPT_SECONDS + 1
    assert cache.get(99, lambda: document(0)) is not made[99]
    assert cache.bytes < 2_000


def test_no_other_history_gets_the_documents_of_a_stream(book: PostgresStore, wakeups: PubSub) -> None:
    stream, _ = begin(book, 1)
    feeds = EventCache(book, wakeups)
    with feeds.on(stream) as feed, feeds.on(stream) as same:
        first = feed.document("key", lambda: document(1))
        assert same.document("key", lambda: document(2)) is first
    with feeds.on(stream) as later:
        assert later.document("key", lambda: document(3)).number == 3


def test_few_distant_followers_hold_a_page_at_the_same_time(book: PostgresStore, wakeups: PubSub) -> None:
    stream, last = begin(book, KEPT + 10)
    feeds, holding, most = EventCache(book, wakeups), threading.Semaphore(0), list[int]()
    inside, free = Counter[str](), threading.Event()

    def follow() -> None:
        with feeds.on(stream) as feed, feed.page(0) as events:
            inside["now"] += 1
            most.append(inside["now"])
            holding.release()
            assert free.wait(IN_TIME)
            inside["now"] -= 1
            assert events[0].seq == 1

    with ThreadPoolExecutor(3 * MOST_BEHIND) as people:
        told = [people.submit(follow) for _ in range(3 * MOST_BEHIND)]
        for _ in range(MOST_BEHIND):
            assert holding.acquire(timeout=IN_TIME)
        with feeds.on(stream) as feed, feed.page(last.seq - 1) as newest:
            assert [event.seq for event in newest] == [last.seq]  # one that is not behind waits for none of them
        free.set()
        for one in told:
            one.result()
    assert max(most) <= MOST_BEHIND
