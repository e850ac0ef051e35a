"""The monitor: honest growth passes, and a log that shrinks, forks, splits or skips is caught with evidence."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from events.event import leaf_entry
from events.log.monitor import Fetch, LogMisbehaves, Monitor
from events.merkle.checkpoint import Checkpoint
from events.merkle.notes import SigningKey
from events.merkle.policy import Policy
from events.merkle.tiles import read_path, write_bundle
from events.merkle.tree import Tree, leaf_hash
from tests.support.events.filled_store import stream_of

LOG = SigningKey.from_seed("log.example.org/2026", b"\x07" * 32)
POLICY = Policy.parse(f"log {LOG.verifier}\nquorum none\n".encode())


def entry(stream: int, seq: int, content: int = 0) -> bytes:
    return leaf_entry(stream_of(stream), seq, bytes([content]) * 32)


HONEST = [entry(number % 5, number // 5 + 1) for number in range(600)]


def note(entries: Sequence[bytes]) -> bytes:
    root = Tree(leaf_hash(each) for each in entries).root()
    return str(Checkpoint(LOG.name, len(entries), root).signed(LOG)).encode()


def log_of(entries: Sequence[bytes]) -> Fetch:
    """A log that serves these entries."""

    def fetch(path: str) -> bytes:
        if path == "checkpoint":
            return note(entries)
        tile = read_path(path)
        assert tile.level is None
        return write_bundle(entries[tile.number * 256 : tile.number * 256 + tile.width])

    return fetch


@pytest.fixture
def monitor(tmp_path: Path) -> Iterator[Monitor]:
    monitor = Monitor(tmp_path / "seen", POLICY)
    yield monitor
    monitor.close()


def test_honest_growth_is_followed_and_remembered(monitor: Monitor, tmp_path: Path) -> None:
    assert [monitor.check(log_of(HONEST[:size])).new for size in (0, 3, 3, 256, 300)] == [0, 3, 0, 253, 44]
    again = Monitor(tmp_path / "seen", POLICY)
    assert again.check(log_of(HONEST)).new == 300
    again.close()


def caught(monitor: Monitor, fetch: Fetch, others: dict[str, bytes] | None = None) -> LogMisbehaves:
    with pytest.raises(LogMisbehaves) as misbehaviour:
        monitor.check(fetch, others)
    return misbehaviour.value


def test_a_log_that_shrinks_is_caught(monitor: Monitor) -> None:
    monitor.check(log_of(HONEST[:300]))
    found = caught(monitor, log_of(HONEST[:299]))
    assert (found.reason, found.evidence) == ("shrank", (note(HONEST[:300]), note(HONEST[:299])))


def test_a_log_that_rewrites_is_caught(monitor: Monitor) -> None:
    monitor.check(log_of(HONEST[:300]))
    rewritten = [entry(0, 1, content=9), *HONEST[1:]]
    for size in (300, 301, 600):
        assert caught(monitor, log_of(rewritten[:size])).reason == "fork"
    assert monitor.check(log_of(HONEST)).new == 300  # the monitor does not keep a refused checkpoint


@pytest.mark.parametrize(
    "next_entry", [entry(0, 62), entry(0, 60), entry(7, 2), entry(0, 0), b"short", b"\x02" + entry(0, 61)[1:]]
)
def test_a_stream_that_skips_or_repeats_is_caught(monitor: Monitor, next_entry: bytes) -> None:
    monitor.check(log_of(HONEST[:300]))
    assert caught(monitor, log_of([*HONEST[:300], next_entry])).reason in ("stream", "entry")


def test_a_tree_shown_to_somebody_else_is_compared(monitor: Monitor) -> None:
    other = [*HONEST[:299], entry(4, 60, content=9)]
    assert monitor.check(log_of(HONEST[:300]), {"W": note(HONEST[:300]), "V": note(HONEST[:280])}).new == 300
    assert (
        caught(monitor, log_of(HONEST[:400]), {"W": note([*HONEST[:399], entry(3, 80, content=9)])}).reason == "split"
    )
    found = caught(monitor, log_of(HONEST[:300]), {"W": note(other)})
    assert (found.reason, found.evidence) == ("split", (note(other), note(HONEST[:300])))
