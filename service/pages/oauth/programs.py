"""The page of the programs that a player registered, and the form by which an allowed one is revoked."""

from http import HTTPStatus

from flask import Blueprint, Response, make_response, redirect, render_template, request

from events.errors import CabildoError
from service.core.clock import iso_time
from service.oauth.commands import (
    RegisterProgram,
    RemoveProgram,
    RevokeProgram,
    register_program,
    remove_program,
    revoke_program,
)
from service.oauth.programs import programs_of
from service.oauth.redirects import LONGEST_REDIRECT
from service.oauth.schemas import LONGEST_SITE, MOST_REDIRECTS, NewProgram, ProgramBody
from service.pages.players.account.page import back_to
from service.pages.site.form_errors import error_sentences
from service.pages.site.visitor import member, sender
from service.players.identity import Identity
from service.players.names import LONGEST_NAME
from service.web.problem_types import problem_of
from service.web.routing import container, load_form

PAGE = "/programs"
pages = Blueprint("program_pages", __name__)


@pages.get(PAGE)
def programs() -> Response:
    """Renders the visitor's programs and the form for a new one."""
    return _page(member())


@pages.post(PAGE)
def register() -> Response:
    """Registers a program, or renders the form again with its faults."""
    identity = sender()
    lines = request.form.get("redirects", "").split()
    given: dict[str, object] = {"name": request.form.get("name", ""), "redirects": lines}
    if site := request.form.get("site", "").strip():
        given["site"] = site
    try:
        body: ProgramBody = load_form(NewProgram, given)
        command = RegisterProgram(identity, body["name"], body["redirects"], body.get("site"))
        register_program(container(), command)
    except CabildoError as refused:
        return _page(identity, refused)
    return make_response(redirect(f"{PAGE}?done=1", HTTPStatus.SEE_OTHER))


@pages.post(f"{PAGE}/<program>/removal")
def remove(program: str) -> Response:
    """Removes a program of the visitor."""
    remove_program(container(), RemoveProgram(sender(while_blocked=True), program))
    return make_response(redirect(PAGE, HTTPStatus.SEE_OTHER))


@pages.post("/account/programs/<program>/revoke")
def revoke(program: str) -> Response:
    """Revokes what the visitor allowed a program."""
    revoke_program(container(), RevokeProgram(sender(while_blocked=True), program))
    return back_to("programs")


def _page(identity: Identity, wrong: CabildoError | None = None) -> Response:
    with container().stores.pool.connection() as connection:
        registered = programs_of(connection, identity.player)
    page = render_template(
        "programs.html",
        programs=[{**program._asdict(), "created": iso_time(program.created)} for program in registered],
        done="done" in request.args,
        wrong=() if wrong is None else tuple(error_sentences(wrong)),
        given=request.form,
        longest_name=LONGEST_NAME,
        longest_site=LONGEST_SITE,
        longest_redirects=(LONGEST_REDIRECT + 2) * MOST_REDIRECTS,
    )
    response = make_response(page, HTTPStatus.OK if wrong is None else problem_of(wrong).status)
    response.headers["Cache-Control"] = "no-store"
    return response
