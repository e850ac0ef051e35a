"""Routes of ratings: lists, a player's history, and the inputs to recompute them."""

from typing import Any
from uuid import UUID

from service.players.identity import Identity
from service.players.queries import get_player, names_of
from service.ratings import queries
from service.ratings import schemas as schemas
from service.web.routing import Routes, container

routes = Routes("ratings", "What players are worth, and why")


@routes.on("GET", "/v1/ratings", query=schemas.PoolQuery, answers=schemas.RatingList)
def best(query: dict[str, Any]) -> dict[str, Any]:
    """List the ratings of a game, best first, people and programs apart. A forgotten player has no name."""
    game, pool, after, limit = query["game"], query["pool"], query["after"], query["limit"]
    with container().stores.pool.connection() as connection:
        rows = queries.table(connection, game, pool, after, limit + 1)
        names = names_of(connection, {row["player"] for row in rows})
        newest = queries.newest_input(connection, game, pool)
    listed = [
        {
            "rank": row["rank"],
            "player": {"id": row["player"], "name": names.get(row["player"]) or queries.level(row["player"])},
            "games": row["games"],
            **queries.worth(row),
        }
        for row in rows[:limit]
    ]
    following = after + limit if len(rows) > limit else None
    return {"game": game, "pool": pool, "input": newest, "ratings": listed, "next": following}


@routes.on(
    "GET",
    "/v1/players/<uuid:player>/ratings",
    query=schemas.HistoryQuery,
    answers=schemas.PlayerRatings,
    refuses=(404,),
    readers=True,
)
def of_player(player: UUID, query: dict[str, Any], asker: Identity | None) -> dict[str, Any]:
    """Read a player's ratings and their changes, each with the event that ended the game."""
    reader, limit = None if asker is None else asker.id, query["limit"]
    with container().stores.pool.connection() as connection:
        get_player(connection, player)
        now = queries.of_player(connection, str(player))
        rows = queries.history(connection, str(player), reader, query["game"], query["before"], limit + 1)
    following = rows[limit - 1]["idx"] if len(rows) > limit else None
    return {"ratings": now, "history": rows[:limit], "next": following}


@routes.on("GET", "/v1/ratings/inputs", query=schemas.PoolQuery, answers=schemas.InputList)
def inputs(query: dict[str, Any]) -> dict[str, Any]:
    """List the inputs of a game's ratings in the order of the log."""
    game, pool, after, limit = query["game"], query["pool"], query["after"], query["limit"]
    with container().stores.pool.connection() as connection:
        rows = queries.inputs(connection, game, pool, after, limit + 1)
    following = rows[limit - 1]["number"] if len(rows) > limit else None
    return {"inputs": rows[:limit], "next": following}
