"""`cabildo verify` as an auditor meets it: sentences, exit status, JSON."""

import json
import re
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest
from click.testing import CliRunner, Result

from deploy.cli import main
from events.event import Event
from projections.verify.archive import pack
from tests.support.projections.bundles import GAME, POLICY, RECEIPTS, bundle_of, chained, drafts, honest, receipt_for
from tests.support.projections.forgeries import FORGERIES, written

DRAWS_WRONG = next(forgery for forgery in FORGERIES if forgery.found_by == "V5")


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    path = tmp_path / "policy"
    path.write_text(str(POLICY))
    return path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["verify", *map(str, arguments)])


def saved(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "game.json"
    path.write_bytes(data)
    return path


def test_a_valid_bundle_ends_with_0(tmp_path: Path, policy: Path) -> None:
    done = run(saved(tmp_path, honest().encode()), "--policy", policy)
    assert done.exit_code == 0, done.output
    assert "game.json is valid." in done.output
    assert "Remarks" not in done.output


def test_what_is_not_proved_by_design_is_told_as_notes(tmp_path: Path) -> None:
    done = run(saved(tmp_path, honest(0).encode()))
    assert (done.exit_code, "game.json is valid." in done.output) == (0, True), done.output
    assert re.search(r"V3 .* not checked: +no policy was given", done.output)
    assert "Not proved by design:" in done.output
    assert "the operator could choose the deal" in done.output


def test_what_a_director_should_read_ends_with_1(tmp_path: Path, policy: Path) -> None:
    unsealed = replace(honest(), proof=None, barriers=(), growth=())
    done = run(saved(tmp_path, unsealed.encode()), "--policy", policy)
    assert (done.exit_code, "Remarks:" in done.output) == (1, True)
    assert "no published checkpoint includes the last event yet" in done.output
    assert "valid with remarks" in done.output


def test_a_quorum_that_no_witness_signed_is_refused(tmp_path: Path, policy: Path) -> None:
    done = run(saved(tmp_path, bundle_of(chained(drafts()), cosigned=False).encode()), "--policy", policy)
    assert (done.exit_code, "is invalid." in done.output) == (13, True)
    assert "Wrong (V3): too few witnesses cosigned" in done.output


def test_the_first_thing_wrong_is_named_by_check_and_event(tmp_path: Path, policy: Path) -> None:
    done = run(saved(tmp_path, DRAWS_WRONG.make()), "--policy", policy)
    assert done.exit_code == 15
    assert f"Wrong (V5): event {DRAWS_WRONG.at}: " in done.output
    assert "is invalid." in done.output


def test_machines_get_json(tmp_path: Path, policy: Path) -> None:
    done = run(saved(tmp_path, DRAWS_WRONG.make()), "--policy", policy, "--json")
    told = json.loads(done.output)
    assert (done.exit_code, told["exit_status"], told["verdict"]) == (15, 15, "invalid")
    assert (told["failure"]["code"], told["failure"]["seq"]) == ("V5", DRAWS_WRONG.at)
    statuses = [check["status"] for check in told["checks"]]
    assert statuses == ["passed"] * 4 + ["failed"] + ["not reached"] * 6 + ["not applicable", "not reached"]


def test_files_that_cannot_be_read_end_with_2(tmp_path: Path, policy: Path) -> None:
    assert run(tmp_path / "absent").exit_code == 2
    bundle = saved(tmp_path, honest().encode())
    assert run(bundle, "--policy", tmp_path / "absent").exit_code == 2
    policy.write_text("quorum nobody\n")
    done = run(bundle, "--policy", policy)
    assert done.exit_code == 2
    assert "used before it is defined" in done.output


def test_an_archive_is_told_game_by_game(tmp_path: Path, policy: Path) -> None:
    done = run(saved(tmp_path, pack([(GAME, honest().encode())])), "--policy", policy)
    assert (done.exit_code, f"{GAME} is valid" in done.output) == (0, True), done.output
    done = run(saved(tmp_path, pack([(GAME, DRAWS_WRONG.make())])), "--policy", policy, "--json")
    told = json.loads(done.output)
    assert (done.exit_code, told["games"][0]["stream"]) == (15, str(GAME))
    done = run(saved(tmp_path, pack([])[:40]), "--policy", policy)
    assert (done.exit_code, "not a zip file" in done.output) == (11, True)


def kept(tmp_path: Path, *events: Event) -> Path:
    """The file of a client that kept receipts of these events."""
    file = tmp_path / "receipts.ndjson"
    rows = [{"game": str(event.stream), "receipt": str(receipt_for(event).signed(RECEIPTS))} for event in events]
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return file


def test_receipts_that_a_client_kept_agree(tmp_path: Path, policy: Path) -> None:
    file, other = saved(tmp_path, honest().encode()), chained(drafts(), UUID(int=5))
    receipts = kept(tmp_path, *chained(drafts())[3:5], other[0])
    assert run(file, "--policy", policy, "--receipts", receipts).exit_code == 0


def test_a_receipt_proves_a_rewritten_history(tmp_path: Path, policy: Path) -> None:
    """The log, the witnesses and the receipts in the bundle only know the new history; a player knows better."""
    rewritten = saved(tmp_path, bundle_of(chained(written(8, cause="operator"))).encode())
    evidence, receipts = tmp_path / "evidence.json", kept(tmp_path, chained(drafts())[7])
    assert run(rewritten, "--policy", policy).exit_code == 0
    done = run(rewritten, "--policy", policy, "--receipts", receipts, "--evidence", evidence)
    assert done.exit_code == 21
    assert "event 8: a signed receipt names another event here" in done.output
    assert run(evidence, "--policy", policy).exit_code == 21


def test_newer_receipts_do_not_contradict_a_running_game(tmp_path: Path, policy: Path) -> None:
    events = chained(drafts())
    unfinished = saved(tmp_path, bundle_of(events[:7]).encode())
    done = run(unfinished, "--policy", policy, "--receipts", kept(tmp_path, events[7]))
    assert (done.exit_code, "a receipt is of event 8" in done.output) == (1, True), done.output
    beyond = events[8]._replace(seq=12)
    done = run(saved(tmp_path, honest().encode()), "--policy", policy, "--receipts", kept(tmp_path, beyond))
    assert (done.exit_code, "event 12" in done.output) == (21, True), done.output


def test_a_file_that_holds_no_receipts_is_refused(tmp_path: Path) -> None:
    file, other = saved(tmp_path, honest().encode()), tmp_path / "receipts"
    other.write_text('{"game": 3}\n')
    done = run(file, "--receipts", other)
    assert (done.exit_code, "a line is none" in done.output) == (2, True)
