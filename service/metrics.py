"""The numbers an operator watches, in Prometheus' text format, summed over all web processes of a node."""

import os
from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import REGISTRY, Collector

from service.stores import REDIS_AWAY, Stores, waiting_jobs

MULTIPROCESS = "PROMETHEUS_MULTIPROC_DIR"
REQUESTS = Counter("cabildo_requests_total", "Requests answered", ("method", "route", "status"))
SECONDS = Histogram("cabildo_request_seconds", "Time to answer a request", ("route",))


class StoreCollector(Collector):
    """What the stores say when they are asked."""

    def __init__(self, stores: Stores) -> None:
        self._stores = stores

    def collect(self) -> Iterator[Metric]:
        """Which stores answer, and how much waits in the queues."""
        missing = self._stores.missing()
        up = GaugeMetricFamily("cabildo_store_up", "Whether a store answers", labels=("store",))
        for store in ("postgresql", "redis"):
            up.add_metric((store,), float(store not in missing))
        yield up
        waiting = GaugeMetricFamily("cabildo_queue_jobs", "Jobs that wait", labels=("queue",))
        for queue, jobs in self._waiting().items():
            waiting.add_metric((queue,), jobs)
        yield waiting

    def _waiting(self) -> dict[str, int]:
        try:
            return waiting_jobs(self._stores.redis)
        except REDIS_AWAY:
            return {}


def exposition(stores: Stores) -> bytes:
    """All metrics as text."""
    registry = CollectorRegistry()
    registry.register(StoreCollector(stores))
    if MULTIPROCESS not in os.environ:
        return generate_latest(REGISTRY) + generate_latest(registry)
    MultiProcessCollector(registry)
    return generate_latest(registry)
