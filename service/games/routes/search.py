"""Route of the game list and its filters."""

from flask import Response

from service.games import search, written_records
from service.games.schemas import search as schemas
from service.games.schemas.loaded import LoadedGameQuery
from service.players.identity import Identity
from service.players.queries import names_of
from service.tournaments.at_table import listed as with_entrants_of
from service.web.responses import page_response
from service.web.routing import Routes, container

routes = Routes("lists", "Lists of games, and search")


@routes.on("GET", "/v1/games", query=schemas.GameQuery, answers=schemas.GameList, readers=True, paged=True)
def games(query: LoadedGameQuery, asker: Identity | None) -> Response:
    """The newest games that match the query: player, game, options, status, result, date, landmarks."""
    reader = None if asker is None else asker.id
    with container().stores.pool.connection() as connection:
        found = search.find(connection, query, reader, query["limit"])
        names = names_of(connection, search.people(found.rows))
        records = written_records.records(connection, search.imported(found.rows))
    found_games = (search.document(row, names, reader, records) for row in found.rows)
    return page_response("games", [*with_entrants_of(container().tournaments, found_games)], found.next)
