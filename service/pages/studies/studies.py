"""Pages of studies: the list, a study to read and edit, and a study to embed in other sites."""

import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from flask import Blueprint, make_response, redirect, render_template, request
from werkzeug.wrappers import Response

from events.errors import CabildoError
from projections.rules.registry import GAMES
from projections.studies.glyphs import GLYPHS
from projections.studies.text_writer import to_text
from service.analyses.visible_analysis import markdown_analysis, seat_names, visible_analysis
from service.core.errors import UnreadableBody
from service.i18n.messages import hidden_notice
from service.pages.games.board_labels import setting
from service.pages.games.game_lists import TITLES
from service.pages.site import form_errors
from service.pages.site.visitor import reader, sender
from service.players.identity import Identity, player_id
from service.players.queries import names_of
from service.studies import listing
from service.studies.commands import StudyOutcome, create_command, create_study, import_command, import_script
from service.studies.copies.export import script
from service.studies.queries import read
from service.studies.reports import html_report, markdown_report
from service.studies.schemas.documents import MOST_SCRIPT_VALUES, NewScript, NewStudy
from service.studies.schemas.loaded import LoadedStudyQuery
from service.studies.schemas.queries import StudyQuery
from service.web.browsers.security_headers import FRAMED
from service.web.idempotency import request_of
from service.web.json_bodies import decode_text
from service.web.problem_types import problem_of
from service.web.responses import html_file_response, markdown_response, request_language
from service.web.routing import container, load_form

MOST: Final = 48
GAME: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
pages = Blueprint("study_pages", __name__)


@pages.get("/studies")
def listed() -> Response:
    """Lists public studies and those of the reader, filtered by the query."""
    return _list()


@pages.post("/studies")
def begin() -> Response:
    """Creates a study from the form."""
    identity = sender()
    title, about = request.form.get("title", "").strip(), GAME.search(request.form.get("game", ""))
    fields = {"title": title, "games": [] if about is None else [about[0]]}
    return _made(lambda: create_study(container(), create_command(load_form(NewStudy, fields)), request_of(identity)))


@pages.post("/studies/import")
def import_() -> Response:
    """Imports an exported study, as text or as JSON, into a new one."""
    identity, given = sender(), request.form.get("script", "")
    return _made(
        lambda: import_script(container(), import_command(load_form(NewScript, _script(given))), request_of(identity))
    )


def _script(given: str) -> dict[str, Any]:
    """Returns the fields of a new study out of the text of a form: JSON, or the text format."""
    if not given.lstrip().startswith("{"):
        return {"text": given}
    try:
        return {"script": decode_text(given, MOST_SCRIPT_VALUES)}
    except UnreadableBody:
        return {"text": given}


def _made(execute: Callable[[], StudyOutcome]) -> Response:
    """Redirects to the new study, or renders the list with the error."""
    try:
        return redirect(f"/studies/{execute().answer['study']}", HTTPStatus.SEE_OTHER)
    except CabildoError as refused:
        return _list(refused)


def _list(wrong: CabildoError | None = None) -> Response:
    identity, asked = reader(), {name: value for name, value in request.args.items() if value.strip()}
    about = GAME.search(asked.get("game", ""))
    query: LoadedStudyQuery = load_form(
        StudyQuery, {name: asked[name] for name in ("title", "lesson", "after") if name in asked}
    )
    query |= {"about": about and UUID(about[0]), "member": identity.player if identity and "mine" in asked else None}
    with container().stores.pool.connection() as connection:
        page = listing.find(connection, query, player_id(identity), MOST, request_language())
        names = names_of(connection, listing.owners(page.rows))
    page_text = render_template(
        "studies.html",
        titles=TITLES,
        studies=[listing.document(row, names) for row in page.rows],
        asked=asked,
        more=None if page.next is None else urlencode({**asked, "after": page.next}),
        game="" if about is None else about[0],
        given=request.form,
        wrong=() if wrong is None else tuple(form_errors.error_sentences(wrong)),
    )
    return make_response(page_text, HTTPStatus.OK if wrong is None else problem_of(wrong).status)


@pages.get("/studies/<uuid:study>")
def study_page(study: UUID) -> str:
    """Renders a study to read and, for its writers, to edit."""
    return _page("study.html", study, reader(), embed=False)


@pages.get("/studies/<uuid:study>/embed")
def embedded(study: UUID) -> Response:
    """Renders a public or unlisted study for a frame, as an anonymous reader sees it."""
    response = Response(_page("study_embed.html", study, None, embed=True), content_type="text/html; charset=utf-8")
    response.headers[FRAMED] = "yes"
    return response


@pages.get("/studies/<uuid:study>/text")
def text(study: UUID) -> Response:
    """Exports a study as text for a forum."""
    exported = to_text(script(read(container(), study, player_id(reader()), hidden_notice(request_language()))))
    return Response(exported, content_type="text/plain; charset=utf-8")


@pages.get("/studies/<uuid:study>/report")
def report(study: UUID) -> Response:
    """Exports a study as one HTML page with pictures."""
    about = (container(), study, player_id(reader()), (), request_language())
    return html_file_response(html_report(*about), str(study))


@pages.get("/studies/<uuid:study>/markdown")
def markdown(study: UUID) -> Response:
    """Exports the report as Markdown with links to its pictures."""
    return markdown_response(markdown_report(container(), study, player_id(reader()), (), request_language()))


@pages.get("/analyses/<uuid:analysis>/report")
def analysed(analysis: UUID) -> Response:
    """Exports an analysis as Markdown."""
    here = container()
    found = visible_analysis(here, analysis, player_id(reader()), request_language())
    return markdown_response(markdown_analysis(here, found, seat_names(here, found)))


def _page(template: str, study: UUID, who: Identity | None, *, embed: bool) -> str:
    words = request_language()
    heading = read(container(), study, player_id(who), hidden_notice(words), ()).heading()
    variables: dict[str, Any] = {
        "id": str(study),
        "player": player_id(who),
        "csrf": None if who is None else who.csrf,
        "embed": embed,
        "games": {game: setting(game, words) for game in GAMES},
        "glyphs": {number: {"family": glyph.family, "sign": glyph.sign} for number, glyph in GLYPHS.items()},
    }
    return render_template(template, id=study, title=heading["title"] or "", setting=variables, embed=embed)
