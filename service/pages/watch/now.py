"""The page of what is on now: the game that is most worth watching in front, live, and the others behind it."""

from typing import Any, Final, NamedTuple, cast

from flask import Blueprint, current_app, render_template
from flask.blueprints import BlueprintSetupState

from events.json_types import JsonObject
from service.games.lists.public_lists import PublicLists
from service.games.lists.watch_list import WatchedGame, watch_lists
from service.games.lists.worth_watching import DAY, HOUR, MINUTE, Standing
from service.i18n import phrases
from service.pages.games.board_labels import setting
from service.pages.games.game_lists import TITLES, name_of
from service.pages.players.bot_cards import BotCard
from service.web.responses import request_language
from service.web.routing import EXTENSION

MOST: Final = 24  # games on the page
UNITS: Final = (("days", DAY), ("hours", HOUR), ("minutes", MINUTE))
LISTS: Final = "cabildo.watch_lists"
pages = Blueprint("watch", __name__)


@pages.record_once
def keep_lists(state: BlueprintSetupState) -> None:
    """Creates the lists of an application."""
    state.app.extensions[LISTS] = watch_lists(state.app.extensions[EXTENSION])


def newest(language: str) -> list[WatchedGame]:
    """Returns the running games that are most worth watching."""
    lists = cast("PublicLists[list[WatchedGame]]", current_app.extensions[LISTS])
    return lists.newest(language, MOST)


class WatchCard(NamedTuple):
    """A running game on the page."""

    id: str
    game: str
    title: str
    names: list[str]
    marks: list[str]
    event: JsonObject | None
    bots: list[BotCard]


@pages.get("/watch")
def watch() -> str:
    """Renders the running public games, as a spectator without account sees them."""
    words = request_language()
    cards = [_card(game, words) for game in newest(words)]
    front = cards[0] if cards else None
    drawn: dict[str, Any] | None = None
    if front is not None:
        drawn = {**setting(front.game, words), "id": front.id, "game": front.game, "spectator": True}
    return render_template("watch.html", front=front, others=cards[1:], setting=drawn)


def _card(game: WatchedGame, language: str) -> WatchCard:
    kind, seats = game.entry["game"], sorted(game.entry["seats"], key=lambda seat: seat["seat"] or 0)
    marks = [phrases.phrase(language, "watch.round", round=game.round), *_marks(game.standing, language)]
    names = [name_of(seat, language) for seat in seats]
    bots = [
        BotCard(seat["player"]["id"], name_of(seat, language), seat["about"])
        for seat in seats
        if seat["player"] and seat["about"]
    ]
    return WatchCard(game.entry["id"], kind, TITLES[kind], names, marks, game.event, bots)


def _marks(standing: Standing, language: str) -> list[str]:
    """Returns why the game stands where it stands: its people, its lead, its last move."""
    people = phrases.phrase(language, "watch.people", n=standing.people)
    marks = [people if standing.people else phrases.phrase(language, "watch.bots")]
    if standing.lead is not None:
        name = "watch.lead_of" if standing.lead else "watch.even"
        marks.append(phrases.phrase(language, name, n=standing.lead))
    return [*marks, _last_move(standing.idle, language)]


def _last_move(idle: float, language: str) -> str:
    for name, seconds in UNITS:
        if idle >= seconds:
            return phrases.phrase(language, f"watch.{name}", n=int(idle // seconds))
    return phrases.phrase(language, "watch.now")
