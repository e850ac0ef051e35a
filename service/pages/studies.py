"""The pages of studies: what there is, one study to read and write, the same for a frame on somebody else's page."""

import re
from typing import Any, Final
from uuid import UUID

from flask import Blueprint, redirect, render_template, request
from werkzeug.wrappers import Response

from projections.games import GAMES
from projections.studies.glyphs import GLYPHS
from projections.studies.text import to_text
from service import accounts
from service.api import fitting, world
from service.credentials import Identity
from service.pages.guard import FRAMED
from service.pages.setting import setting
from service.pages.visitor import check_form, reader, session
from service.routes.studies import create, id_of, library
from service.routes.study_copies import reported_html
from service.schemas.studies import NewStudy
from service.studies import finding
from service.studies.exporting import script
from service.transfer import language

MOST: Final = 48
GAME: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
pages = Blueprint("study_pages", __name__)


@pages.get("/studies")
def listed() -> str:
    """What is public, and what the reader takes part in; those about a game, when one is named."""
    who, about = id_of(reader()), GAME.search(request.args.get("game", ""))
    asked = {"about": None if about is None else UUID(about[0])}
    with world().stores.pool.connection() as connection:
        page = finding.find(connection, asked, who, MOST)
        names = accounts.names(connection, finding.owners(page.rows))
    studies = [finding.document(row, names) for row in page.rows]
    return render_template("studies.html", studies=studies, game="" if about is None else about[0])


@pages.post("/studies")
def begin() -> Response:
    """Begin a study by the form."""
    identity = session()
    if identity is None:
        return redirect("/login?next=/studies")
    check_form(identity)
    games = [found[0] for found in [GAME.search(request.form.get("game", ""))] if found is not None]
    made = create(
        body=fitting(NewStudy, {"title": request.form.get("title", "").strip(), "games": games}), asker=identity
    )
    return redirect(f"/studies/{made['study']}")


@pages.get("/studies/<uuid:study>")
def shown(study: UUID) -> str:
    """A study, to be read and, by its writers, written."""
    return _page("study.html", study, reader(), embed=False)


@pages.get("/studies/<uuid:study>/embed")
def embedded(study: UUID) -> Response:
    """A public or unlisted study to be shown in a frame: as anybody sees it, for a frame knows nobody."""
    response = Response(_page("study_embed.html", study, None, embed=True), content_type="text/html; charset=utf-8")
    response.headers[FRAMED] = "yes"
    return response


@pages.get("/studies/<uuid:study>/text")
def text(study: UUID) -> Response:
    """A study as text for a forum."""
    told = to_text(script(library().read(study, id_of(reader()))))
    return Response(told, content_type="text/plain; charset=utf-8")


@pages.get("/studies/<uuid:study>/report")
def report(study: UUID) -> Response:
    """A study as one page with pictures, to be kept."""
    return reported_html(study, reader())


def _page(template: str, study: UUID, who: Identity | None, *, embed: bool) -> str:
    heading = library().read(study, id_of(who), ()).heading()
    words = language()
    told: dict[str, Any] = {
        "id": str(study),
        "player": id_of(who),
        "csrf": None if who is None else who.csrf,
        "embed": embed,
        "games": {game: setting(game, words) for game in GAMES},
        "glyphs": {number: {"family": glyph.family, "sign": glyph.sign} for number, glyph in GLYPHS.items()},
    }
    return render_template(template, id=study, title=heading["title"] or "", setting=told, embed=embed)
