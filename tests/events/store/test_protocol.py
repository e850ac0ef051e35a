"""Every event store links events, lets one of two writers win, and repeats a request without effect."""

from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.chain import check, link
from events.errors import BrokenChain, KeyReused, StaleVersion
from events.event import START
from events.store.protocol import Appended, EventStore, request_key
from tests.support.events.examples import a_game, a_stream, move, next_move, start_game


def test_what_was_appended_is_read_in_order(any_book: EventStore) -> None:
    events = a_game(moves=4)
    any_book.append(events[0].stream, 0, events)
    assert tuple(any_book.read(events[0].stream)) == events
    assert check(event.body for event in any_book.read(events[0].stream)) == events


def test_reading_starts_after_a_version_and_stops_at_a_limit(any_book: EventStore) -> None:
    events = a_game(moves=4)
    stream = events[0].stream
    any_book.append(stream, 0, events)
    assert tuple(any_book.read(stream, after=2)) == events[2:]
    assert tuple(any_book.read(stream, after=1, limit=2)) == events[1:3]
    assert tuple(any_book.read(stream, after=5)) == ()


def test_an_unknown_stream_is_empty(any_book: EventStore) -> None:
    assert any_book.head(a_stream()) == START
    assert tuple(any_book.read(a_stream())) == ()


def test_the_head_is_the_newest_event(any_book: EventStore) -> None:
    stream, head = start_game(any_book, moves=2)
    assert any_book.head(stream) == head
    assert head.seq == 3


def test_the_heads_of_many_streams_are_read_at_once(any_book: EventStore) -> None:
    games = [a_game(moves) for moves in (1, 3)]
    for events in games:
        any_book.append(events[0].stream, 0, events)
    streams = [events[0].stream for events in games]
    assert any_book.heads([*streams, uuid4()]) == {stream: any_book.head(stream) for stream in streams}


def test_events_that_follow_a_stored_head_are_read(any_book: EventStore) -> None:
    events = a_game(moves=4)
    stream = events[0].stream
    any_book.append(stream, 0, events)
    assert any_book.following(stream, START, 2) == events[:2]
    assert any_book.following(stream, events[1].head, 2) == events[2:4]
    assert any_book.following(stream, events[-1].head, 2) == ()


def test_nothing_follows_a_head_that_is_not_stored(any_book: EventStore) -> None:
    stream, head = start_game(any_book, moves=1)
    imagined = a_game(moves=3, stream=stream)
    assert any_book.following(stream, imagined[1].head, 5) is None
    assert any_book.following(stream, imagined[-1].head, 5) is None
    assert any_book.following(stream, head, 5) == ()


def test_the_slower_of_two_writers_learns_the_version_and_head(any_book: EventStore) -> None:
    stream, head = start_game(any_book)
    faster, slower = next_move(stream, head, "build harbor"), next_move(stream, head, "pass")
    any_book.append(stream, 1, faster)
    with pytest.raises(StaleVersion) as refusal:
        any_book.append(stream, 1, slower)
    assert (refusal.value.version, refusal.value.head) == faster[0].head
    assert [event.data["move"] for event in any_book.read(stream, after=1)] == ["build harbor"]


def test_a_stream_is_not_opened_twice(any_book: EventStore) -> None:
    events = a_game(moves=0)
    any_book.append(events[0].stream, 0, events)
    with pytest.raises(StaleVersion):
        any_book.append(events[0].stream, 0, a_game(0, events[0].stream))


def test_a_version_that_does_not_exist_yet_is_stale_too(any_book: EventStore) -> None:
    events = a_game(moves=3)
    stream = events[0].stream
    any_book.append(stream, 0, events[:2])
    with pytest.raises(StaleVersion) as refusal:
        any_book.append(stream, 3, events[3:])
    assert refusal.value.version == 2


def test_another_history_of_the_same_length_is_stale(any_book: EventStore) -> None:
    stream, _ = start_game(any_book, moves=1)
    imagined = a_game(moves=1, stream=stream)
    with pytest.raises(StaleVersion) as refusal:
        any_book.append(stream, 2, next_move(stream, imagined[-1].head))
    assert refusal.value.head == any_book.head(stream).hash


