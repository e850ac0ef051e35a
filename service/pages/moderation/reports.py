"""The page of reports: a form about one thing, and the visitor's own reports."""

from http import HTTPStatus
from typing import Final
from uuid import UUID

from flask import Blueprint, make_response, redirect, render_template, request
from werkzeug.wrappers import Response

from events.errors import CabildoError
from service.core.errors import NotThere
from service.i18n import messages
from service.moderation.labelled_things import LabelledThing, labelled
from service.moderation.reports.commands import KINDS, LONGEST_WORDS, ReportThing, report_thing
from service.moderation.reports.documents import own_report
from service.moderation.reports.queries import Report, own_reports
from service.moderation.reports.schemas import NewReport, ReportBody
from service.moderation.things import NOUNS, WHOLE, Thing, visible_things
from service.pages.site.form_errors import error_sentences
from service.pages.site.visitor import member, sender
from service.players.identity import Identity
from service.web.problem_types import problem_of
from service.web.responses import request_language
from service.web.routing import container, load_form

PAGE: Final = "/reports"
MOST: Final = 50  # own reports on a page
pages = Blueprint("report_pages", __name__)


@pages.get(PAGE)
def reports() -> Response:
    """Renders the form for what the query names, if anything, and the visitor's reports."""
    return _page(member(), request.args.get("about"), request.args.get("id", ""))


@pages.post(PAGE)
def report() -> Response:
    """Sends a report, or renders the form again with its errors."""
    identity = sender()
    whole, id = request.form.get("whole") or None, request.form.get("id", "")
    about, _, number = request.form.get("thing", "").partition(":")
    given = {"about": about, "id": id, "number": int(number) if number.isdecimal() else 0}
    given |= {name: request.form.get(name, "") for name in ("kind", "text")}
    try:
        body: ReportBody = load_form(NewReport, given)
        thing = Thing(body["about"], body["id"], body["number"])
        report_thing(container(), ReportThing(identity.player, thing, body["kind"], body["text"]))
    except CabildoError as refused:
        return _page(identity, whole, id, refused)
    return make_response(redirect(f"{PAGE}?sent=1", HTTPStatus.SEE_OTHER))


def _page(identity: Identity, about: str | None, id: str, refused: CabildoError | None = None) -> Response:
    things = [] if about is None else _things(identity, about, id)
    with container().stores.pool.connection() as connection:
        own = own_reports(connection, identity.player, request.args.get("after") or None, MOST)
    page = render_template(
        "reports.html",
        things=things,
        about=about,
        id=id,
        chosen=request.form.get("thing") or request.args.get("thing") or f"{about}:0",
        given=request.form,
        kinds=KINDS,
        longest=LONGEST_WORDS,
        reports=[own_report(Report(**row)) for row in own.rows],
        nouns={kind: messages.translate(noun, request_language()) for kind, noun in NOUNS.items()},
        more=own.next,
        sent="sent" in request.args,
        wrong=() if refused is None else tuple(error_sentences(refused)),
    )
    response = make_response(page, HTTPStatus.OK if refused is None else problem_of(refused).status)
    response.headers["Cache-Control"] = "no-store"
    return response


def _things(identity: Identity, about: str, id: str) -> list[LabelledThing]:
    """Returns what can be reported of a player, game, study or tournament; raises NotThere."""
    try:
        whole = UUID(id)
    except ValueError:
        raise NotThere("player", id) from None
    if about not in WHOLE:
        raise NotThere("player", id)
    return labelled(container(), visible_things(container(), about, whole, identity.id), request_language())
