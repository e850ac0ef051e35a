"""Packed bytes come back byte for byte, whatever the event holds; what was packed once is readable for ever."""

import gzip
import hashlib
import json
from importlib.resources import files
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.body_packing import DICTIONARY, PACKED, BrokenPacking, pack_body, unpack_body
from events.canonical import canonical
from events.event import stored
from events.event_digest import digest
from tests.support.events.examples import a_game

CORPUS: Final = Path(__file__).parents[1] / "corpus" / "0.1.0"
HASH, SALT, ID = "5a" * 32, "5a" * 16, "5a5a5a5a-5a5a-5a5a-5a5a-5a5a5a5a5a5a"
VALUES: Final = st.one_of(st.sampled_from((HASH, SALT, ID, HASH[:-1], HASH.upper(), "")), st.text(), st.integers(0, 9))
# Made once with the dictionary of this name: a stored event of a game.
DICTIONARY_HASH: Final = "21dc6bb42647b781c3667c5e4aab26924583f12fc8247994dfd8aebae828bfdc"
FROZEN: Final = (
    "010682379fa4cc1a3c430948054fb77117b59bc2eefd583584aeebaf3fd26311f22213ea0950e1edf1380f18c1efd62d83de"
    "e0ea98666ad41d61508f6245910e1546b76a7aedfb8187f84a63a0e86d981aba000000000000700080000000000000160000"
    "750100d300022ebbeaaaf235a24a0efc7c235b0dcf32f134f937d76ee9573ff319cc7cc00b8f89c874959ce39a1e52b703"
)
FROZEN_BODY: Final = (
    rb'{"actor":"player-2","at":1800000004000000,"data":{"digest":"82379fa4cc1a3c430948054fb77117b59bc2eefd'
    rb'583584aeebaf3fd26311f222","drew":[],"facts":[["role_taken",0,"craftsman"],["phase_begun","role_choic'
    rb'e",1],["awaits",1,"choose_role"]],"move":"role craftsman","seat":0,"then":[],"turn":{"decision":"D-R'
    rb'OLE","seat":1}},"kind":"moved","prev":"13ea0950e1edf1380f18c1efd62d83dee0ea98666ad41d61508f6245910e1'
    rb'546","rules":"1","salt":"b76a7aedfb8187f84a63a0e86d981aba","seq":6,"shape":1,"stream":"00000000-0000'
    rb'-7000-8000-000000000016"}'
)


@pytest.mark.parametrize("game", ["puerto_rico_4_drawn", "puerto_rico_5_both", "resigned"])
def test_moves_of_stored_games_shrink_to_a_third_and_come_back(game: str) -> None:
    document = json.loads(gzip.decompress((CORPUS / f"{game}.json.gz").read_bytes()))
    bodies = [event.encode() if isinstance(event, str) else canonical(event) for event in document["events"]]
    moves = [body for body in bodies if b'"kind":"moved"' in body]
    packed = [pack_body("moved", body) for body in moves]
    assert [unpack_body(one) for one in packed] == moves
    assert sum(map(len, packed)) < sum(map(len, moves)) / 3
    assert [pack_body("seat_taken", body) for body in bodies] == bodies


@given(st.lists(VALUES, max_size=30))
def test_any_canonical_bytes_come_back(values: list[str | int]) -> None:
    body = canonical({"data": values, "kind": "moved"})
    assert unpack_body(pack_body("moved", body)) == body


def test_too_many_values_or_too_long_bytes_are_stored_as_they_are() -> None:
    many = canonical([hashlib.sha256(bytes([number])).hexdigest() for number in range(200)])
    long = canonical("x" * 70_000)
    assert [pack_body("moved", body) for body in (many, long)] == [many, long]


def test_an_event_is_read_from_packed_bytes() -> None:
    event = a_game(1)[1]
    packed = pack_body(event.kind, event.body)
    assert packed[:1] == PACKED
    assert stored(packed, event.hash) == event


@pytest.mark.parametrize("cut", [1, 5, 60, 150])
def test_damaged_bytes_are_refused_or_have_another_hash(cut: int) -> None:
    event = a_game(1)[1]
    packed = pack_body(event.kind, event.body)
    for damaged in (packed[:cut], packed[:cut] + bytes([packed[cut] ^ 1]) + packed[cut + 1 :]):
        try:
            assert digest(unpack_body(damaged)) != event.hash
        except BrokenPacking:
            continue


def test_the_dictionary_never_changes() -> None:
    dictionary = (files("events") / "dictionaries" / DICTIONARY).read_bytes()
    assert hashlib.sha256(dictionary).hexdigest() == DICTIONARY_HASH
    assert unpack_body(bytes.fromhex(FROZEN)) == FROZEN_BODY
