"""Events: canonical bytes, salted hashes, links, and a chain recomputed by code that shares nothing with ours."""

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.canonical import canonical
from events.chain import LONGEST_BATCH, check, link
from events.errors import BrokenChain, EventTooLarge, UnfitEvent, UnfitJson, UnknownKind
from events.event import LARGEST_EVENT, START, leaf_entry, new_stream, received, stored
from events.merkle.tree import leaf_hash
from tests.support.events.examples import CREATED, NOON, a_game, a_stream, move, opening


def test_a_chain_is_recomputed_by_independent_code() -> None:
    """Only the standard library and the published recipe: prefix, canonical bytes, the hash before."""
    events = a_game(moves=5)
    before = "00" * 32
    for number, event in enumerate(events, start=1):
        document = json.loads(event.body)
        assert json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() == event.body
        assert (document["seq"], document["prev"], document["stream"]) == (number, before, str(event.stream))
        before = hashlib.sha256(b"cabildo/event/v1\n" + event.body).hexdigest()
        assert event.hash.hex() == before


def test_the_bytes_of_an_event_are_frozen() -> None:
    stream = UUID("00000000-0000-4000-8000-000000000001")
    (event,) = link(stream, START, [opening()._replace(at=NOON)], salt=lambda: bytes(range(16)))
    assert event.body == canonical(
        {
            "actor": "service",
            "at": 1_790_000_000_000_000,
            "data": CREATED,
            "kind": "game_created",
            "prev": "00" * 32,
            "rules": "puerto_rico/1",
            "salt": "000102030405060708090a0b0c0d0e0f",
            "seq": 1,
            "shape": 1,
            "stream": "00000000-0000-4000-8000-000000000001",
        }
    )
    assert event.hash.hex() == "7c1892ffe721094f42191a92c271e5a6425d72108585787d577079e2fa5aa00c"


def test_equal_moves_have_different_hashes_because_of_their_salt() -> None:
    draft = opening()
    hashes = {link(UUID(int=1), START, [draft])[0].hash for _ in range(20)}
    assert len(hashes) == 20


def test_stored_bytes_give_the_event_back() -> None:
    for event in a_game(moves=3):
        assert stored(event.body, event.hash) == received(event.body) == event


def test_a_leaf_of_the_log_is_57_bytes_with_the_place_alone() -> None:
    event = a_game(moves=0)[0]
    entry = leaf_entry(event.stream, event.seq, event.hash)
    assert entry == b"\x01" + event.stream.bytes + (1).to_bytes(8, "big") + event.hash
    assert len(entry) == 57
    assert leaf_hash(entry) == hashlib.sha256(b"\x00" + entry).digest()


def test_stream_ids_are_uuids_of_version_7_that_sort_by_time() -> None:
    noon, later = new_stream(NOON), new_stream(NOON + 1_000)
    assert (noon.version, noon.variant) == (7, "specified in RFC 4122")
    assert noon < later
    milliseconds = noon.int >> 80
    assert datetime.fromtimestamp(milliseconds / 1000, UTC).timestamp() == NOON / 1_000_000


@dataclass
class Forgery:
    """A change to the document of an event, and the word that the refusal must contain."""

    change: dict[str, Any]
    word: str


@pytest.mark.parametrize(
    "forgery",
    [
        Forgery({"seq": 3}, "numbered 3"),
        Forgery({"prev": "11" * 32}, "hash of the event before"),
        Forgery({"stream": "00000000-0000-4000-8000-000000000009"}, "belongs to stream"),
        Forgery({"salt": "00" * 15}, "salt"),
        Forgery({"salt": "AB" * 16}, "salt"),
        Forgery({"prev": "zz" * 32}, "prev"),
        Forgery({"seq": True}, "seq"),
        Forgery({"seq": "2"}, "seq"),
        Forgery({"seq": 0}, "seq"),
        Forgery({"shape": 0}, "shape"),
        Forgery({"data": []}, "data"),
        Forgery({"kind": "Moved!"}, "kind"),
        Forgery({"actor": "a free text"}, "actor"),
        Forgery({"at": -1}, "at"),
        Forgery({"rules": ""}, "rules"),
        Forgery({"stream": "not a uuid"}, "stream"),
        Forgery({"extra": 1}, "extra"),
    ],
    ids=lambda forgery: str(forgery.change)[:40],
)
def test_a_forged_event_is_named(forgery: Forgery) -> None:
    first, second = a_game(moves=1)
    forged = canonical({**json.loads(second.body), **forgery.change})
    with pytest.raises(BrokenChain, match=forgery.word):
        check([first.body, forged])


def test_the_first_event_after_a_changed_one_is_named() -> None:
    events = a_game(moves=6)
    bodies = [event.body for event in events]
    document = json.loads(bodies[3])
    document["data"]["move"] = "pass"
    bodies[3] = canonical(document)
    with pytest.raises(BrokenChain) as refusal:
        check(bodies)
    assert refusal.value.seq == 5


@given(st.data())
def test_no_flipped_bit_before_the_head_goes_unnoticed(data: st.DataObject) -> None:
    bodies = [bytearray(event.body) for event in a_game(moves=2)]
    body = data.draw(st.sampled_from(bodies[:-1]))
    body[data.draw(st.integers(0, len(body) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises((BrokenChain, UnfitJson)):
        check(map(bytes, bodies))


def test_a_chain_can_be_checked_from_any_head() -> None:
    events = a_game(moves=5)
    assert check((event.body for event in events[3:]), events[2].head, events[0].stream) == events[3:]


def test_an_event_is_only_written_in_a_known_kind() -> None:
    with pytest.raises(UnknownKind):
        link(a_stream(), START, [opening()._replace(kind="rumoured")])


def test_the_opening_kind_opens_and_the_others_follow() -> None:
    with pytest.raises(UnfitEvent, match="cannot open"):
        link(a_stream(), START, [move()])
    with pytest.raises(UnfitEvent, match="opens a stream"):
        link(a_stream(), a_game(0)[0].head, [opening()])


@pytest.mark.parametrize(
    "wrong", [{"actor": "Ann Example"}, {"actor": ""}, {"at": -5}, {"rules": "my own rules"}, {"at": True}]
)
def test_who_when_and_by_which_rules_are_checked(wrong: dict[str, Any]) -> None:
    with pytest.raises(UnfitEvent):
        link(a_stream(), START, [opening()._replace(**wrong)])


def test_large_events_and_large_batches_are_refused() -> None:
    large = move()
    large = large._replace(data={**large.data, "facts": [["goods_loaded", 2, "x" * 60]] * 1_200})
    with pytest.raises(EventTooLarge) as refusal:
        link(a_stream(), a_game(0)[0].head, [large])
    assert refusal.value.size > refusal.value.limit == LARGEST_EVENT
    with pytest.raises(EventTooLarge):
        link(a_stream(), START, [opening(), *[move()] * LONGEST_BATCH])
    with pytest.raises(EventTooLarge):
        link(a_stream(), START, [])
