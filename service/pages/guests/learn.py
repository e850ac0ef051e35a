"""The pages of guided first games; they work without an account."""

from typing import Any

from flask import Blueprint, Response, render_template, request

from service.guides.documents import guides, others
from service.guides.scripts import LEARNER, guided_game
from service.pages.games.board_labels import setting
from service.pages.games.game_lists import TITLES
from service.pages.guests.guest_forms import page_with_token
from service.web.responses import request_language

pages = Blueprint("learn", __name__)


@pages.get("/learn")
def learn() -> str:
    """Renders the guided games to choose from, with a welcome for a new account."""
    return render_template("learn.html", guides=guides(), titles=TITLES, welcome="welcome" in request.args)


@pages.get("/learn/<string:name>")
def lesson(name: str) -> Response:
    """Renders a guided game; its script reads the steps."""
    guide = guided_game(name)
    words = request_language()
    fields: dict[str, Any] = {
        **setting(name, words),
        "game": name,
        "others": list(others(guide.seats, words).values()),
        "learner": LEARNER,
        "steps": len(guide.steps),
    }
    return page_with_token(
        lambda token: render_template("lesson.html", token=token, game=name, title=TITLES[name], setting=fields)
    )
