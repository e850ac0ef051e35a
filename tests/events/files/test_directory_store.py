"""A directory of published files: conditional writes, faults of the file system."""

import fcntl
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from events.files.directory_store import DirectoryStore
from events.files.file_store import FilesAway


def test_a_conditional_write_needs_the_version_that_was_seen(tmp_path: Path) -> None:
    store = DirectoryStore(tmp_path / "log")
    assert store.replace_if("checkpoint", b"1", None)
    seen = store.read_version("checkpoint")
    assert seen is not None
    assert not store.replace_if("checkpoint", b"2", None)
    assert store.replace_if("checkpoint", b"2", seen.version)
    assert not store.replace_if("checkpoint", b"3", seen.version)
    assert store.read("checkpoint") == b"2"


def test_of_many_writers_that_saw_the_same_one_succeeds(tmp_path: Path) -> None:
    stores, together = [DirectoryStore(tmp_path / "log") for _ in range(8)], threading.Barrier(8)

    def write(number: int) -> bool:
        together.wait(60)
        return stores[number].replace_if("checkpoint", b"%d" % number, None)

    with ThreadPoolExecutor(8) as threads:
        written = list(threads.map(write, range(8)))
    assert sum(written) == 1
    assert stores[0].read("checkpoint") == b"%d" % written.index(True)


def test_a_directory_that_fails_is_not_an_empty_one(tmp_path: Path) -> None:
    (tmp_path / "log").symlink_to(tmp_path / "log")
    with pytest.raises(FilesAway, match="cannot be reached"):
        DirectoryStore(tmp_path / "log").read("checkpoint")


def test_a_writer_that_stands_still_with_the_lock_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("events.files.directory_store.LOCKED_WITHIN", 0.1)
    store = DirectoryStore(tmp_path)
    assert store.replace_if("claim", b"1", None)
    with (tmp_path / ".lock").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(FilesAway):
            store.replace_if("claim", b"2", None)
    assert store.read("claim") == b"1"
