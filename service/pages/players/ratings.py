"""The page of ratings: the best of a game, people and programs apart, with the inputs of the ratings."""

from typing import Final
from urllib.parse import urlencode

from flask import Blueprint, render_template

from projections.ratings.model import POOLS
from service.pages.games.game_lists import TITLES
from service.pages.site.query_parameters import asked_parameters
from service.ratings.documents import best_of
from service.ratings.queries import PoolPage
from service.ratings.schemas import LoadedPoolQuery, PoolQuery
from service.web.routing import container, load_form

FIRST: Final = "puerto_rico"
pages = Blueprint("rating_pages", __name__)


@pages.get("/ratings")
def ratings() -> str:
    """Renders a page of the best of a game."""
    query: LoadedPoolQuery = load_form(PoolQuery, {"game": FIRST, **asked_parameters()})
    with container().stores.pool.connection() as connection:
        found = best_of(connection, PoolPage(**query))
    following = {**{name: query[name] for name in ("game", "pool", "limit")}, "after": found["next"]}
    more = None if found["next"] is None else f"?{urlencode(following)}"
    return render_template("ratings.html", games=TITLES, pools=POOLS, found=found, more=more)
