"""The route of a player's results."""

from uuid import UUID

from service.players.identity import Identity, player_id
from service.players.queries import get_player
from service.players.results import schemas
from service.players.results.queries import head_to_head, results_by_seat, time_used
from service.web.routing import Routes, container

routes = Routes("results", "How players did: by game and seat, against one another")


@routes.on(
    "GET",
    "/v1/players/<uuid:player>/results",
    query=schemas.ResultsQuery,
    answers=schemas.PlayerResults,
    refuses=(404,),
    readers=True,
)
def results(player: UUID, query: schemas.LoadedResultsQuery, asker: Identity | None) -> dict[str, object]:
    """Read a player's results in the newest 1,000 public games, by game, number of players and seat."""
    here, client, other = container(), player_id(asker), query["against"]
    with here.stores.pool.connection() as connection:
        get_player(connection, player)
        by_seat = results_by_seat(connection, player, client)
        against = [] if other is None else head_to_head(connection, player, other, client)
    used = time_used(here, player, client)
    return {
        "by_seat": [row._asdict() for row in by_seat],
        "against": [row._asdict() for row in against],
        "time": None if used is None else used._asdict(),
    }
