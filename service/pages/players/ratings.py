"""The page of ratings: the best of a game, people and programs apart, with the inputs of the ratings."""

from typing import Final
from urllib.parse import urlencode

from flask import Blueprint, render_template, request

from projections.ratings.model import POOLS
from service.pages.games.game_lists import TITLES
from service.ratings.documents import best_of
from service.ratings.queries import PoolPage
from service.ratings.schemas import LoadedPoolQuery, PoolQuery
from service.web.routing import container, load_form

FIRST: Final = "puerto_rico"
pages = Blueprint("rating_pages", __name__)


@pages.get("/ratings")
def ratings() -> str:
    """Renders a page of the best of a game."""
    given = {name: value for name, value in request.args.items() if value}
    query: LoadedPoolQuery = load_form(PoolQuery, {"game": FIRST, **given})
    with container().stores.pool.connection() as connection:
        found = best_of(connection, PoolPage(**query))
    following = {**{name: query[name] for name in ("game", "pool", "limit")}, "after": found["next"]}
    more = None if found["next"] is None else f"?{urlencode(following)}"
    return render_template("ratings.html", games=TITLES, pools=POOLS, found=found, more=more)
