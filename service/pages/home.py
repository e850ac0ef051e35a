"""The way in: a landing page with its doors and what there is to look at, and the page on which a game is watched."""

from uuid import UUID

from flask import Blueprint, render_template

from service.api import world
from service.pages.gallery import TITLES, gallery
from service.pages.setting import setting
from service.pages.visitor import reader
from service.routes.reading import sight_of
from service.transfer import language


def pages() -> Blueprint:
    """The pages of people who look."""
    blueprint = Blueprint("home", __name__)

    @blueprint.get("/")
    def home() -> str:
        with world().stores.pool.connection() as connection:
            return render_template("home.html", games=gallery(connection))

    @blueprint.get("/games/<uuid:game>")
    def replay(game: UUID) -> str:
        who, words = reader(), language()
        sight = sight_of(game, who)
        kind = sight.record.game
        return render_template(
            "game.html",
            id=game,
            title=TITLES[kind],
            setting={**setting(kind, words), "id": str(game), "game": kind, "over": sight.over},
            seats=len(sight.record.chairs),
            seated=who is not None and sight.record.chair_of(who.id) is not None,
        )

    return blueprint
