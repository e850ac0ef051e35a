"""Canonical JSON: the published vectors of RFC 8785, a second implementation, and everything that is refused."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from events.canonical import LARGEST_INTEGER, canonical, canonical_by_rules, read_canonical, read_json
from events.errors import EventTooLarge, UnfitJson
from events.json_types import Json

VECTORS = Path(__file__).parent / "vectors"
NAMES = ("arrays", "french", "structures", "unicode", "values", "weird")
WITH_FLOATS = ("structures", "values")
LIMIT = 10_000

REFUSED = (2**53, -(2**53), 2**64, "\ud800", {"\udfff": 1}, 0.5, {1: 2}, {"a": {None: 1}})

scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-LARGEST_INTEGER, LARGEST_INTEGER), st.text(st.characters(codec="utf-8"))
)
values = st.recursive(
    scalars, lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(st.characters(codec="utf-8")), inner))
)


@pytest.mark.parametrize("name", NAMES)
def test_published_vectors_have_the_published_bytes(name: str) -> None:
    given_value = json.loads((VECTORS / f"{name}.input.json").read_text("utf-8"))
    expected = (VECTORS / f"{name}.output.json").read_bytes()
    assert rfc8785.dumps(given_value) == expected
    if name in WITH_FLOATS:
        with pytest.raises(UnfitJson, match="float"):
            canonical(given_value)
    else:
        assert canonical(given_value) == expected


@pytest.mark.parametrize("name", [name for name in NAMES if name != "values"])
def test_published_canonical_text_is_its_own_canonical_form(name: str) -> None:
    expected = (VECTORS / f"{name}.output.json").read_bytes()
    assert canonical(json.loads(expected)) == expected


@given(value=values)
def test_an_independent_implementation_writes_the_same_bytes(value: Json) -> None:
    assert canonical(value) == rfc8785.dumps(value)


@given(value=values)
def test_the_quick_way_writes_what_the_rules_say(value: Json) -> None:
    assert canonical(value) == canonical_by_rules(value)


def test_every_character_is_written_alike_by_both_ways() -> None:
    characters = [chr(number) for number in (*range(0x800), 0x2028, 0x2029, 0xFEFF, 0xFFFF, 0x1F600, 0x10FFFF)]
    assert canonical(characters) == canonical_by_rules(characters)
    assert canonical(dict.fromkeys(characters)) == canonical_by_rules(dict.fromkeys(characters))


@pytest.mark.parametrize("value", REFUSED, ids=ascii)
def test_the_quick_way_refuses_with_the_words_of_the_rules(value: Json) -> None:
    with pytest.raises(UnfitJson) as by_rules:
        canonical_by_rules(value)
    with pytest.raises(UnfitJson) as quick:
        canonical(value)
    assert quick.value.args == by_rules.value.args
    assert vars(quick.value) == vars(by_rules.value)


@given(value=values)
def test_canonical_text_reads_back_as_the_same_value(value: Json) -> None:
    assert json.loads(canonical(value)) == value


def test_names_sort_by_utf16_code_units() -> None:
    assert canonical({"\ufb33": 1, "\U0001f600": 2}) == '{"\U0001f600":2,"\ufb33":1}'.encode()


def test_tuples_and_names_of_enumerations_are_written_as_what_they_are() -> None:
    class Good(str):
        pass

    assert canonical({"facts": (Good("corn"), 3)}) == b'{"facts":["corn",3]}'


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (1.0, "float"),
        (float("nan"), "float"),
        ({"a": [0.5]}, "float"),
        (2**53, "integer_beyond_2^53"),
        (-(2**53), "integer_beyond_2^53"),
        ("\ud800", "lone_surrogate"),
        ({"\udfff": 1}, "lone_surrogate"),
        ({"\udfff": 1, "a": 2}, "lone_surrogate"),
        ({1: 2}, "key"),
        ({"a": b"bytes"}, "type"),
        ({"a": {1, 2}}, "type"),
    ],
)
def test_what_reads_differently_elsewhere_is_refused(value: Json, reason: str) -> None:
    with pytest.raises(UnfitJson) as refusal:
        canonical(value)
    assert refusal.value.reason == reason


OPENED: Mapping[str, Sequence[tuple[str, str]]] = {  # how each kind of level begins and ends
    "lists": [("[", "]")],
    "objects": [('{"a":', "}")],
    "both": [("[", "]"), ('{"a":', "}")],
}


def nested(kind: str, levels: int) -> bytes:
    """Lists in lists, objects in objects, or one in the other in turns."""
    around = [OPENED[kind][level % len(OPENED[kind])] for level in range(levels)]
    return ("".join(begin for begin, _ in around) + "1" + "".join(end for _, end in reversed(around))).encode()


@pytest.mark.parametrize("kind", OPENED)
def test_deep_values_are_refused_at_any_depth(kind: str) -> None:
    deepest = nested(kind, 32)
    assert canonical(json.loads(deepest)) == deepest
    assert read_canonical(deepest, 1_000) == json.loads(deepest)
    for levels in (33, 200, 500):
        with pytest.raises(UnfitJson, match="too_deep"):
            canonical(json.loads(nested(kind, levels)))
    for levels in (33, 200, 100_000):
        for read in (read_json, read_canonical):
            with pytest.raises(UnfitJson, match="too_deep"):
                read(nested(kind, levels), 1_000_000)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b'{"a":1,"a":2}', "duplicate_key"),
        (b'{"x":{"a":1,"\\u0061":2}}', "duplicate_key"),
        (b"1.0", "float"),
        (b"1e2", "float"),
        (b"NaN", "float"),
        (b"-Infinity", "float"),
        (b"9007199254740992", "integer_beyond_2^53"),
        (b"1" * 5_000, "integer_beyond_2^53"),
        (b'"\\ud800"', "lone_surrogate"),
        (b'"\xff"', "not_utf8"),
        (b'"\xed\xa0\x80"', "not_utf8"),
        (b"\xef\xbb\xbf1", "syntax"),
        (b'{"a":1', "syntax"),
        (b"'a'", "syntax"),
        (b'"\n"', "syntax"),
        (b"1 2", "syntax"),
        (b"", "syntax"),
        ('"A\u030a"'.encode(), "not_nfc"),
        (b'"A\\u030a"', "not_nfc"),
    ],
)
def test_text_from_outside_is_read_strictly(text: bytes, reason: str) -> None:
    with pytest.raises(UnfitJson) as refusal:
        read_json(text, LIMIT)
    assert refusal.value.reason == reason


def test_text_beyond_the_limit_is_not_even_read() -> None:
    with pytest.raises(EventTooLarge) as refusal:
        read_json(b" " * 11, limit=10)
    assert (refusal.value.size, refusal.value.limit) == (11, 10)


@pytest.mark.parametrize("text", [b'{"a": 1}', b'{"b":1,"a":2}', b'"\\u0041"', b"-0", b"[1]\n", b'"\\/"'])
def test_another_spelling_is_not_canonical(text: bytes) -> None:
    read_json(text, LIMIT)
    with pytest.raises(UnfitJson, match="not_canonical"):
        read_canonical(text, LIMIT)


@given(junk=st.binary(max_size=200))
def test_junk_is_read_or_refused_with_a_reason(junk: bytes) -> None:
    with suppress(UnfitJson):
        value = read_json(junk, LIMIT)
        assert json.loads(canonical(value)) == value
