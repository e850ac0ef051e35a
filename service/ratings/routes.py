"""Routes of ratings: lists, a player's history, and the inputs to recompute them."""

from uuid import UUID

from events.store.connections import snapshot
from service.players.identity import Identity
from service.players.queries import get_player
from service.ratings import documents, queries, schemas
from service.web.routing import Routes, container

routes = Routes("ratings", "What players are worth, and why")


@routes.on("GET", "/v1/ratings", query=schemas.PoolQuery, answers=schemas.RatingList)
def best(query: schemas.LoadedPoolQuery) -> documents.BestPlayers:
    """List the ratings of a game, best first, people and programs apart. A forgotten player has no name."""
    with container().stores.pool.connection() as connection:
        return documents.best_of(connection, queries.PoolPage(**query))


@routes.on(
    "GET",
    "/v1/players/<uuid:player>/ratings",
    query=schemas.HistoryQuery,
    answers=schemas.PlayerRatings,
    refuses=(404,),
    readers=True,
)
def of_player(player: UUID, query: schemas.LoadedHistoryQuery, asker: Identity | None) -> documents.RatingHistory:
    """Read a player's ratings and their changes, each with the event that ended the game."""
    client, limit = None if asker is None else asker.id, query["limit"]
    with container().stores.pool.connection() as connection, snapshot(connection):
        get_player(connection, player)
        now = queries.ratings_of(connection, str(player))
        changes = queries.history(connection, str(player), client, query["game"], query["before"], limit + 1)
    return documents.rating_history(now, changes, limit)


@routes.on("GET", "/v1/ratings/inputs", query=schemas.PoolQuery, answers=schemas.InputList)
def inputs(query: schemas.LoadedPoolQuery) -> documents.InputPage:
    """List the inputs of a game's ratings in the order of the log."""
    with container().stores.pool.connection() as connection:
        rows = queries.inputs(connection, queries.PoolPage(**query))
    return documents.input_page(rows, query["limit"])
