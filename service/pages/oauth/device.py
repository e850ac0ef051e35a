"""The page for the short code of a program without a browser: enter it, see who asks, allow it or not."""

from http import HTTPStatus

from flask import Blueprint, Response, make_response, render_template, request

from events.errors import CabildoError
from service.core.errors import NotThere
from service.oauth.authlib_grants import DEVICE_PATH
from service.oauth.commands import AnswerDeviceLogin, answer_device_login
from service.oauth.device_logins import LOGIN_SECONDS, LONGEST_USER_CODE, DeviceLogin, find_by_user_code
from service.oauth.program_tokens import DEVICE_SECONDS
from service.oauth.programs import Program, find_program
from service.pages.oauth.password import DAY, check_password
from service.pages.site.form_errors import error_sentences
from service.pages.site.visitor import member, sender
from service.players.commands.confirmation import is_confirmed
from service.players.identity import Identity
from service.players.schemas import LONGEST_PASSWORD
from service.web.problem_types import problem_of
from service.web.routing import container

pages = Blueprint("device_pages", __name__)


@pages.get(DEVICE_PATH)
def form() -> Response:
    """Renders the form for the code; an address with the code fills it in, and tells nothing about it."""
    member()
    return _form(request.args.get("user_code", ""))


@pages.post(DEVICE_PATH)
def enter() -> Response:
    """Renders the question whether the program of a code is allowed."""
    return _question(sender(), request.form.get("user_code", ""))


@pages.post(f"{DEVICE_PATH}/answer")
def answer() -> Response:
    """Stores the player's answer; the program fetches its token by itself."""
    identity, code = sender(), request.form.get("user_code", "")
    allows = request.form.get("answer") == "allow"
    try:
        if allows:
            check_password(identity)
        login = answer_device_login(container(), AnswerDeviceLogin(identity, code, allows))
    except NotThere:
        return _form(code, unknown=True)
    except CabildoError as refused:
        return _question(identity, code, refused)
    with container().stores.pool.connection() as connection:
        program = find_program(connection, container().now(), login.program)
    name = "" if program is None else program.name
    return _kept_nowhere(render_template("device_done.html", name=name, allowed=allows), HTTPStatus.OK)


def _question(identity: Identity, code: str, refused: CabildoError | None = None) -> Response:
    at = container().now()
    with container().stores.pool.connection() as connection:
        login = find_by_user_code(connection, at, code)
        program = None if login is None else find_program(connection, at, login.program)
        confirmed = is_confirmed(connection, at, identity)
    if login is None or program is None:
        return _form(code, unknown=True)
    return _question_page(login, program, refused, confirmed=confirmed)


def _question_page(login: DeviceLogin, program: Program, refused: CabildoError | None, *, confirmed: bool) -> Response:
    page = render_template(
        "device_consent.html",
        program=program,
        scopes=login.scopes,
        code=login.shown_code,
        days=DEVICE_SECONDS // DAY,
        confirmed=confirmed,
        longest=LONGEST_PASSWORD,
        wrong=() if refused is None else tuple(error_sentences(refused)),
    )
    return _kept_nowhere(page, HTTPStatus.OK if refused is None else problem_of(refused).status)


def _form(code: str, *, unknown: bool = False) -> Response:
    page = render_template(
        "device.html",
        code=code[:LONGEST_USER_CODE],
        unknown=unknown,
        longest_code=LONGEST_USER_CODE,
        minutes=LOGIN_SECONDS // 60,
    )
    return _kept_nowhere(page, HTTPStatus.UNPROCESSABLE_ENTITY if unknown else HTTPStatus.OK)


def _kept_nowhere(page: str, status: int) -> Response:
    response = make_response(page, status)
    response.headers["Cache-Control"] = "no-store"
    return response
