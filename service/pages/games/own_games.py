"""The page of one's own games: those of the visitor, and of the people at the visitor's screen."""

from collections.abc import Collection
from typing import Final

from flask import Blueprint, render_template

from projections.games.record import FINISHED, OPEN, RUNNING
from service.live.own_lists import state_of_lists
from service.pages.games.game_lists import GameCard, GamesPage, find_games, next_page
from service.pages.site.visitor import member
from service.players.identity import Identity
from service.players.people_at_screen import games_of, people_of
from service.web.responses import request_language
from service.web.routing import container

MOST: Final = 24  # games in a list
pages = Blueprint("own_games", __name__)


@pages.get("/mine")
def mine() -> str:
    """Renders the games of the visitor and of people at the visitor's screen; those that wait for one come first."""
    identity = member()
    with container().stores.pool.connection() as connection:
        people = people_of(connection, identity.player)
        state = state_of_lists(connection, identity.id)  # before the lists, which are as new at least
    waiting = {"waiting": True, "people": [identity.id, *people]}
    first = find_games(waiting, identity.id, MOST, request_language(), people).games
    shown = {game.id for game in first}
    listed = {status: _newest(identity, status, people, shown) for status in (RUNNING, OPEN, FINISHED)}
    return render_template("mine.html", listed={"waiting": GamesPage(first, None), **listed}, state=state)


def _newest(identity: Identity, status: str, people: Collection[str], besides: Collection[str]) -> GamesPage:
    """Returns the newest games of a status; `next` is the query that finds the page after them."""
    query = {"player": identity.id, "status": status}
    page = find_games(query, identity.id, MOST, request_language(), people)
    together = {game.id: game for game in (*page.games, *_of_people(people, status, identity.id))}.values()
    newest = sorted(together, key=lambda game: (game.created, game.id), reverse=True)[:MOST]
    return GamesPage([game for game in newest if game.id not in besides], next_page(page, query))


def _of_people(people: Collection[str], status: str, host: str) -> list[GameCard]:
    """Returns the newest games of a status in which people at the host's screen sit."""
    with container().stores.pool.connection() as connection:
        games = games_of(connection, people, status, MOST)
    return find_games({"status": status, "ids": games}, host, MOST, request_language(), people).games if games else []
