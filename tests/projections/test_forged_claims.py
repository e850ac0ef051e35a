"""Each refusal, remark and note of the verifier is provoked by one bundle of a forger who holds the log's key."""

import json
from collections.abc import Iterator

import pytest

from events.errors import CabildoError
from events.words import Words
from projections.audit import (
    FIRST_EXIT,
    INVALID,
    NOT_CHECKED,
    REMARKS,
    UNDECIDED_EXIT,
    Report,
    verify,
)
from projections.audit import UNDECIDED as UNDECIDED_VERDICT
from projections.checks.case import Weight
from tests.projections.bundles import POLICY
from tests.projections.forged.doubted import NOTED, REMARKED, UNDECIDED
from tests.projections.forged.refused import REFUSED
from tests.projections.forged.tools import Claim
from tests.projections.forged_games import ALL
from tests.service.saying import said

OF_GAMES = ("projections/checks/", "projections/promises.py")
ELSEWHERE = tuple(  # what is said of tournaments, and of games moved to newer rules
    f"projections/checks/{module}.py" for module in ("authors", "case", "moving", "played", "rated", "tournament")
)


def examined(claim: Claim) -> Report:
    report = verify(claim.make(), claim.policy, claim.stream)
    json.dumps(report.document())
    return report


def name(claim: Claim) -> str:
    return claim.does


@pytest.mark.parametrize("claim", REFUSED, ids=name)
def test_a_false_claim_is_refused_by_its_check(claim: Claim) -> None:
    report = examined(claim)
    assert report.failure is not None, report.findings
    assert (report.failure.code, report.failure.reason) == (claim.code, claim.reason), report.failure
    assert (report.verdict, report.exit_status) == (INVALID, FIRST_EXIT + int(claim.code[1:]))
    if claim.at is not None:
        assert report.failure.seq == claim.at


@pytest.mark.parametrize("claim", REMARKED, ids=name)
def test_a_doubtful_claim_is_remarked_on(claim: Claim) -> None:
    report = examined(claim)
    assert (report.verdict, report.exit_status) == (REMARKS, 1), report.failure
    assert claim.reason in reasons(report, claim.code, Weight.REMARK)


@pytest.mark.parametrize("claim", UNDECIDED, ids=name)
def test_a_result_that_was_not_recomputed_is_never_valid(claim: Claim) -> None:
    report = examined(claim)
    assert (report.verdict, report.exit_status) == (UNDECIDED_VERDICT, UNDECIDED_EXIT), report.failure
    assert claim.reason in reasons(report, claim.code, Weight.UNDECIDED)
    assert [answer.status for answer in report.answers if answer.code in ("V7", "V8")] == [NOT_CHECKED] * 2


@pytest.mark.parametrize("claim", NOTED, ids=name)
def test_what_is_not_proved_by_design_is_noted(claim: Claim) -> None:
    report = examined(claim)
    assert report.failure is None
    assert claim.reason in reasons(report, claim.code, Weight.NOTE)


def reasons(report: Report, code: str, weight: Weight) -> list[str]:
    found = (one for answer in report.answers if answer.code == code for one in answer.findings)
    return [one.reason for one in found if one.weight is weight]


def patterns(said: object) -> Iterator[str]:
    """All patterns that words are made of."""
    if isinstance(said, CabildoError):
        yield from patterns(said.words)
    elif isinstance(said, Words):
        yield said.pattern
        for value in said.values.values():
            yield from patterns(value)


def provoked() -> set[str]:
    """Every pattern that the verifier says of the forged bundles."""
    claims = (*REFUSED, *REMARKED, *UNDECIDED, *NOTED)
    reports = [*map(examined, claims), *(verify(forgery.make(), POLICY) for forgery in ALL)]
    sentences = [report.failure.sentence for report in reports if report.failure]
    sentences += [found.sentence for report in reports for found in report.findings]
    return {pattern for sentence in sentences for pattern in (*patterns(sentence), str(sentence))}


def test_every_refusal_and_remark_on_a_game_has_a_forged_bundle() -> None:
    spoken = {one.pattern: one.place for one in said() if one.place.startswith(OF_GAMES)}
    spoken = {pattern: place for pattern, place in spoken.items() if not place.startswith(ELSEWHERE)}
    known = provoked()
    assert sorted(f"{place} {pattern}" for pattern, place in spoken.items() if pattern not in known) == []
