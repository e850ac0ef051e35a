"""Published moves that no archive brings back: a declared branch, which receipts of lost moves prove to be a loss."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from psycopg import Connection

from events.event import Event, received
from events.log.branch import LogBranch
from events.log.bundle import Bundle
from events.log.integrity import Audit
from events.log.monitor import FileMissing, Monitor
from events.log.publisher import CHECKPOINT
from events.log.receipts import Receipt, receipt_key
from events.merkle.notes import Note, SigningKey
from events.merkle.policy import Policy
from events.store.connections import connect, open_pool
from events.store.postgres import read, write
from projections.games.fold import record_of
from projections.verify.bundle import REMARKS, BundleReport, verify
from service.proof.public_log import files_of
from service.proof.queries import bundle, published_file
from tests.support.events.filled_store import stream_of
from tests.support.projections.bundles import GAME
from tests.support.projections.played_games import played as a_whole_game
from tests.workers.test_restore_drill import ORIGIN, SEED, House, copied

NEW = f"{ORIGIN}/two"
KEPT = 40  # events


class Loss:
    """A game whose newest published events only the published log knows."""

    def __init__(self, house: House, url: str, whole: tuple[Event, ...]) -> None:
        self.house = house
        self.url = url
        self.whole = whole

    @property
    def policy(self) -> Policy:
        """The policy of the new log."""
        return Policy.parse(files_of(self.house.settings(self.url), NEW).read("policy") or b"")

    def declare(self) -> LogBranch:
        """Declares the branch and lets a keeper publish. Returns the published statement."""
        told = self.house.run(self.url, "recover", "--branch", "two", "--reason", "the archive burnt,\n too")
        said = f"{ORIGIN} is frozen and goes on as {NEW}; 1 games, studies or tournaments lost published events\n"
        assert told == (0, said)
        with connect(self.url) as connection:
            for _ in range(2):
                self.house.keep(self.url, connection)
        statement = published_file(self.house.settings(self.url), "two/branch")
        assert statement is not None
        note = Note.parse(statement.data)
        assert len(note.verified(SigningKey.from_seed(origin, SEED).verifier for origin in (ORIGIN, NEW))) == 2
        assert published_file(self.house.settings(self.url), "branch") == statement
        return LogBranch.parse(note.text)

    def events(self) -> tuple[Event, ...]:
        """What is stored of the game."""
        with connect(self.url) as connection:
            return tuple(read(connection, GAME))

    def bundle(self) -> bytes:
        """The bundle that the service hands out."""
        with open_pool(self.url) as pool:
            return bundle(pool, self.house.settings(self.url), GAME, len(self.events()))

    def judged(self, *receipts: Note) -> BundleReport:
        """The report on the bundle with receipts that a client kept."""
        made = Bundle.read(self.bundle())
        return verify(replace(made, receipts=(*made.receipts, *receipts)).encode(), self.policy)

    def receipt(self, event: Event, hash: bytes | None = None) -> Note:
        """What a client was given for a move before the loss."""
        known = hash or event.hash
        made = Receipt(ORIGIN, GAME, event.seq, known, event.seq, known, self.whole[KEPT - 1].at, 10)
        return made.signed(receipt_key(ORIGIN, SEED))


@pytest.fixture
def loss(database: str, tmp_path: Path, redis_url: str) -> Loss:
    """A restored copy, without the archive."""
    house, whole = House(tmp_path, redis_url), tuple(a_whole_game())
    house.play(database, 1)
    with connect(database) as connection:
        write(connection, whole[:KEPT], None, b"", ())
        house.keep(database, connection)
    older = copied(database)
    with connect(database) as connection:
        write(connection, whole[KEPT:], None, b"", ())
        house.keep(database, connection)
    shutil.rmtree(tmp_path / "archive")
    with connect(older) as connection, pytest.raises(Exception, match="the log holds"):
        house.keep(older, connection)
    return Loss(house, older, whole)


def reasons(report: BundleReport) -> set[str]:
    return {found.reason for found in report.findings}


def test_a_branch_names_what_was_published_and_is_lost(loss: Loss) -> None:
    code, said = loss.house.run(loss.url, "recover")
    assert code == 1
    assert "cabildo log recover --branch" in said
    branch = loss.declare()
    (part,) = branch.lost
    assert (branch.old, branch.new, branch.common, branch.reason) == (ORIGIN, NEW, KEPT + 2, "the archive burnt, too")
    assert branch.size == len(loss.whole) + 2
    assert (part.stream, part.kept, part.last) == (GAME, loss.whole[KEPT - 1].head, loss.whole[-1].head)
    assert LogBranch.parse(str(branch)) == branch


def test_an_affected_game_goes_on_with_an_event_that_names_the_loss(loss: Loss) -> None:
    branch = loss.declare()
    (*kept, told) = loss.events()
    assert tuple(kept) == loss.whole[:KEPT]
    assert (told.kind, told.data["kept"], told.data["last"]) == ("history_lost", KEPT, len(loss.whole))
    assert told.data["statement"] == branch.digest.hex()
    before, after = record_of(kept), record_of([*kept, told])
    assert before is not None
    assert after is not None
    assert after._replace(changed=before.changed, clocks=before.clocks) == before
    with connect(loss.url) as connection:
        row = connection.execute("SELECT version, head FROM games WHERE id = %s", (GAME,)).fetchone()
    assert row == told.head


def test_a_receipt_of_a_lost_move_proves_the_loss(loss: Loss) -> None:
    loss.declare()
    assert (loss.judged().verdict, "history_lost" in reasons(loss.judged())) == (REMARKS, True)
    for event in (loss.whole[KEPT], loss.whole[-1]):
        report = loss.judged(loss.receipt(event))
        assert (report.verdict, report.failure) == (REMARKS, None)
        assert "lost_receipts" in reasons(report)


def test_an_unaffected_game_keeps_the_receipts_of_the_old_log(loss: Loss) -> None:
    loss.declare()
    with open_pool(loss.url) as pool:
        made = Bundle.read(bundle(pool, loss.house.settings(loss.url), stream_of(1), 2))
    first = received(made.events[0])
    old = Receipt(ORIGIN, first.stream, 1, first.hash, 1, first.hash, first.at, 10).signed(receipt_key(ORIGIN, SEED))
    report = verify(replace(made, receipts=(*made.receipts, old)).encode(), loss.policy)
    assert next(answer for answer in report.answers if answer.code == "V11").findings == ()


def test_a_receipt_that_contradicts_what_is_kept_proves_a_forgery(loss: Loss) -> None:
    loss.declare()
    for event in (loss.whole[KEPT - 1], loss.whole[-1]):
        failure = loss.judged(loss.receipt(event, b"\x01" * 32)).failure
        assert failure is not None
        assert (failure.code, failure.reason) == ("V11", "receipt")


def test_the_new_log_stands_for_itself(loss: Loss, tmp_path: Path) -> None:
    loss.declare()
    settings = loss.house.settings(loss.url)

    def fetch(path: str) -> bytes:
        found = published_file(settings, f"two/{path}")
        if found is None:
            raise FileMissing(path)
        return found.data

    monitor = Monitor(tmp_path / "monitor.sqlite", loss.policy)
    assert monitor.check(fetch).checkpoint.size == KEPT + 3
    monitor.close()
    with connect(loss.url) as connection:
        audited(loss, connection)
    files = [tmp_path / "bundle.json", tmp_path / "policy"]
    files[0].write_bytes(loss.bundle())
    files[1].write_text(str(loss.policy))
    done = subprocess.run(
        [sys.executable, "-m", "cabildo_client.verify_standalone", *files],
        capture_output=True,
        text=True,
        check=False,
    )
    assert {"V1": "passed", "V2": "passed", "V4": "passed"}.items() <= json.loads(done.stdout)["checks"].items()


def audited(loss: Loss, connection: Connection) -> None:
    """The audit finds no fault."""
    keys = [SigningKey.from_seed(origin, SEED).verifier for origin in (ORIGIN, NEW)]
    audit = Audit(connection, NEW, files_of(loss.house.settings(loss.url), NEW), keys)
    assert [fault for step in audit.run() for fault in step.faults] == []


def test_nothing_is_declared_lost_while_the_gate_is_open(database: str, tmp_path: Path, redis_url: str) -> None:
    house = House(tmp_path, redis_url)
    house.play(database, 1)
    code, said = house.run(database, "recover", "--branch", "two", "--reason", "in a hurry")
    assert code == 1
    assert "the gate of the log is open" in said
    assert house.run(database, "recover", "--branch", "two")[0] == 1
    assert files_of(house.settings(database), NEW).read(CHECKPOINT) is None
