"""V12 refuses or remarks on each forged tournament by name; the stored ones are what they were."""

import pytest

from tests.support.projections.forged.tournaments import CLAIMS, Claim


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.does)
def test_a_forged_tournament_is_named(claim: Claim) -> None:
    report = claim.examined()
    found = [one.reason for answer in report.answers if answer.code == "V12" for one in answer.findings]
    said = [report.failure.reason] if report.failure and report.failure.code == "V12" else found
    assert claim.reason in said, report.failure
    assert report.exit_status != 0
