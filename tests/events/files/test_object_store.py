"""A bucket of published files: conditional writes, lists in pages, faults that are told and do not hang."""

import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.server import BaseHTTPRequestHandler

import pytest

from events.files.file_store import FilesAway, PublishedDiffers, read_address
from events.files.object_store import ANSWER_WITHIN, ObjectStore
from tests.support.service.object_server import ACCESS_KEY, BUCKET, REGION, SECRET_KEY, Objects, object_server

ENDS_WITHIN = 60  # seconds: retries and deadlines of one call, on a slow machine


@pytest.fixture
def objects(monkeypatch: pytest.MonkeyPatch) -> Iterator[Objects]:
    with object_server() as (url, objects):
        for name, value in (("ENDPOINT_URL", url), ("ACCESS_KEY_ID", ACCESS_KEY), ("SECRET_ACCESS_KEY", SECRET_KEY)):
            monkeypatch.setenv(f"AWS_{name}", value)
        monkeypatch.setenv("AWS_REGION", REGION)
        yield objects


@pytest.fixture
def store(objects: Objects) -> ObjectStore:
    return ObjectStore(f"s3://{BUCKET}/a/log")


def test_files_are_written_read_listed_and_removed(store: ObjectStore, objects: Objects) -> None:
    files = {f"tile/0/{number:03d}": bytes([number]) for number in range(20)}
    store.keep_all(files.items())
    store.replace_all([("checkpoint", b"one")])
    assert store.read("checkpoint") == b"one"
    assert store.read("tile/0/020") is None
    assert list(store.paths("tile")) == list(files)
    assert sorted(store.paths("")) == sorted([*files, "checkpoint"])
    assert set(objects.data) == {f"a/log/{path}" for path in (*files, "checkpoint")}
    store.remove("tile/0/000")
    store.remove("tile/0/000")
    assert list(store.paths("tile/0/")) == list(files)[1:]


def test_a_kept_object_accepts_the_same_bytes_only(store: ObjectStore) -> None:
    store.keep_all([("tile/0/000", b"x")])
    store.keep_all([("tile/0/000", b"x")])
    with pytest.raises(PublishedDiffers):
        store.keep_all([("tile/0/000", b"y")])
    assert store.read("tile/0/000") == b"x"


def test_an_object_is_replaced_only_as_it_was_seen(store: ObjectStore) -> None:
    assert store.replace_if("checkpoint", b"1", None)
    seen = store.read_version("checkpoint")
    assert seen is not None
    assert not store.replace_if("checkpoint", b"2", None)
    assert store.replace_if("checkpoint", b"2", seen.version)
    assert not store.replace_if("checkpoint", b"3", seen.version)
    store.remove("checkpoint")
    assert not store.replace_if("checkpoint", b"4", seen.version)
    assert store.read("checkpoint") is None


def test_of_many_writers_that_saw_the_same_one_succeeds(objects: Objects) -> None:
    stores = [ObjectStore(f"s3://{BUCKET}/log") for _ in range(8)]
    with ThreadPoolExecutor(8) as threads:
        written = list(threads.map(lambda n: stores[n].replace_if("claim", b"%d" % n, None), range(8)))
    assert sum(written) == 1
    assert objects.data["log/claim"] == b"%d" % written.index(True)


def test_a_write_whose_answer_was_lost_counts(store: ObjectStore, objects: Objects) -> None:
    lost: list[object] = []

    def write_and_break_off(request: BaseHTTPRequestHandler) -> bool:
        if request.command != "PUT" or lost:
            return False
        lost.append(objects.put("a/log/claim", b"mine", {}))
        request.close_connection = True
        return True

    objects.fault = write_and_break_off
    assert store.replace_if("claim", b"mine", None)
    assert lost


def refuse(request: BaseHTTPRequestHandler) -> bool:
    request.send_error(503)
    return True


def keep_silent(request: BaseHTTPRequestHandler) -> bool:
    threading.Event().wait(2 * ANSWER_WITHIN.total_seconds())
    request.close_connection = True
    return True


def test_a_server_that_refuses_or_is_silent_is_told_in_time(store: ObjectStore, objects: Objects) -> None:
    began = time.monotonic()
    objects.fault = refuse
    with pytest.raises(FilesAway, match="cannot be reached"):
        store.read("checkpoint")
    with pytest.raises(FilesAway):
        list(store.paths("tile"))
    objects.fault = keep_silent
    with pytest.raises(FilesAway):
        store.replace_if("claim", b"mine", None)
    assert time.monotonic() - began < ENDS_WITHIN


def test_a_wrong_secret_is_refused_and_not_shown(objects: Objects, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "another secret")
    with pytest.raises(FilesAway) as refused:
        ObjectStore(f"s3://{BUCKET}/log").read("checkpoint")
    assert "another secret" not in str(refused.value)


@pytest.mark.parametrize("url", ["s3:///log", "http://bucket/log", "s3://key:secret@bucket/log", "s3://bucket/log?x=1"])
def test_an_address_is_a_bucket_and_a_prefix(url: str) -> None:
    with pytest.raises(ValueError, match="s3://BUCKET/PREFIX"):
        read_address(url)


def test_a_forked_process_is_refused_and_does_not_hang(store: ObjectStore) -> None:
    assert store.read("checkpoint") is None
    child = os.fork()
    if not child:
        with suppress(FilesAway):
            store.read("checkpoint")
            os._exit(1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
