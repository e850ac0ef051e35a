"""The way in: a landing page with its doors and what there is to look at, and the page on which a game is watched."""

from uuid import UUID

from flask import Blueprint, render_template

from service.api import world
from service.pages.gallery import TITLES, gallery
from service.pages.visitor import reader
from service.pages.words import setting
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
        record = sight_of(game, reader()).record
        words = language()
        return render_template(
            "game.html",
            id=game,
            title=TITLES[record.game],
            setting=setting(record.game, words) | {"id": str(game), "game": record.game, "language": words},
            seats=len(record.chairs),
        )

    return blueprint
