"""Bundles examined: honest ones are valid, each forgery is found by its check, and nothing else is believed."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.event import received
from events.log.bundle import Barrier, Bundle, Root, RulesData, Withheld
from events.merkle.policy import Policy
from projections.verify.bundle import CHECKS, INVALID, NOT_CHECKED, PASSED, REMARKS, VALID, verify
from tests.support.projections.bundles import (
    LOG,
    POLICY,
    RULES,
    START_TIME,
    PublicLog,
    bundle_of,
    chained,
    drafts,
    honest,
    rechained,
)
from tests.support.projections.forged_games import ALL
from tests.support.projections.forgeries import FORGERIES, Forgery, with_events

SEALED = Policy.parse(f"log {LOG.verifier}\nquorum none\n".encode())


def reasons(data: bytes, policy: Policy | None = POLICY) -> list[str]:
    """Returns the remarks on a valid bundle."""
    report = verify(data, policy)
    assert report.failure is None
    return [found.reason for found in report.remarks]


def noted(data: bytes, policy: Policy | None = POLICY) -> set[str]:
    """Returns the reasons of the checks that prove nothing by design."""
    return {found.reason for found in verify(data, policy).notes}


def statuses(data: bytes, policy: Policy | None = POLICY) -> dict[str, str]:
    return {answer.code: answer.status for answer in verify(data, policy).answers}


BY_DESIGN = {
    "level",
    "aborted",
    "away",
    "dates",
    "no_statements",
}  # of a game of level 2 that is given up before it starts


def test_an_honest_bundle_is_valid() -> None:
    report = verify(honest().encode(), POLICY)
    assert (report.verdict, report.exit_status, report.remarks) == (VALID, 0, ())
    assert {found.reason for found in report.notes} == BY_DESIGN
    assert [answer.code for answer in report.answers] == [row.code for row in CHECKS]


def test_bundles_round_trip() -> None:
    made = replace(
        honest(),
        rules=RulesData(RULES, bytes(32)),
        roots=(Root(5, PublicLog(chained(drafts()), ()).note(3)),),
        withheld=(Withheld(8, "reason", bytes(32), "erased"),),
    )
    assert Bundle.read(made.encode()) == made


@pytest.mark.parametrize("forgery", ALL, ids=lambda forgery: forgery.does)
def test_a_forgery_is_found_by_its_check(forgery: Forgery) -> None:
    report = verify(forgery.make(), POLICY)
    assert report.failure is not None
    assert (report.verdict, report.failure.code) == (INVALID, forgery.found_by), report.failure
    assert report.exit_status == 10 + int(forgery.found_by[1:])
    assert report.failure.seq == forgery.at
    assert report.failure.sentence
    json.dumps(report.document())


def test_what_is_not_proved_by_design_is_a_note() -> None:
    for level in (0, 1):
        assert (reasons(honest(level).encode()), noted(honest(level).encode())) == ([], BY_DESIGN)
    assert (reasons(honest().encode(), None), verify(honest().encode(), None).exit_status) == ([], 0)
    assert noted(honest().encode(), None) == BY_DESIGN - {"dates"} | {"no_policy", "receipts_unread"}
    assert reasons(honest().encode(), SEALED) == []
    assert noted(honest().encode(), SEALED) == BY_DESIGN - {"dates"} | {"unknown_signature", "no_witnesses", "undated"}
    without = replace(honest(), receipts=(), receipt_keys=()).encode()
    assert noted(without) == BY_DESIGN | {"no_receipts"}


def test_what_a_director_should_read_is_a_remark() -> None:
    undated = replace(honest(), barriers=(), growth=())
    assert reasons(undated.encode()) == ["not_sealed_first"]
    unsealed = replace(undated, proof=None)
    assert reasons(unsealed.encode()) == ["not_sealed", "not_sealed", "not_sealed_first"]
    assert reasons(bundle_of(chained(drafts()[:7])).encode()) == ["draws_unread", "unfinished"]
    reason = bytes.fromhex("dd" * 32)
    assert reasons(replace(honest(), withheld=(Withheld(8, "reason", reason, "erased"),)).encode()) == ["withheld"]
    assert verify(unsealed.encode(), POLICY).exit_status == 1


def test_a_check_passes_only_when_its_claim_was_established() -> None:
    unsealed = replace(honest(), proof=None, barriers=(), growth=()).encode()
    assert {code: statuses(unsealed, None)[code] for code in ("V3", "V4", "V11")} == dict.fromkeys(
        ("V3", "V4", "V11"), NOT_CHECKED
    )
    assert (statuses(honest().encode(), None)["V3"], statuses(honest().encode(), None)["V4"]) == (NOT_CHECKED,) * 2
    assert (statuses(honest().encode())["V3"], statuses(honest().encode())["V4"]) == (PASSED,) * 2


def test_entropy_revealed_before_commitments_were_sealed_counts_for_less() -> None:
    events = chained(drafts())
    log = PublicLog(events, (6, events[-1].seq))  # the barrier's checkpoint already includes both reveals
    barriers = (Barrier(4, log.proof(4, log.sizes[0])), Barrier(5, log.proof(5, log.sizes[1])))
    proof = log.proof(events[-1].seq, log.sizes[1])
    made = replace(honest(), proof=proof, barriers=barriers, growth=log.growth(log.sizes))
    assert reasons(made.encode()) == ["not_sealed_first"]


def test_entropy_revealed_before_all_commitments_are_in_is_refused() -> None:
    made = drafts()
    report = verify(bundle_of(chained([*made[:3], *made[4:]]), ()).encode(), POLICY)
    assert report.failure is not None
    assert (report.failure.code, report.failure.seq) == ("V5", 4)


def test_absent_entropy_before_the_start_is_no_fault() -> None:
    made = drafts()
    silent = made[5]._replace(data={"chair": 1, "entropy": None})
    assert reasons(bundle_of(chained([*made[:5], silent, *made[6:]])).encode()) == []


def test_the_clocks_of_a_witness_may_differ_a_little() -> None:
    assert reasons(bundle_of(chained(drafts()), time=START_TIME - 50).encode()) == []


def changed(value: Any) -> Any:
    """Something else in the place of a value."""
    if isinstance(value, bool):
        return not value
    if value is None:
        return 1
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return ("0" if value[:1] != "0" else "1") + value[1:]
    if isinstance(value, list):
        return [*value, None]
    return {**value, "more": 1}


def paths(value: Any) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(), *((key, *rest) for key, item in inner for rest in paths(item))]


def with_change(value: Any, path: tuple[Any, ...]) -> Any:
    if not path:
        return changed(value)
    copied: Any = dict(value) if isinstance(value, dict) else list(value)
    copied[path[0]] = with_change(copied[path[0]], path[1:])
    return copied


def test_every_field_of_every_event_changed_is_named_by_its_event() -> None:
    events = [json.loads(body) for body in honest().events]
    for number, event in enumerate(events):
        for path in paths(event)[1:]:
            forged = list(honest().events)
            forged[number] = json.dumps(with_change(event, path), sort_keys=True, separators=(",", ":")).encode()
            report = verify(with_events(forged), POLICY)
            assert report.failure is not None
            at_or_after = (number + 1, number + 2) if number + 1 < len(events) else (number + 1, None)
            assert (report.failure.code, report.failure.seq) in {
                (code, at) for code in ("V2", "V4") for at in at_or_after
            }


def test_every_field_of_every_event_changed_and_chained_anew_is_found() -> None:
    events = [json.loads(body) for body in honest().events]
    for number, event in enumerate(events):
        for path in paths(event)[1:]:
            report = verify(
                with_events(rechained([*events[:number], with_change(event, path), *events[number + 1 :]])), POLICY
            )
            if path != ("prev",):  # chaining anew undoes this change
                assert report.failure is not None
                assert report.failure.code in ("V2", "V4")


def without(value: Any, path: tuple[Any, ...]) -> Any:
    """Returns a document without the item at a path."""
    copied: Any = dict(value) if isinstance(value, dict) else list(value)
    if len(path) == 1:
        del copied[path[0]]
    else:
        copied[path[0]] = without(copied[path[0]], path[1:])
    return copied


def test_every_field_of_every_event_dropped_is_named_by_its_event() -> None:
    events = [json.loads(body) for body in honest().events]
    for number, event in enumerate(events):
        for path in paths(event)[1:]:
            told = [*events[:number], without(event, path), *events[number + 1 :]]
            forged = [json.dumps(body, sort_keys=True, separators=(",", ":")).encode() for body in told]
            failure = verify(with_events(forged), POLICY).failure
            assert failure is not None
            assert (failure.code, failure.seq) in {
                ("V2", number + 1),
                ("V2", number + 2),
                ("V4", None),
            }, path


def test_a_forgery_signed_by_the_operator_lacks_its_witnesses() -> None:
    """With the log's own keys everything can be signed again, but no witness cosigns a second history."""
    events = [json.loads(body) for body in honest().events]
    for number, event in enumerate(events):
        for name in event["data"]:
            changed_event = with_change(event, ("data", name))
            bodies = rechained([*events[:number], changed_event, *events[number + 1 :]])
            made = bundle_of([received(body) for body in bodies], cosigned=False)
            failure = verify(made.encode(), POLICY).failure
            assert failure is not None
            assert (failure.code, failure.reason) in {("V2", "chain"), ("V3", "not_witnessed")}


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_a_bundle_cut_or_stuffed_anywhere_is_never_valid(data: st.DataObject) -> None:
    honest_data = honest().encode()
    begin = data.draw(st.integers(0, len(honest_data)))
    end = data.draw(st.integers(begin, min(len(honest_data), begin + 50)))
    forged = honest_data[:begin] + data.draw(st.binary(max_size=50)) + honest_data[end:]
    assert forged == honest_data or verify(forged, POLICY).verdict != VALID


def test_remarks_do_not_hide_a_failure() -> None:
    report = verify(FORGERIES[0].make(), SEALED)
    assert (report.verdict, report.exit_status) == (INVALID, 12)
    assert verify(replace(honest(), proof=None, barriers=(), growth=()).encode(), POLICY).verdict == REMARKS
