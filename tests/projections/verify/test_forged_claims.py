"""Each refusal, remark and note of the verifier is provoked by one bundle of a forger who holds the log's key."""

import json
from collections.abc import Iterator

import pytest
from cabildo_client import verify_standalone

from events.errors import CabildoError
from events.messages import Message
from projections.verify.bundle import FIRST_EXIT, INVALID, NOT_CHECKED, REMARKS, UNDECIDED_EXIT, BundleReport, verify
from projections.verify.bundle import UNDECIDED as UNDECIDED_VERDICT
from projections.verify.checks.case import Weight
from tests.support.projections.bundles import POLICY
from tests.support.projections.forged.doubted import NOTED, REMARKED, UNDECIDED
from tests.support.projections.forged.refused import REFUSED
from tests.support.projections.forged.tools import Claim
from tests.support.projections.forged.tournaments import CLAIMS as TOURNAMENTS
from tests.support.projections.forged_games import ALL
from tests.support.service.translation_scan import PROJECT, said

OF_CHECKS = ("projections/verify/checks/", "projections/games/commitments.py")
MOVED, RATED = "tests/service/games/test_change_rules.py", "tests/service/tournaments/test_rated.py"
ELSEWHERE = {  # findings that need a whole service or a second rules version -> the test that provokes them
    "the rules {to} are not newer than {now}": (MOVED, "test_rules_that_are_not_newer_or_not_there_are_refused"),
    "the rules {to} make another {name!r} of event {seq}": (
        MOVED,
        "test_a_game_of_which_the_newer_rules_would_have_made_another_one_stays",
    ),
    "event {seq}: {refused}": (MOVED, "test_a_move_that_the_newer_rules_forbid_or_another_setup_is_named"),
    "game {game} is not among those that were rated": (RATED, "test_what_was_changed_in_the_ratings_is_named"),
    "game {game} was rated otherwise than it ended": (RATED, "test_what_was_changed_in_the_ratings_is_named"),
    "games that were not rated yet when the file was made: {count}": (
        RATED,
        "test_ratings_may_be_behind_while_the_log_is",
    ),
    "how the other games ended that the ratings come from as well ({count}) is the service's word": (
        RATED,
        "test_a_stranger_computes_the_ratings_again_from_the_archive",
    ),
    "edition {number} of the archive was replaced: edition {known} holds": (
        "tests/service/tournaments/test_corrections.py",
        "test_a_replaced_archive_says_so_when_the_newer_is_known",
    ),
}


def examined(claim: Claim) -> BundleReport:
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


@pytest.mark.parametrize("claim", [*REFUSED, *REMARKED, *UNDECIDED, *NOTED], ids=name)
def test_the_standalone_verifier_agrees_on_what_both_check(claim: Claim) -> None:
    """The verifier does not know the claimed game of the bundle."""
    failure = verify(claim.make(), claim.policy).failure
    shared = failure if failure and failure.code in ("V1", "V2", "V3", "V4", "V5") else None
    policy = verify_standalone.LogPolicy(str(claim.policy).encode()) if claim.policy else None
    other = verify_standalone.verify(claim.make(), policy)
    assert (other["failed"], other["event"]) == ((shared.code, shared.seq) if shared else (None, None))


def reasons(report: BundleReport, code: str, weight: Weight) -> list[str]:
    found = (one for answer in report.answers if answer.code == code for one in answer.findings)
    return [one.reason for one in found if one.weight is weight]


def patterns(said: object) -> Iterator[str]:
    """All patterns that words are made of."""
    if isinstance(said, CabildoError):
        yield from patterns(said.words)
    elif isinstance(said, Message):
        yield said.pattern
        for value in said.values.values():
            yield from patterns(value)


def provoked() -> set[str]:
    """Every pattern that the verifier says of the forged bundles and tournaments."""
    claims = (*REFUSED, *REMARKED, *UNDECIDED, *NOTED)
    reports = [*map(examined, claims), *(verify(forgery.make(), POLICY) for forgery in ALL)]
    reports += [claim.examined() for claim in TOURNAMENTS]
    sentences = [report.failure.sentence for report in reports if report.failure]
    sentences += [found.sentence for report in reports for found in report.findings]
    return {pattern for sentence in sentences for pattern in (*patterns(sentence), str(sentence))}


def test_every_refusal_and_remark_has_a_forged_input() -> None:
    spoken = {one.pattern: one.place for one in said() if one.place.startswith(OF_CHECKS)}
    known = provoked() | ELSEWHERE.keys()
    assert [pattern for pattern in spoken if pattern not in known] == []
    assert sorted(ELSEWHERE.keys() - spoken.keys()) == []


@pytest.mark.parametrize(("path", "test"), sorted(set(ELSEWHERE.values())), ids=lambda one: one[-40:])
def test_what_is_provoked_elsewhere_names_a_test_that_is_there(path: str, test: str) -> None:
    assert f"\ndef {test}(" in (PROJECT / path).read_text()
