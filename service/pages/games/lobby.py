"""The lobby: open tables, running games, and a search in all games."""

from collections.abc import Mapping
from typing import Any, Final

from flask import Blueprint, redirect, render_template, request
from werkzeug.wrappers import Response

from projections.games.record import FINISHED, OPEN, RUNNING
from projections.read_models.move_search import LANDMARKS
from service.core.errors import InvalidRequest, NotThere
from service.games.schemas.lifecycle import STATUSES
from service.games.schemas.search import GameQuery
from service.pages.games import search_names
from service.pages.games.game_lists import TITLES, GamesPage, find_games, newest_games, next_page
from service.pages.site.query_parameters import asked_parameters
from service.pages.site.visitor import reader
from service.players.queries import find_by_name
from service.web.responses import request_language
from service.web.routing import container, load_form

MOST: Final = 24  # games in a list or on a page of search results
NOBODY: Final = "00000000-0000-0000-0000-000000000000"  # the id of no player, for unknown names
pages = Blueprint("lobby", __name__)


@pages.get("/lobby")
def lobby() -> str:
    """Renders open tables and running games, or the results of a search."""
    asked = asked_parameters()
    names = {"subjects": search_names.subjects(request_language()), "options": search_names.options(request_language())}
    fields = {"games": TITLES, "statuses": STATUSES, "facts": sorted(LANDMARKS), "asked": asked, **names}
    if not asked:
        return render_template("lobby.html", listed=_listed((OPEN, RUNNING, FINISHED)), **fields)
    try:
        page = _search(asked)
    except InvalidRequest as wrong:
        return render_template("lobby.html", found=GamesPage([], None), wrong=wrong.errors, **fields)
    return render_template("lobby.html", found=page, more=next_page(page, asked), **fields)


@pages.get("/players")
def player_by_name() -> Response:
    """Redirects to the page of the player with a name."""
    name = request.args.get("name", "")
    with container().stores.pool.connection() as connection:
        player = find_by_name(connection, name)
    if player is None:
        raise NotThere("player of the name", name)
    return redirect(f"/players/{player}", 303)


def _listed(statuses: tuple[str, ...]) -> dict[str, GamesPage]:
    """Returns the newest games of each status; `next` is the query that finds the page after them."""
    identity = reader()
    who, words = None if identity is None else identity.id, request_language()
    pages_by_status = {status: newest_games(status, who, MOST, words) for status in statuses}
    return {status: page._replace(next=next_page(page, {"status": status})) for status, page in pages_by_status.items()}


def _with_ids(query: Mapping[str, Any], asked: Mapping[str, str]) -> Mapping[str, Any]:
    """Returns the query with ids in place of names in the reader's language."""
    option = search_names.id_named(asked.get("option", ""), search_names.options(request_language()))
    named = (
        {"option": [option] if option in search_names.options(request_language()).values() else option.split()}
        if option
        else {}
    )
    subject = (
        {"subject": search_names.id_named(asked["subject"], search_names.subjects(request_language()))}
        if "subject" in asked
        else {}
    )
    return {**query, **named, **subject}


def _seat(given: str) -> str:
    """Returns the API's number of a seat, which counts from 0; pages count from 1."""
    return str(int(given) - 1) if given.isascii() and given.isdigit() and len(given) < 3 else given


def _search(asked: Mapping[str, str]) -> GamesPage:
    """Returns the matching games; raises InvalidRequest for a malformed search."""
    query = {name: value for name, value in asked.items() if name not in ("option", "who")}
    identity = reader()
    if "who" in asked:
        with container().stores.pool.connection() as connection:
            query["player"] = str(find_by_name(connection, asked["who"]) or NOBODY)
    if "seat" in asked:
        query["seat"] = _seat(asked["seat"])
    loaded = {name: value for name, value in load_form(GameQuery, _with_ids(query, asked)).items() if name != "limit"}
    return find_games(loaded, identity.id if identity else None, MOST, request_language())
