"""The quick ways of bodies and answers give what marshmallow and the standard library give."""

import json
from typing import Any, NamedTuple

import pytest
from marshmallow import Schema, ValidationError

from service.games.schemas.lifecycle import Join, NewGame, NewMove
from service.web.fastpath import load_plain
from service.web.json_bodies import encode

HEAD = "ab" * 32
BODIES: dict[str, tuple[type[Schema], object]] = {
    "a move": (NewMove, {"move": "rest", "expected": 4}),
    "all fields": (
        NewMove,
        {"move": "rest", "expected": 4, "expected_head": HEAD, "link": HEAD, "signature": "cd" * 64},
    ),
    "nulls": (NewMove, {"move": "rest", "expected": None}),
    "a null that is refused": (NewMove, {"move": None}),
    "a text for a number": (NewMove, {"move": "rest", "expected": "4"}),
    "two faults": (NewMove, {"expected": -1, "link": "x"}),
    "an unknown field": (NewMove, {"move": "rest", "more": 1}),
    "nothing": (NewMove, {}),
    "a list": (NewMove, [1]),
    "a text": (NewMove, "rest"),
    "defaults that are made": (Join, {}),
    "judged together": (NewGame, {"game": "spice_road", "seats": ["me", "open"], "level": 9}),
}


@pytest.mark.parametrize(("schema", "given"), BODIES.values(), ids=BODIES)
def test_a_body_is_loaded_and_refused_as_marshmallow_does(schema: type[Schema], given: Any) -> None:
    assert outcome(load_plain, schema(), given) == outcome(Schema.load, schema(), given)


def outcome(load: Any, schema: Schema, given: object) -> object:
    try:
        return load(schema, given)
    except ValidationError as refused:
        return refused.normalized_messages()


class Pair(NamedTuple):
    """Two values."""

    name: str
    number: int


@pytest.mark.parametrize(
    "value",
    [
        {"a": (1, None, True), "b": [Pair("x", 2)]},
        {"text": "Grüße \u2028 \x1f \U0001f600", "number": 0.1},
        {1: "a name that is a number"},
        [2**70],
    ],
    ids=["tuples", "texts", "numbers as names", "large numbers"],
)
def test_answers_are_what_the_standard_library_writes(value: object) -> None:
    assert json.loads(encode(value)) == json.loads(json.dumps(value))


def test_what_is_no_json_is_not_answered() -> None:
    with pytest.raises(TypeError):
        encode({"a": object()})
