"""The form that declares a tournament: regulations with defaults, for any number of stages."""

from collections.abc import Mapping
from functools import partial
from http import HTTPStatus
from typing import Any, Final
from uuid import UUID
from zoneinfo import available_timezones

from flask import Blueprint, Response, make_response, redirect, render_template, request

from events.errors import CabildoError
from projections.games import clocks
from projections.tournaments.regulations import read_stage, stage_document
from projections.tournaments.templates import TEMPLATES
from service.core.errors import NotThere
from service.games.lookup import game_named
from service.pages.games.board_labels import setting
from service.pages.games.game_lists import TITLES
from service.pages.games.new_game import choosing
from service.pages.site import form_errors
from service.pages.site.form_fields import Form
from service.pages.site.visitor import member, sender
from service.pages.tournaments import regulation_forms
from service.pages.tournaments.board import directed
from service.pages.tournaments.reasons import criterion
from service.pages.tournaments.regulation_forms import form_of, stage_texts, stages_in
from service.tournaments.commands.regulations import AmendDraft, DeclareTournament, amend_draft, declare_tournament
from service.tournaments.schemas.commands import Declaration, TournamentDraft
from service.tournaments.schemas.loaded import LoadedDeclaration, LoadedTournamentDraft
from service.web.idempotency import translated_request
from service.web.responses import request_language
from service.web.routing import container, load_form

FIRST: Final = "swiss_final"  # the default template
VISIBILITIES: Final = ("public", "unlisted")
DEFAULTS: Final[Mapping[str, str]] = {
    "least": "4",
    "choosing": "10",
    "late_join": "0",
    "leaver": "bot:greedy",
    "spectator_delay": "0",
    "pauses": "on",
    "time_zone": "UTC",
}
pages = Blueprint("declaring", __name__)


@pages.get("/tournaments/new")
def new() -> str:
    """Renders the form for a game, with the stages of a template."""
    member()
    template = TEMPLATES.get(request.args.get("template", FIRST))
    if template is None:
        raise NotThere("template", request.args["template"])
    stages = [stage_document(read_stage(stage)) for stage in template.stages]
    return _form(Form([*DEFAULTS.items(), *request.args.items(), *stage_texts(stages)]))


@pages.post("/tournaments/new")
def declare() -> Response:
    """Creates a draft of the tournament, or renders the form with another stage or with its errors."""
    identity = sender()
    if "more" in request.form:
        return make_response(_form(_with_another_stage()))
    try:
        body: LoadedDeclaration = load_form(Declaration, _body("visibility"))
        command = DeclareTournament(body["title"], body["regulations"], body["visibility"])
        made = declare_tournament(container(), command, translated_request(identity)).answer
    except CabildoError as refused:
        return _refused(refused)
    return make_response(redirect(f"/tournaments/{made['id']}/desk", HTTPStatus.SEE_OTHER))


@pages.get("/tournaments/<uuid:tournament>/draft")
def draft(tournament: UUID) -> str:
    """Renders the form with the regulations of the draft."""
    board = directed(tournament, member())
    with container().stores.pool.connection() as connection:
        given = form_of(board.record.regulations, connection)
    given.add("title", board.names.texts.get(board.record.title, ""))
    return _form(given, tournament)


@pages.post("/tournaments/<uuid:tournament>/draft")
def amend(tournament: UUID) -> Response:
    """Replaces the draft by the submitted form; refuses others than directors before the form is read."""
    identity = sender()
    directed(tournament, identity)
    if "more" in request.form:
        return make_response(_form(_with_another_stage(), tournament))
    try:
        draft: LoadedTournamentDraft = load_form(TournamentDraft, _body())
        command = AmendDraft(tournament, draft["title"], draft["regulations"])
        amend_draft(container(), command, translated_request(identity))
    except CabildoError as refused:
        return _refused(refused, tournament)
    return make_response(redirect(f"/tournaments/{tournament}/desk", HTTPStatus.SEE_OTHER))


def _body(*more: str) -> dict[str, Any]:
    """Returns the body of the API's request; raises InvalidRequest or NotThere."""
    with container().stores.pool.connection() as connection:
        regulations = regulation_forms.regulations(request.form, connection)
    said = {name: request.form[name] for name in ("title", *more) if name in request.form}
    return {**said, "regulations": regulations}


def _with_another_stage() -> Form:
    given = Form(request.form)
    given.add(f"stage{stages_in(given)}.format", "")
    return given


def _refused(refused: CabildoError, tournament: UUID | None = None) -> Response:
    return make_response(
        _form(request.form, tournament, list(form_errors.error_sentences(refused))), HTTPStatus.UNPROCESSABLE_ENTITY
    )


def _form(given: Form, tournament: UUID | None = None, wrong: list[str] | None = None) -> str:
    game = given.get("game", "puerto_rico")
    game_named(game)
    return render_template(
        "tournament_draft.html",
        tournament=tournament,
        game=game,
        games=TITLES,
        templates=TEMPLATES,
        sections=regulation_forms.SECTIONS,
        times=regulation_forms.TIMES,
        stage_fields=regulation_forms.STAGE,
        more_fields=regulation_forms.MORE,
        stages=stages_in(given),
        options=[choosing(name, choice, given) for name, choice in regulation_forms.choices(game).items()],
        buildings=setting(game, request_language()).get("names", {}).get("buildings", {}),
        clock_kinds=tuple(clocks.FIELDS),
        visibilities=VISIBILITIES,
        zones=sorted(available_timezones()),
        criterion=partial(criterion, request_language()),
        given=given,
        wrong=wrong or (),
    )
