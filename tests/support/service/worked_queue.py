"""Does the jobs of a queue in the process of a test."""

from collections.abc import Mapping

import pytest
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer

from service.container import Container
from tests.support.running_program import PATIENCE
from workers import jobs


def work(container: Container, environ: Mapping[str, str], queue: str) -> None:
    """Do all jobs of a queue in this process."""
    assert container.announcer.flush(PATIENCE)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environ.items():
            patch.setenv(name, value)
        jobs.container.cache_clear()
        jobs.container()
    connection = container.stores.redis
    waiting = Queue(queue, connection=connection, serializer=JSONSerializer)
    SimpleWorker([waiting], connection=connection, serializer=JSONSerializer).work(burst=True, logging_level="WARNING")
    jobs.container().close()
    jobs.container.cache_clear()
