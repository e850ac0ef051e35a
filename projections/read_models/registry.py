"""The read models that follow the log, by name; a new one is a line here and a migration for its tables."""

from collections.abc import Mapping

import structlog
from psycopg import Connection

from projections.ratings.read_model import Ratings
from projections.read_models.actors import StreamActors
from projections.read_models.log_pages import LogPages
from projections.read_models.move_search import MoveSearch
from projections.read_models.notifications import Notifications
from projections.read_models.projector import BATCH, LogReplaced, Projection, advance
from projections.read_models.rebuild import rebuild
from projections.read_models.streams import Streams
from projections.read_models.studies import Listing

MODELS = (Streams(), MoveSearch(), Notifications(), Listing(), Ratings(), StreamActors())
READ_MODELS: Mapping[str, Projection] = {model.name: model for model in MODELS}

PAGES = LogPages()
log = structlog.get_logger("projections.read_models.registry")


def advance_one(connection: Connection, model: Projection) -> bool:
    """Advances a live read model; returns whether entries are left for it.

    A model that has read entries that are no more is built again, while the old rows serve.
    """
    try:
        return advance(connection, model, read=PAGES.rows) == BATCH
    except LogReplaced:
        log.warning("read model is built again: the log has another history", read_model=model.name)
        rebuild(connection, model, lambda _done, _size: None, accept=True)
        return True


def advance_all(connection: Connection) -> bool:
    """Advances every live read model; returns whether entries are left for one of them."""
    return max([advance_one(connection, model) for model in READ_MODELS.values()])
