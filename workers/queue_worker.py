"""A worker process: runs the jobs of one queue, one after the other.

Turns of bots are short and many: their worker lives long, and keeps its connections and games. A computation may take
minutes and any amount of memory: each gets a child process.
"""

import faulthandler
import os
import time
from itertools import count
from types import FrameType
from typing import Final

import structlog
from rq import Queue, SimpleWorker, Worker
from rq.exceptions import StopRequested
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.worker import BaseWorker

from service.core.queues import ANALYSES, BACKGROUND
from service.core.redis_connections import open_redis
from service.core.stores import REDIS_AWAY
from service.settings import Settings
from workers import jobs
from workers.queue_settings import HUNG_SECONDS, MAINTENANCE_SECONDS, RESULT_SECONDS, WATCH_SECONDS

NICE: Final = 10  # of workers whose jobs no player waits for
PAUSE: Final = 1.0  # seconds before a worker that lost Redis begins anew
log = structlog.get_logger("workers.queue_worker")


class NotedStop(BaseWorker):
    """A worker that knows whether it was asked to stop."""

    is_asked_to_stop = False

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Note SIGTERM or SIGINT; the running job is finished first."""
        self.is_asked_to_stop = True
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]


class ComputingWorker(NotedStop, Worker):
    """Runs each job in a child process."""


class TurnsWorker(NotedStop, SimpleWorker):
    """Runs jobs in its own process. RQ interrupts a job that takes too long; a job that does not heed it ends the
    process, also in compiled code that never returns, and the supervisor starts another."""

    def execute_job(self, job: Job, queue: Queue) -> None:
        """Run a job; end the process when it hangs, and write where."""
        faulthandler.dump_traceback_later(int(job.timeout or 0) + HUNG_SECONDS, exit=True)
        try:
            super().execute_job(job, queue)
        finally:
            faulthandler.cancel_dump_traceback_later()


def work(settings: Settings, queue: str, name: str) -> None:
    """Runs jobs until SIGTERM; finishes the running job first.

    RQ ends a worker that loses Redis at a bad moment; another one then works on in this process.
    """
    if queue in BACKGROUND:
        os.nice(NICE)
    kind = ComputingWorker if queue == ANALYSES else TurnsWorker
    lives = count()
    while not _is_over(settings, kind, queue, name, next(lives)):
        continue
    jobs.finish()


def _is_over(settings: Settings, kind: type[NotedStop], queue: str, name: str, life: int) -> bool:
    """Works until asked to stop, or until RQ gives up; returns whether it was asked to stop."""
    worker: NotedStop | None = None
    try:
        worker = _worker(settings, kind, queue, f"{name}-{life}" if life else name)
        worker.work(logging_level=settings.log_level.upper())
        if not worker.is_asked_to_stop:
            log.warning("worker begins anew", worker=name)
            time.sleep(PAUSE)
    except StopRequested:
        log.debug("stops on request", worker=name)
    except REDIS_AWAY as problem:
        log.warning("worker waits for Redis", worker=name, reason=str(problem))
        time.sleep(PAUSE)
    return worker is not None and worker.is_asked_to_stop


def _worker(settings: Settings, kind: type[NotedStop], queue: str, name: str) -> NotedStop:
    """Returns a worker; waits until Redis answers."""
    connection = open_redis(settings.redis_url)
    return kind(
        [Queue(queue, connection=connection, serializer=JSONSerializer)],
        name=name,
        connection=connection,
        serializer=JSONSerializer,
        maintenance_interval=MAINTENANCE_SECONDS,
        job_monitoring_interval=WATCH_SECONDS,
        default_result_ttl=RESULT_SECONDS,
    )