def test_an_expected_head_states_the_history_that_a_player_saw(any_book: EventStore) -> None:
    stream, head = start_game(any_book)
    with pytest.raises(StaleVersion) as refusal:
        any_book.append(stream, 1, next_move(stream, head), expected_head=b"\x01" * 32)
    assert refusal.value.head == head.hash
    any_book.append(stream, 1, next_move(stream, head), expected_head=head.hash)
    assert any_book.head(stream).seq == 2


def test_a_repeated_request_gets_the_stored_answer_and_writes_nothing(any_book: EventStore) -> None:
    stream, head = start_game(any_book)
    key = request_key("player-1", "key-1", b"take coffee")
    assert any_book.answered(key) is None
    first = any_book.append(stream, 1, next_move(stream, head), key=key, answer=b"the answer")
    again = any_book.append(stream, 1, next_move(stream, head), key=key, answer=b"another answer")
    assert (first, again) == (Appended(b"the answer", repeated=False), Appended(b"the answer", repeated=True))
    assert any_book.answered(key) == b"the answer"
    assert any_book.head(stream).seq == 2


def test_a_repeated_request_that_opens_a_stream_opens_no_second_one(any_book: EventStore) -> None:
    key = request_key("player-1", "key-1", b"a new game")
    first, second = a_game(moves=0), a_game(moves=0)
    any_book.append(first[0].stream, 0, first, key=key, answer=b"1")
    assert any_book.append(second[0].stream, 0, second, key=key, answer=b"2").answer == b"1"
    assert any_book.head(second[0].stream) == START


def test_a_key_of_one_stream_is_another_key_elsewhere(any_book: EventStore) -> None:
    games = [start_game(any_book) for _ in range(2)]
    keys = [request_key("player-1", "key-1", b"pass", stream) for stream, _ in games]
    for number, ((stream, head), key) in enumerate(zip(games, keys, strict=True)):
        assert not any_book.append(stream, 1, next_move(stream, head), key=key, answer=b"%d" % number).repeated
    assert [any_book.answered(key) for key in keys] == [b"0", b"1"]


def test_a_key_belongs_to_one_request(any_book: EventStore) -> None:
    stream, head = start_game(any_book)
    any_book.append(stream, 1, next_move(stream, head), key=request_key("player-1", "key-1", b"take coffee"))
    with pytest.raises(KeyReused):
        any_book.append(
            stream, 2, next_move(stream, any_book.head(stream)), key=request_key("player-1", "key-1", b"pass")
        )
    any_book.append(stream, 2, next_move(stream, any_book.head(stream)), key=request_key("player-2", "key-1", b"pass"))
    assert any_book.head(stream).seq == 3


def test_a_refused_append_leaves_its_key_unused(any_book: EventStore) -> None:
    stream, head = start_game(any_book)
    key = request_key("player-1", "key-1", b"take coffee")
    with pytest.raises(StaleVersion):
        any_book.append(stream, 3, link(stream, head._replace(seq=3), [move()]), key=key)
    assert any_book.answered(key) is None
    assert not any_book.append(stream, 1, next_move(stream, head), key=key).repeated


def test_store_refuses_unlinked_events_without_a_query(any_book: EventStore) -> None:
    events = a_game(moves=3)
    stream = events[0].stream
    for wrong in ((), events[1:], (events[0], events[2]), (events[0], *a_game(1)[1:])):
        with pytest.raises(BrokenChain):
            any_book.append(stream, 0, wrong)
    with pytest.raises(BrokenChain):
        any_book.append(a_stream(), 0, events)
    assert any_book.head(stream) == START


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(batches=st.lists(st.integers(1, 4), max_size=6))
def test_any_batches_make_one_unbroken_chain(any_book: EventStore, batches: list[int]) -> None:
    stream, head = start_game(any_book)
    for size in batches:
        events = link(stream, head, [move() for _ in range(size)])
        any_book.append(stream, head.seq, events)
        head = events[-1].head
    assert check(event.body for event in any_book.read(stream))[-1].head == head == any_book.head(stream)
