"""Metrics in Prometheus' text format, summed over all web processes of a node."""

import os
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import REGISTRY, Collector
from psycopg import Connection

from projections.read_models.projector import Status, statuses
from service.core.clock import SECOND, now
from service.core.outages import read_presence
from service.core.queues import failed_jobs, waiting_jobs
from service.core.stores import STORES, Stores
from service.core.stuck_streams import stuck_by_duty
from service.webhooks.deliveries import backlog

MULTIPROCESS = "PROMETHEUS_MULTIPROC_DIR"
REQUESTS = Counter("cabildo_requests_total", "Requests answered", ("method", "route", "status"))
CONNECTIONS_CUT = Counter(
    "cabildo_connections_cut_total", "Connections closed before a request was complete", ("reason",)
)
SECONDS = Histogram("cabildo_request_seconds", "Time to answer a request", ("route",))


class StoreCollector(Collector):
    """Collects metrics from the stores on each scrape."""

    def __init__(self, stores: Stores) -> None:
        self._stores = stores

    def collect(self) -> Iterator[Metric]:
        """Yields the availability of stores, the lengths of queues, stuck streams, the lags of read models."""
        missing = self._stores.missing()
        up = {store: float(store not in missing) for store in STORES}
        yield gauge("cabildo_store_up", "Whether a store answers", "store", up)
        if "redis" not in missing:
            yield gauge("cabildo_queue_jobs", "Jobs that wait", "queue", waiting_jobs(self._stores.redis))
            yield gauge(
                "cabildo_queue_failed_jobs", "Jobs that failed lately", "queue", failed_jobs(self._stores.redis)
            )
        if "postgresql" not in missing:
            with self._stores.pool.connection() as connection:
                yield from keeper_absence(connection)
                yield gauge("cabildo_stuck_streams", "Streams that a duty put off", "duty", stuck_by_duty(connection))
                yield from lags([status for status in statuses(connection) if not status.shadow])
                yield gauge("cabildo_webhooks", "Waiting messages; webhooks switched off", "state", backlog(connection))


def keeper_absence(connection: Connection) -> Iterator[Metric]:
    """Yields the seconds since a keeper settled clocks; nothing before the first keeper."""
    worked = read_presence(connection).worked
    if worked is not None:
        seconds = max(0.0, (now() - worked) / SECOND)
        yield GaugeMetricFamily("cabildo_keeper_seconds", "Seconds since a keeper settled clocks", value=seconds)


def lags(live: Sequence[Status]) -> Iterator[Metric]:
    """Yields the lag of each read model, and whether an error parked it."""
    tables = (
        ("cabildo_read_model_entries_behind", "Entries of the log not yet applied", attrgetter("behind")),
        ("cabildo_read_model_seconds_behind", "Age of the first entry not yet applied", attrgetter("seconds")),
        ("cabildo_read_model_parked", "Whether an event could not be applied", lambda one: one.poison is not None),
    )
    for name, meaning, value in tables:
        yield gauge(name, meaning, "read_model", {one.name: float(value(one)) for one in live})


def gauge(name: str, meaning: str, label: str, values: Mapping[str, float]) -> Metric:
    """A gauge with one label."""
    found = GaugeMetricFamily(name, meaning, labels=(label,))
    for of, value in values.items():
        found.add_metric((of,), value)
    return found


def exposition(stores: Stores) -> bytes:
    """All metrics as text."""
    registry = CollectorRegistry()
    registry.register(StoreCollector(stores))
    if MULTIPROCESS not in os.environ:
        return generate_latest(REGISTRY) + generate_latest(registry)
    MultiProcessCollector(registry)
    return generate_latest(registry)
