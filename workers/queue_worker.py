"""A worker process: runs the jobs of one queue, one after the other, each in a child process."""

import os
from typing import Final

import redis
from rq import Queue, Worker
from rq.serializers import JSONSerializer

from service.core.queues import BACKGROUND
from service.settings import Settings
from workers.queue_settings import MAINTENANCE_SECONDS, RESULT_SECONDS, WATCH_SECONDS

NICE: Final = 10  # of workers whose jobs no player waits for


def work(settings: Settings, queue: str, name: str) -> None:
    """Runs jobs until SIGTERM; finishes the running job first."""
    if queue in BACKGROUND:
        os.nice(NICE)
    connection = redis.Redis.from_url(settings.redis_url)
    jobs = Queue(queue, connection=connection, serializer=JSONSerializer)
    worker = Worker(
        [jobs],
        name=name,
        connection=connection,
        serializer=JSONSerializer,
        maintenance_interval=MAINTENANCE_SECONDS,
        job_monitoring_interval=WATCH_SECONDS,
        default_result_ttl=RESULT_SECONDS,
    )
    worker.work(logging_level=settings.log_level.upper())
