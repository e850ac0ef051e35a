"""Forms to register, log in and log out, with and without scripts."""

import hmac
import secrets
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Final

from flask import Blueprint, Response, make_response, redirect, render_template, request

from events.errors import CabildoError
from events.messages import Message
from service.core.errors import (
    BadName,
    InvalidRequest,
    NameConfusable,
    NameReserved,
    NameTaken,
    NotAllowed,
    ServiceBusy,
    TooManyAttempts,
    Unauthenticated,
)
from service.i18n import messages, phrases
from service.pages.site.form_errors import error_sentences
from service.pages.site.language import within
from service.pages.site.visitor import FIELD, check_form, session
from service.players.commands.sessions import (
    FinishLogin,
    LogIn,
    LogOut,
    SignUp,
    finish_login,
    log_player_in,
    log_player_out,
    sign_player_up,
)
from service.players.errors import LoginOver, SecondFactorNeeded, SecondFactorRefused
from service.players.recovery_schemas import LONGEST_CODE
from service.players.schemas import LONGEST_PASSWORD, SHORTEST_PASSWORD
from service.web.auth import SESSION_COOKIE, clear_session_cookie, set_session_cookie
from service.web.problem_types import problem_of
from service.web.responses import request_language
from service.web.routing import container

FORM_COOKIE: Final = "cabildo_form"  # CSRF cookie of a browser without a session; its forms repeat the value
FORM_SECONDS: Final = 3_600
START: Final = "/"
WELCOME: Final = "/learn?welcome=1"  # where a new account begins
LATER: Final = (LoginOver, ServiceBusy, TooManyAttempts)  # the user can send the form again
NAMES: Final = (BadName, NameConfusable, NameReserved, NameTaken)
SHOWN_IN_THE_FORM: Final = (*NAMES, InvalidRequest, Unauthenticated, *LATER)  # errors shown in the form
STATUS: Final[Mapping[str, int]] = {"log_in": HTTPStatus.UNAUTHORIZED, "register": HTTPStatus.UNPROCESSABLE_ENTITY}
OpenSession = Callable[[str, str], str]  # name, password -> the secret of a session


def pages() -> Blueprint:
    """Returns the pages of accounts."""
    blueprint = Blueprint("accounts", __name__)
    blueprint.get("/login", endpoint="log_in_form")(lambda: _form("log_in"))
    blueprint.get("/register", endpoint="register_form")(lambda: _form("register"))
    blueprint.post("/login", endpoint="log_in")(lambda: _entered("log_in", _known))
    blueprint.post("/register", endpoint="register")(lambda: _entered("register", _registered))
    blueprint.post("/login/code", endpoint="finish_login")(_code_entered)
    blueprint.post("/logout", endpoint="log_out")(_left)
    return blueprint


def _form(what: str, refused: CabildoError | None = None) -> Response:
    """Renders the form with the entered name and the error; the password is never repeated."""
    if refused is None and session() is not None:
        return make_response(redirect(_next()))
    token = entry_token()
    page = render_template(
        "account.html",
        what=what,
        token=token,
        name=request.form.get("name", ""),
        refused=None if refused is None else _words(refused),
        next=_next(),
        shortest=SHORTEST_PASSWORD,
        longest=LONGEST_PASSWORD,
    )
    response = make_response(page, HTTPStatus.OK if refused is None else _status(what, refused))
    keep_entry_token(response, token)
    return response


def entry_token() -> str:
    """Returns the CSRF value for a form of a browser without a session."""
    return request.cookies.get(FORM_COOKIE) or secrets.token_urlsafe(24)


def keep_entry_token(response: Response, token: str) -> None:
    """Gives the browser the cookie that its form has to repeat."""
    secure = container().settings.public_url.startswith("https:")
    response.set_cookie(FORM_COOKIE, token, max_age=FORM_SECONDS, httponly=True, samesite="Strict", secure=secure)


