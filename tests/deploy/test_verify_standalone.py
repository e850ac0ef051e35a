"""Two judges that share no line: they agree on every bundle, every forgery and every flipped byte."""

import json
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cabildo_client import verify_standalone

from events.errors import CabildoError
from events.merkle.policy import Policy
from events.merkle.tree import Tree, consistency_proof, inclusion_proof, verify_consistency, verify_inclusion
from projections.verify.bundle import VALID, BundleReport, verify
from tests.support.projections.bundles import POLICY, honest
from tests.support.projections.forged_games import ALL
from tests.support.projections.forgeries import FORGERIES, Forgery

ZEROS = "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
SHARED = ("V1", "V2", "V3", "V4", "V5")
OTHER_POLICY = verify_standalone.LogPolicy(str(POLICY).encode())


def first_judge(data: bytes) -> tuple[str, int | None] | None:
    """Returns the findings of `cabildo verify` for the checks that both verifiers make."""
    return shared(verify(data, POLICY))


def shared(report: BundleReport) -> tuple[str, int | None] | None:
    failure = report.failure
    return (failure.code, failure.seq) if failure and failure.code in SHARED else None


def second_judge(data: bytes) -> tuple[str, int | None] | None:
    found = verify_standalone.verify(data, OTHER_POLICY)
    return (found["failed"], found["event"]) if found["failed"] else None


@pytest.mark.parametrize("level", [0, 1, 2])
def test_both_judges_pass_honest_bundles(level: int) -> None:
    assert first_judge(honest(level).encode()) is second_judge(honest(level).encode()) is None


@pytest.mark.parametrize("forgery", ALL, ids=lambda forgery: forgery.does)
def test_both_judges_name_the_same_check_and_event(forgery: Forgery) -> None:
    data = forgery.make()
    assert first_judge(data) == second_judge(data)


@pytest.mark.parametrize("half", [0, 1])
def test_a_flipped_byte_at_any_offset_is_never_valid_and_both_judges_agree(half: int) -> None:
    data = honest(1).encode()
    middle = len(data) // 2
    for at in range(middle * half, middle + half * (len(data) - middle)):
        flipped = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        report = verify(flipped, POLICY)
        assert report.verdict != VALID, at
        assert report.failure is not None or report.remarks, at
        assert shared(report) == second_judge(flipped), at


def statuses(data: bytes, *, trusted: bool) -> tuple[dict[str, str], dict[str, str]]:
    """Returns the status of V1 to V5 from both verifiers: passed, failed, not checked or not reached."""
    first = verify(data, POLICY if trusted else None)
    second = verify_standalone.verify(data, OTHER_POLICY if trusted else None)["checks"]
    told = {answer.code: answer.status for answer in first.answers if answer.code in SHARED}
    return told, {code: status.partition(":")[0] for code, status in second.items()}


@pytest.mark.parametrize("trusted", [True, False], ids=["policy", "no policy"])
def test_both_judges_establish_the_same_claims(trusted: bool) -> None:
    made = [honest(level).encode() for level in (0, 1, 2)] + [forgery.make() for forgery in ALL]
    for data in made:
        first, second = statuses(data, trusted=trusted)
        assert first == second


def included(index: int, size: int, leaf: bytes, proof: list[bytes], root: bytes) -> bool:
    try:
        return verify_standalone.included(index, size, leaf, proof) == root
    except verify_standalone.Wrong:
        return False


def grown(old: int, size: int, old_root: bytes, root: bytes, proof: list[bytes]) -> bool:
    try:
        return verify_standalone.grown(old, size, [old_root], proof) == (old_root, root)
    except ValueError:
        return False


def believed(verify_proof: Callable[..., None], *given: Any) -> bool:
    try:
        verify_proof(*given)
    except CabildoError:
        return False
    return True


def test_both_verifiers_accept_the_same_proofs() -> None:
    tree = Tree(sha256(bytes([number])).digest() for number in range(9))
    places = [(number, size) for size in range(1, 10) for number in range(size)]
    for number, size in places:
        inclusion, growth = inclusion_proof(number, size, tree.node), consistency_proof(number, size, tree.node)
        for at, other in places:
            for cut in (slice(None), slice(1, None), slice(-1), slice(None, None, -1)):
                leaf = at, other, tree.node(0, number), inclusion[cut], tree.root(size)
                assert included(*leaf) == believed(verify_inclusion, *leaf)
                if at:
                    roots = at, other, tree.root(number), tree.root(size), growth[cut]
                    assert grown(*roots) == believed(verify_consistency, *roots)


def test_the_second_judge_runs_alone(tmp_path: Path) -> None:
    """Isolated, from a copy elsewhere: it imports nothing of the project."""
    program = tmp_path / "judge.py"
    program.write_bytes(Path(verify_standalone.__file__).read_bytes())
    (tmp_path / "policy").write_text(str(POLICY))
    for name, data, status, failed in (
        ("honest", honest().encode(), 0, None),
        ("forged", FORGERIES[0].make(), 12, "V2"),
    ):
        (tmp_path / name).write_bytes(data)
        command = [sys.executable, "-I", str(program), str(tmp_path / name), str(tmp_path / "policy")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, json.loads(done.stdout)["failed"]) == (status, failed), done.stderr


def test_called_wrongly_it_says_how(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert verify_standalone.main([]) == 2
    assert verify_standalone.main([str(tmp_path / "absent")]) == 2
    assert "BUNDLE" in capsys.readouterr().err
    (tmp_path / "open.zip").write_bytes(b"PK\x03\x04")
    assert verify_standalone.main([str(tmp_path / "open.zip")]) == 2
    assert "unpack it" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    [
        "quorum none\nquorum none\n",
        "quorum X\n",
        f"log {POLICY.logs[0].key.name}+00000000+{ZEROS}\nquorum none\n",
        str(POLICY).replace("quorum W", "group G 2 W\nquorum G"),
        "witness none x\n",
    ],
)
def test_both_refuse_the_same_policies(text: str) -> None:
    with pytest.raises(CabildoError):
        Policy.parse(text.encode())
    with pytest.raises(verify_standalone.Wrong):
        verify_standalone.LogPolicy(text.encode())
