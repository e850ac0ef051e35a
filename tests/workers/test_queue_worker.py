"""A worker process: one queue, jobs as JSON, a running job finished before a polite stop."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis
from rq import Queue
from rq.job import Job, JobStatus
from rq.serializers import JSONSerializer

from tests.support.lifelines import bound
from tests.support.running_program import PATIENCE, PROJECT, eventually

NAME = "the-one-that-is-tested"


@pytest.fixture
def client(redis_url: str) -> Iterator[redis.Redis]:
    """A client of the test's Redis."""
    with redis.Redis.from_url(redis_url) as connected:
        yield connected


@contextmanager
def working(database: str, redis_url: str, tmp_path: Path, name: str = NAME) -> Iterator["subprocess.Popen[bytes]"]:
    """`cabildo worker bots` for a while, the only one at this Redis."""
    process = subprocess.Popen(
        bound((sys.executable, "-m", "deploy.cli", "worker", "bots", "--name", name)),
        cwd=PROJECT,
        env={
            **os.environ,
            "DATABASE_URL": database,
            "REDIS_URL": redis_url,
            "CABILDO_MASTER_KEY": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
            "CABILDO_DATA_DIR": str(tmp_path),
        },
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE)


def test_a_job_is_done_and_its_answer_is_json(
    client: redis.Redis, database: str, redis_url: str, tmp_path: Path
) -> None:
    queue = Queue("bots", connection=client, serializer=JSONSerializer)
    job = queue.enqueue("math.gcd", 12, 18)
    with working(database, redis_url, tmp_path):
        assert eventually(lambda: job.get_status() == JobStatus.FINISHED)
    assert job.return_value() == 6


def test_sigterm_lets_the_running_job_finish(
    client: redis.Redis, database: str, redis_url: str, tmp_path: Path
) -> None:
    queue = Queue("bots", connection=client, serializer=JSONSerializer)
    job = queue.enqueue("time.sleep", 1.5)
    with working(database, redis_url, tmp_path) as process:
        assert eventually(lambda: job.get_status() == JobStatus.STARTED)
        started = Job.fetch(job.id, connection=client, serializer=JSONSerializer)
        assert started.worker_name == NAME  # no other has taken it while this one was starting
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    assert job.get_status() == JobStatus.FINISHED


def test_a_job_beyond_its_time_is_interrupted_and_the_worker_goes_on(
    client: redis.Redis, database: str, redis_url: str, tmp_path: Path
) -> None:
    queue = Queue("bots", connection=client, serializer=JSONSerializer)
    long, next_one = queue.enqueue("time.sleep", 600, job_timeout=1), queue.enqueue("math.gcd", 12, 18)
    with working(database, redis_url, tmp_path):
        assert eventually(lambda: next_one.get_status() == JobStatus.FINISHED)
    assert long.get_status() == JobStatus.FAILED


def test_a_worker_ends_itself_when_compiled_code_never_returns(
    client: redis.Redis, database: str, redis_url: str, tmp_path: Path
) -> None:
    queue = Queue("bots", connection=client, serializer=JSONSerializer)
    queue.enqueue("tests.support.hanging.hang", job_timeout=1)
    with working(database, redis_url, tmp_path) as process:
        assert process.wait(PATIENCE) == 1
    job = queue.enqueue("math.gcd", 12, 18)
    with working(database, redis_url, tmp_path, "its-successor"):
        assert eventually(lambda: job.get_status() == JobStatus.FINISHED)


def test_jobs_of_bots_run_in_the_process_of_their_worker(
    client: redis.Redis, database: str, redis_url: str, tmp_path: Path
) -> None:
    queue = Queue("bots", connection=client, serializer=JSONSerializer)
    first, second = (queue.enqueue("os.getpid") for _ in range(2))
    with working(database, redis_url, tmp_path) as process:
        assert eventually(lambda: second.get_status() == JobStatus.FINISHED)
    assert first.return_value() == second.return_value() == process.pid


def test_nobody_takes_jobs_of_a_queue_that_does_not_exist() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "deploy.cli", "worker", "nonsense"], cwd=PROJECT, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "'nonsense' is not one of 'bots', 'bot-games', 'analyses', 'webhooks'" in done.stderr