def check_entry_form() -> None:
    """Raises NotAllowed for a form that another site made."""
    promised = request.cookies.get(FORM_COOKIE, "")
    if not promised or not hmac.compare_digest(promised.encode(), request.form.get(FIELD, "").encode()):
        raise NotAllowed("csrf", "the form lacks the value of its page; load the page again")


def _status(what: str, refused: CabildoError) -> int:
    return problem_of(refused).status if isinstance(refused, LATER) else STATUS[what]


def _words(refused: CabildoError) -> str:
    words = request_language()
    if isinstance(refused, Unauthenticated):
        return phrases.phrase(words, "accounts.wrong")
    if isinstance(refused, InvalidRequest):
        return phrases.phrase(words, "accounts.password_rule", n=SHORTEST_PASSWORD)
    if isinstance(refused, LATER):
        return messages.error_sentence(refused, words)
    return messages.translate(problem_of(refused).title, words)


def _next() -> str:
    """Returns the local address to continue at; never one of another site."""
    usual = WELCOME if request.path == "/register" else START
    return within(request.values.get("next", usual))


def _entered(what: str, open_session: OpenSession) -> Response:
    """Opens a session for the submitted form, or renders the form again."""
    check_entry_form()
    try:
        secret = open_session(request.form.get("name", ""), request.form.get("password", ""))
    except SecondFactorNeeded as needed:
        return _code_form(needed.ticket)
    except SHOWN_IN_THE_FORM as refused:
        return _form(what, refused)
    return _opened(secret)


def _code_form(ticket: str, refused: CabildoError | None = None) -> Response:
    """Renders the form for the code of a login whose password was right."""
    token = entry_token()
    wrong = () if refused is None else tuple(error_sentences(refused))
    page = render_template(
        "login_code.html", token=token, ticket=ticket, next=_next(), wrong=wrong, longest_code=LONGEST_CODE
    )
    response = make_response(page, HTTPStatus.OK if refused is None else problem_of(refused).status)
    keep_entry_token(response, token)
    response.headers["Cache-Control"] = "no-store"
    return response


def _code_entered() -> Response:
    """Opens a session for the ticket and the code in the form, or renders a form again."""
    check_entry_form()
    ticket, code = (request.form.get(field, "") for field in ("ticket", "code"))
    command = FinishLogin(ticket, code[:LONGEST_CODE], request.remote_addr, request.user_agent.string)
    try:
        return _opened(finish_login(container(), command)[0])
    except LoginOver as over:
        return _form("log_in", over)
    except (SecondFactorRefused, *LATER) as refused:
        return _code_form(ticket, refused)


def _opened(secret: str) -> Response:
    """Returns the way on for a browser that is logged in now."""
    response = make_response(redirect(_next(), HTTPStatus.SEE_OTHER))
    set_session_cookie(response, secret, secure=container().settings.public_url.startswith("https:"))
    response.delete_cookie(FORM_COOKIE)
    return response


def _known(name: str, password: str) -> str:
    """Logs the browser in; returns the secret of its session."""
    if len(password) > LONGEST_PASSWORD:
        raise Unauthenticated("name or password is wrong")
    try:
        return log_player_in(container(), LogIn(name, password, request.remote_addr, request.user_agent.string))[0]
    except BadName as unknown:
        raise Unauthenticated("name or password is wrong") from unknown


def _registered(name: str, password: str) -> str:
    """Creates a player and logs the browser in; returns the secret of its session."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise InvalidRequest(
            {
                "password": [
                    Message(
                        "takes {shortest} to {longest} characters", shortest=SHORTEST_PASSWORD, longest=LONGEST_PASSWORD
                    )
                ]
            }
        )
    return sign_player_up(container(), SignUp(name, password, request.remote_addr, request.user_agent.string))[0]


def _left() -> Response:
    """Closes the session of this browser."""
    identity = session()
    if identity is not None:
        check_form(identity)
        log_player_out(container(), LogOut(request.cookies.get(SESSION_COOKIE, "")))
    response = make_response(redirect(START, HTTPStatus.SEE_OTHER))
    clear_session_cookie(response)
    return response
