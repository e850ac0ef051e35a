"""Malformed data of any kind of event is refused in words: each field absent, null, of another type, too long."""

import gzip
import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from events.canonical import canonical
from events.event import START, Event, received
from events.kinds import KINDS
from events.kinds.field_types import FieldType
from events.kinds.registry import EventKind
from events.log.bundle import Bundle
from projections.verify.archive import unpack
from projections.verify.bundle import INVALID, verify
from tests import corpus
from tests.support.projections.bundles import POLICY

Body = dict[str, Any]
CORPUS = Path(corpus.__file__).parent
OTHERS: Sequence[Any] = (  # wrong values for a field
    None, True, False, -1, 0, 5, 300, 2**53 - 1, "", "x" * 600, "0" * 64, "bot:random", "ä",
    [], [None], [-1], [[]], [True], list(range(300)), {}, {"kind": 7}, {"seat": 9, "decision": None}, {"x": [1]},
)  # fmt: skip
GAME_KINDS = [kind for kind in KINDS if kind.stream == "game"]
OTHER_KINDS = [kind for kind in KINDS if kind.stream != "game"]


@cache
def games() -> tuple[tuple[Body, ...], ...]:
    """The stored games, the shortest first."""
    files = sorted(CORPUS.glob("*/*.json.gz"), key=lambda path: path.stat().st_size)
    return tuple(bodies(gzip.decompress(path.read_bytes())) for path in files)


@cache
def tournaments() -> tuple[tuple[Body, ...], ...]:
    """The events of the stored tournaments."""
    files = [data for path in sorted(CORPUS.glob("*/*.zip")) for data in unpack(path.read_bytes()).games.values()]
    return tuple(told for told in map(bodies, files) if told[0]["kind"] == "tournament_declared")


def bodies(data: bytes) -> tuple[Body, ...]:
    return tuple(json.loads(event) for event in Bundle.read(data).events)


def base(kind: EventKind) -> tuple[list[Body], int]:
    """A stream up to an event of a kind, and the place of that event; one that no stream has is put in."""
    for told in (*games(), *tournaments()):
        at = next((body["seq"] for body in told if body["kind"] == kind.name), None)
        if at is not None:
            return [*told[: at + 1]], at
    told = next(one for one in (games() if kind.stream == "game" else tournaments()) if len(one) > 12)
    filled = {name: filling(field) for name, field in kind.fields.items()}
    return [*told[:11], {**told[11], "kind": kind.name, "shape": kind.shape, "data": filled}], 12


def filling(field: FieldType) -> Any:
    """Something that a field may hold."""
    held: Sequence[Any] = ("1", "0" * 64, 1, False, [], {}, str(UUID(int=1)), "en", [["x"]], {"x": 1})
    return next((value for value in held if field.holds(value)), None)


def bundle(told: Sequence[Body]) -> bytes:
    """Returns the events in a new chain; the verifier checks them without a log too."""
    prev, made = START.hash, list[Event]()
    for seq, body in enumerate(told, 1):
        made.append(received(canonical({**body, "seq": seq, "prev": prev.hex()})))
        prev = made[-1].hash
    return Bundle(made[0].stream, tuple(event.body for event in made)).encode()


def malformed(kind: EventKind) -> Iterator[tuple[str, Any, list[Body], bool]]:
    """Streams with one field of one event changed, and whether its kind may hold that."""
    told, at = base(kind)
    data = told[at - 1]["data"]

    def changed(made: Body) -> list[Body]:
        return [*told[: at - 1], {**told[at - 1], "data": made}, *told[at:]]

    for name, field in kind.fields.items():
        absent = {other: value for other, value in data.items() if other != name}
        yield name, "absent", changed(absent), not field.required
        for value in OTHERS:
            yield name, value, changed({**data, name: value}), field.holds(value)
    yield "more", 1, changed({**data, "more": 1}), False


@pytest.mark.parametrize("kind", [*GAME_KINDS, *OTHER_KINDS], ids=lambda kind: kind.name)
def test_malformed_data_is_refused_in_words(kind: EventKind) -> None:
    for name, value, told, may_be in malformed(kind):
        report = verify(bundle(told), POLICY)
        json.dumps(report.document())
        if not may_be and told[0]["shape"] == kind.shape:
            assert (report.verdict, bool(report.failure)) == (INVALID, True), (name, value)
            assert report.failure is not None
            assert report.failure.code in ("V5", "V7", "V12"), (name, value, report.failure)
            assert report.failure.sentence


@pytest.mark.parametrize("kind", GAME_KINDS, ids=lambda kind: kind.name)
def test_an_event_of_any_kind_in_any_place_is_judged(kind: EventKind) -> None:
    """Well-formed data where it has no business, at the beginning, in the middle and after the end."""
    told, at = base(kind)
    whole = next(one for one in games() if one[-1]["kind"] == "seed_revealed")
    for place in (0, 1, 3, len(whole) // 2, len(whole) - 1, len(whole)):
        stranger = {**told[at - 1], "stream": whole[0]["stream"], "rules": whole[0]["rules"]}
        mixed = [*whole[:place], stranger, *whole[place:]]
        report = verify(bundle([{**body, "stream": whole[0]["stream"]} for body in mixed]), POLICY)
        json.dumps(report.document())
        assert report.exit_status != 0


def test_data_that_is_no_object_is_refused() -> None:
    told = [dict(body) for body in games()[0]]
    values: Sequence[Any] = ([], None, 1, "x")
    for value in values:
        broken = [{**told[0], "data": value}, *told[1:]]
        with pytest.raises(Exception, match="data"):
            bundle(broken)
        document = json.loads(Bundle(UUID(int=1), ()).encode())
        document["events"] = [json.dumps(body, sort_keys=True, separators=(",", ":")) for body in broken]
        document["stream"] = told[0]["stream"]
        report = verify(canonical(document), POLICY)
        assert report.failure is not None
        assert (report.failure.code, report.failure.seq) == ("V2", 1)
