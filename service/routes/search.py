"""Lists of games, and finding them by what happened in them."""

from typing import Any
from urllib.parse import urlencode

from flask import Response, request

from service import accounts, search
from service.api import Routes, world
from service.credentials import Identity
from service.schemas import search as schemas
from service.search import Cursor
from service.transfer import document

routes = Routes("lists", "Lists of games, and search")


@routes.on("GET", "/v1/games", query=schemas.GameQuery, answers=schemas.GameList, readers=True)
def games(query: dict[str, Any], asker: Identity | None) -> Response:
    """The newest games, or those that fit: by player, game, options, state, result, date, and by what happened."""
    reader = None if asker is None else asker.id
    limit = query.pop("limit")
    with world().stores.pool.connection() as connection:
        rows = search.find(connection, query, reader, limit + 1)
        names = accounts.names(connection, search.people(rows))
    shown = rows[:limit]
    after = Cursor(shown[-1]["created"], shown[-1]["id"]).text() if len(rows) > limit else None
    answer = document({"games": [search.document(row, names, reader) for row in shown], "next": after})
    if after is not None:
        asked = [(name, value) for name, value in request.args.items(multi=True) if name != "after"]
        answer.headers["Link"] = f'<{request.path}?{urlencode([*asked, ("after", after)])}>; rel="next"'
    return answer
