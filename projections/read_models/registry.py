"""The read models that follow the log, by name; one more is a line here and a migration for its tables."""

from collections.abc import Mapping

from psycopg import Connection

from projections.ratings.read_model import Ratings
from projections.read_models.move_search import MoveSearch
from projections.read_models.notifications import Notifications
from projections.read_models.projector import BATCH, Projection, advance
from projections.read_models.streams import Streams
from projections.read_models.studies import Listing

MODELS = (Streams(), MoveSearch(), Notifications(), Listing(), Ratings())
READ_MODELS: Mapping[str, Projection] = {model.name: model for model in MODELS}


def advance_all(connection: Connection) -> bool:
    """Bring every live read model on; whether more waits for one of them."""
    return max([advance(connection, model) == BATCH for model in READ_MODELS.values()])
