"""Verifies a bundle: runs the table of checks in order until one fails."""

from collections.abc import Callable, Iterable
from typing import NamedTuple
from uuid import UUID

from events.errors import CabildoError
from events.json_types import Json
from events.merkle.policy import Policy
from projections.verify.checks import chance, game_clocks, game_play, log, statements
from projections.verify.checks.case import GAME, TOURNAMENT, Case, Check, CheckFailed, Contents, Finding, Weight
from projections.verify.checks.parted import Parted
from projections.verify.checks.tournament import judge_tournament

VALID, REMARKS, INVALID, UNDECIDED = "valid", "valid with remarks", "invalid", "undecided"
PASSED, FAILED, NOT_CHECKED = "passed", "failed", "not checked"
NOT_REACHED, NOT_APPLICABLE = "not reached", "not applicable"
FIRST_EXIT = 10  # a failed check Vn ends the command with 10 + n
UNDECIDED_EXIT = 30  # nothing is known to be wrong, and the result was not recomputed


class CheckRow(NamedTuple):
    """A check in a report; one without a function does not apply to a single game."""

    code: str
    asks: str
    check: Check
    of: str | None = None  # the kind of stream it is for; None: any

    def applies(self, case: Case) -> bool:
        """Returns whether the check applies to the case."""
        return self.of in (None, case.kind)


CHECKS = (
    CheckRow("V1", "Is the file exactly one bundle?", log.read_file),
    CheckRow("V2", "Do the events form one unbroken chain?", log.follow_chain),
    CheckRow("V3", "Did a trusted log sign it, and did witnesses see it?", log.judge_signatures),
    CheckRow("V4", "Does the public log include these events?", log.find_places),
    CheckRow("V5", "Was chance bound before play, and kept to?", chance.check_commitments, GAME),
    CheckRow("V6", "Is every draw the one that was committed to?", game_play.recompute_draws, GAME),
    CheckRow("V7", "Is every move legal, and recorded as it was?", game_play.judge_moves, GAME),
    CheckRow("V8", "Is the result what the rules count?", game_play.recount_result, GAME),
    CheckRow("V9", "Do clocks and flags follow from the times?", game_clocks.check_clocks, GAME),
    CheckRow("V10", "Do the players' own statements agree?", statements.compare_statements, GAME),
    CheckRow("V11", "Do the receipts agree?", log.compare_receipts),
    CheckRow("V12", "Is the tournament complete, and recomputed the same?", judge_tournament, TOURNAMENT),
    CheckRow("V13", "Is everything withheld listed?", log.list_withheld),
)


class CheckOutcome(NamedTuple):
    """The outcome of one check."""

    code: str
    asks: str
    status: str
    findings: tuple[Finding, ...] = ()

    @property
    def why_not(self) -> str | None:
        """The reason why the check did not establish its claim, or None when it did, failed or did not run."""
        return next((found.sentence for found in self.findings if not found.checked), None)

    def document(self, tell: Callable[[str], str]) -> dict[str, Json]:
        """Returns the outcome as JSON."""
        remarks: list[Json] = [
            {"reason": found.reason, "sentence": tell(found.sentence), "weight": found.weight.value}
            for found in self.findings
        ]
        return {
            "code": self.code,
            "asks": tell(self.asks),
            "status": self.status,
            "why_not": None if self.why_not is None else tell(self.why_not),
            "remarks": remarks,
        }


class Failure(NamedTuple):
    """The first failed check and its reason."""

    code: str
    reason: str
    sentence: str
    seq: int | None

    @property
    def exit_status(self) -> int:
        return FIRST_EXIT + int(self.code[1:])


class BundleReport(NamedTuple):
    """The outcomes of all checks: proved, not proved, and the first failure."""

    answers: tuple[CheckOutcome, ...]
    failure: Failure | None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The unproved claims, in the order of the checks."""
        return tuple(found for answer in self.answers for found in answer.findings)

    @property
    def notes(self) -> tuple[Finding, ...]:
        """Findings on claims that are unproved by design; they do not change the verdict."""
        return tuple(found for found in self.findings if found.weight is Weight.NOTE)

    @property
    def remarks(self) -> tuple[Finding, ...]:
        """Findings for a director to read."""
        return tuple(found for found in self.findings if found.weight is not Weight.NOTE)

    @property
    def verdict(self) -> str:
        """Valid: the result is recomputed and the log includes the stream as the policy requires."""
        if self.failure:
            return INVALID
        if any(found.weight is Weight.UNDECIDED for found in self.findings):
            return UNDECIDED
        return REMARKS if self.remarks else VALID

    @property
    def exit_status(self) -> int:
        """0 valid, 1 valid with remarks, 10 + n: check Vn failed, 30: the result was not recomputed."""
        if self.failure:
            return self.failure.exit_status
        return {VALID: 0, REMARKS: 1}.get(self.verdict, UNDECIDED_EXIT)

    def document(self, tell: Callable[[str], str] = str) -> dict[str, Json]:
        """Returns the report as JSON; `tell` translates a sentence for the reader."""
        failure = self.failure
        return {
            "verdict": self.verdict,
            "exit_status": self.exit_status,
            "failure": {**failure._asdict(), "sentence": tell(failure.sentence)} if failure else None,
            "checks": [answer.document(tell) for answer in self.answers],
            "remarks": _translated(self.remarks, tell),
            "notes": _translated(self.notes, tell),
            "not_proved": _translated(self.findings, tell),
        }


def _translated(findings: Iterable[Finding], tell: Callable[[str], str]) -> list[Json]:
    """Returns the translated sentences, without repetitions."""
    return [*dict.fromkeys(tell(found.sentence) for found in findings)]


def verify(
    data: bytes, policy: Policy | None, stream: UUID | None = None, archive: Contents | None = None
) -> BundleReport:
    """Verifies a bundle, of this stream if given, with the other contents of its archive.

    It needs no server, no database, no clock.
    """
    case = Case(data, policy, stream, archive)
    answers: list[CheckOutcome] = []
    failure: Failure | None = None
    for row in CHECKS:
        if failure or not row.applies(case):
            answers.append(CheckOutcome(row.code, row.asks, NOT_REACHED if row.applies(case) else NOT_APPLICABLE))
            continue
        try:
            findings = tuple(row.check(case))
            status = PASSED if all(found.checked for found in findings) else NOT_CHECKED
            answers.append(CheckOutcome(row.code, row.asks, status, findings))
        except CabildoError as fault:
            failure = _failure(row.code, fault)
            answers.append(CheckOutcome(row.code, row.asks, FAILED))
    return BundleReport(tuple(answers), failure)


def _failure(code: str, fault: CabildoError) -> Failure:
    seq = getattr(fault, "seq", None)
    reason = fault.reason if isinstance(fault, CheckFailed | Parted) else _slug(type(fault).__name__)
    return Failure(code, reason, fault.words, seq)


def _slug(name: str) -> str:
    """BrokenChain -> broken_chain."""
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in name).lstrip("_")
