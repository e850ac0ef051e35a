"""A worker process: runs the jobs of one queue, one after the other.

Turns of bots are short and many: their worker lives long, and keeps its connections and games. A computation may take
minutes and any amount of memory: each gets a child process.
"""

import faulthandler
import os
from typing import Final

import redis
from rq import Queue, SimpleWorker, Worker
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.worker import BaseWorker

from service.core.queues import ANALYSES, BACKGROUND
from service.settings import Settings
from workers import jobs
from workers.queue_settings import HUNG_SECONDS, MAINTENANCE_SECONDS, RESULT_SECONDS, WATCH_SECONDS

NICE: Final = 10  # of workers whose jobs no player waits for


class TurnsWorker(SimpleWorker):
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
    """Runs jobs until SIGTERM; finishes the running job first."""
    if queue in BACKGROUND:
        os.nice(NICE)
    connection = redis.Redis.from_url(settings.redis_url)
    kind: type[BaseWorker] = Worker if queue == ANALYSES else TurnsWorker
    worker = kind(
        [Queue(queue, connection=connection, serializer=JSONSerializer)],
        name=name,
        connection=connection,
        serializer=JSONSerializer,
        maintenance_interval=MAINTENANCE_SECONDS,
        job_monitoring_interval=WATCH_SECONDS,
        default_result_ttl=RESULT_SECONDS,
    )
    worker.work(logging_level=settings.log_level.upper())
    jobs.finish()
