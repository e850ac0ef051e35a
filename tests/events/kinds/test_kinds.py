"""Kinds of event: what their data must look like, frozen samples of every shape, older shapes read as the newest."""

import json

import pytest

from events import event as events
from events.chain import check, link
from events.errors import UnfitEvent, UnknownKind
from events.event import START, received, stored
from events.json_types import Json, JsonObject
from events.kinds import KINDS
from events.kinds.field_types import FieldType, each, hexadecimal, matching, named, nullable, optional, record, whole
from events.kinds.registry import EventKind, Kinds
from tests.support.events.examples import MOVED, a_stream, move
from tests.support.events.freeze import SAMPLES


def sample_of(kind: str, shape: int) -> JsonObject:
    """The frozen sample of a kind and shape: canonical bytes, their hash, and the data as the newest shape has it."""
    path = SAMPLES / f"{kind}.{shape}.json"
    assert path.exists(), (
        f"{path.name} is missing: every kind and shape has a frozen sample (tests/support/events/freeze.py)"
    )
    found: JsonObject = json.loads(path.read_text("utf-8"))
    return found


@pytest.mark.parametrize(
    ("kind", "shape"), [(kind.name, shape) for kind in KINDS for shape in range(1, kind.shape + 1)]
)
def test_every_kind_and_shape_ever_written_is_still_read(kind: str, shape: int) -> None:
    sample = sample_of(kind, shape)
    body = str(sample["body"]).encode()
    event = received(body)
    assert (event.kind, event.shape, event.hash.hex()) == (kind, shape, sample["hash"])
    newest = stored(body, event.hash)
    assert newest.data == sample["newest"]
    KINDS.check(kind, event.seq, newest.data)


def test_no_sample_is_left_of_a_kind_that_never_was() -> None:
    for path in SAMPLES.glob("*.json"):
        kind, shape, _ = path.name.split(".")
        KINDS.named(kind, int(shape))


def test_kinds_have_different_names() -> None:
    with pytest.raises(ValueError, match="two kinds"):
        Kinds([EventKind("moved", "game", {}), EventKind("moved", "study", {})])


def add_seat(data: JsonObject) -> JsonObject:
    return {**data, "seat": 0}


def name_what_was_said(data: JsonObject) -> JsonObject:
    return {"seat": data["seat"], "move": data["said"]}


def test_older_shapes_are_upcast_on_reading_and_stored_bytes_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, word = EventKind("begun", "game", {}, opens=True), matching("a word", "[a-z]+")
    first_release = Kinds([begun, EventKind("said", "game", {"said": word})])
    third_release = Kinds(
        [begun, EventKind("said", "game", {"seat": whole(0, 4), "move": word}, upcasts=(add_seat, name_what_was_said))]
    )
    monkeypatch.setattr(events, "KINDS", first_release)
    opened, said = move()._replace(kind="begun", data={}), move()._replace(kind="said", data={"said": "pass"})
    (_, written) = link(a_stream(), START, [opened, said])
    monkeypatch.setattr(events, "KINDS", third_release)
    read = stored(written.body, written.hash)
    assert (read.shape, read.data) == (3, {"seat": 0, "move": "pass"})
    assert (read.body, read.hash) == (written.body, written.hash)
    assert received(read.body) == written


def test_a_shape_newer_than_this_program_is_refused() -> None:
    with pytest.raises(UnknownKind):
        KINDS.named("moved", 99)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"seat": 5}, "seat"),
        ({"seat": True}, "seat"),
        ({"seat": None}, "seat"),
        ({"move": ""}, "move"),
        ({"move": "café"}, "move"),
        ({"move": "two\nlines"}, "move"),
        ({"drew": ["A Name"]}, "drew"),
        ({"drew": "corn"}, "drew"),
        ({"then": [{"seat": 1}]}, "then"),
        ({"then": [{"seat": 1, "move": "pass", "why": 1}]}, "then"),
        ({"facts": [[]]}, "facts"),
        ({"facts": [[3, "corn"]]}, "facts"),
        ({"digest": "d1" * 31}, "digest"),
        ({"digest": "D1" * 32}, "digest"),
        ({"comment": "free text never enters"}, "comment"),
    ],
)
def test_data_that_does_not_fit_its_kind_is_refused_by_field(change: dict[str, Json], field: str) -> None:
    with pytest.raises(UnfitEvent) as refusal:
        KINDS.check("moved", 2, {**MOVED, **change})
    assert (refusal.value.kind, refusal.value.field) == ("moved", field)


def test_a_missing_field_is_named() -> None:
    with pytest.raises(UnfitEvent, match="digest: is missing"):
        KINDS.check("moved", 2, {name: value for name, value in MOVED.items() if name != "digest"})


@pytest.mark.parametrize(
    ("field", "fits", "does_not"),
    [
        (whole(0, 4), [0, 4], [-1, 5, "1", 1.0, None]),
        (hexadecimal(2), ["00ff"], ["00FF", "00f", "00ff\n", 0]),
        (nullable(whole(0, 1)), [None, 1], [2, ""]),
        (each(whole(0, 1), 2), [[], [0, 1], (1,)], [[2], [0, 0, 0], "01", {}]),
        (named(whole(0, 1), 1), [{}, {"a": 1}], [{"a": 2}, {"a": 1, "b": 1}, {"A name": 1}, []]),
        (
            record(a=whole(0, 1), b=optional(whole(0, 1))),
            [{"a": 1}, {"a": 1, "b": 0}],
            [{}, {"b": 1}, {"a": 1, "c": 1}, []],
        ),
    ],
    ids=lambda part: part.reads if isinstance(part, FieldType) else "",
)
def test_fields_hold_what_they_say(field: FieldType, fits: list[Json], does_not: list[Json]) -> None:
    assert all(field.holds(value) for value in fits)
    assert not any(field.holds(value) for value in does_not)


def test_every_kind_belongs_to_a_stream_that_one_kind_opens() -> None:
    openers = [kind.stream for kind in KINDS if kind.opens]
    assert sorted(openers) == sorted({kind.stream for kind in KINDS})


def test_events_of_every_kind_make_a_chain() -> None:
    kinds = [kind for kind in KINDS if kind.stream == "game"]
    drafts = [move()._replace(kind=kind.name, data=newest_of(kind)) for kind in kinds]
    chain = link(a_stream(), START, drafts)
    assert check(event.body for event in chain) == chain


def newest_of(kind: EventKind) -> JsonObject:
    newest = sample_of(kind.name, kind.shape)["newest"]
    assert isinstance(newest, dict)
    return newest
