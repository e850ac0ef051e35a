"""The administrators' page of games: end one, list stale ones and end those that are ticked."""

from typing import Final
from uuid import UUID

from flask import Blueprint, Response, request

from events.errors import CabildoError
from service.core.clock import iso_time
from service.core.command_handler import Request
from service.games.commands.upkeep import EndGame, end_game
from service.moderation.commands import EndStaleGames, end_stale_games
from service.moderation.schemas import EndStale, EndStaleBody, LoadedStaleQuery, StaleQuery
from service.moderation.stale import Staleness, stale_games
from service.pages.games.game_lists import TITLES
from service.pages.moderation.admin_site import PAGE, acting, address, administrator, answer, show
from service.players.identity import Identity
from service.players.queries import names_of
from service.web.routing import container, load_form

AGES: Final = ("open_days", "idle_days")
pages = Blueprint("admin_games", __name__)


@pages.get(f"{PAGE}/games")
def games() -> Response:
    """Renders the form that ends a game, and the stale games."""
    return _page(administrator())


@pages.post(f"{PAGE}/games/end")
def end() -> Response:
    """Ends one game."""
    identity = acting()

    def act() -> str:
        game = request.form.get("game", "").partition("#")[0].partition("?")[0].removesuffix("/play").rpartition("/")[2]
        body: EndStaleBody = load_form(EndStale, {"games": [game], "reason": request.form.get("reason", "")})
        end_game(container(), EndGame(body["games"][0], body["reason"]), Request(identity.id))
        return address("/games")

    return answer(identity, act, lambda refused: _page(identity, refused))


@pages.post(f"{PAGE}/games/stale")
def end_stale() -> Response:
    """Ends the ticked games that are still stale."""
    identity = acting()

    def act() -> str:
        given = {name: int(age) for name in AGES if (age := request.form.get(name, "")).isdecimal() and len(age) < 5}
        ticked = {"games": request.form.getlist("game"), "reason": request.form.get("reason", "")}
        body: EndStaleBody = load_form(EndStale, {**given, **ticked})
        staleness = Staleness(body["open_days"], body["idle_days"])
        done = end_stale_games(container(), EndStaleGames(identity.id, body["games"], staleness, body["reason"]))
        return address("/games", **staleness._asdict(), ended=len(done.ended), left=len(done.left))

    return answer(identity, act, lambda refused: _page(identity, refused))


def _page(identity: Identity, refused: CabildoError | None = None) -> Response:
    here = container()
    asked = {name: request.args[name] for name in AGES if request.args.get(name)}
    query: LoadedStaleQuery = load_form(StaleQuery, asked)
    with here.stores.pool.connection() as connection:
        found = stale_games(connection, here.now(), Staleness(query["open_days"], query["idle_days"]), query["limit"])
        names = names_of(connection, {game.host for game in found if game.host is not None})
    return show(
        identity,
        "admin_games.html",
        refused,
        query=query,
        stale=[(game, iso_time(game.created), iso_time(game.changed)) for game in found],
        names=names,
        titles=TITLES,
        ended=_count("ended"),
        left=_count("left"),
        id=_asked_game(),
    )


def _asked_game() -> str:
    try:
        return str(UUID(request.args.get("id", "")))
    except ValueError:
        return ""


def _count(name: str) -> int | None:
    given = request.args.get(name, "")
    return int(given) if given.isdecimal() and len(given) < 5 else None
