"""A keeper in steps: numbers, seals and publishes events, and brings the read models level."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager

from psycopg import Connection

from projections.read_models.registry import advance_all
from service import settings
from workers.keeper.duty_context import KeeperContext
from workers.keeper.log_duties import LOG_DUTIES


@contextmanager
def keeping(environ: Mapping[str, str], connection: Connection) -> Iterator[Callable[[], bool]]:
    """Yields a step of the keeper, which returns whether more is left."""
    with closing(KeeperContext(settings.load(environ), environ)) as context:
        works = [duty.prepare(context) for duty in LOG_DUTIES]
        yield lambda: sum([*(work(connection) for work in works), advance_all(connection)]) > 0
