"""Route of the game list and its filters."""

from flask import Response

from service.games import search, written_records
from service.games.schemas import search as schemas
from service.games.schemas.loaded import LoadedGameQuery
from service.players.identity import Identity
from service.tournaments.at_table import listed as with_entrants_of
from service.web.responses import page_response, request_language
from service.web.routing import Routes, container

routes = Routes("lists", "Lists of games, and search")


@routes.on("GET", "/v1/games", query=schemas.GameQuery, answers=schemas.GameList, readers=True, paged=True)
def games(query: LoadedGameQuery, asker: Identity | None) -> Response:
    """The newest games that match the query: player, game, options, status, result, date, landmarks."""
    reader = None if asker is None else asker.id
    with container().stores.pool.connection() as connection:
        found = search.find(connection, query, reader, query["limit"])
        known = search.known_players(connection, found.rows)
        records = written_records.records(connection, search.imported(found.rows))
    found_games = (search.document(row, known, reader, records) for row in found.rows)
    seated = with_entrants_of(container().tournaments, found_games)
    language = request_language()
    return page_response("games", [search.with_bot_names(game, language) for game in seated], found.next)
