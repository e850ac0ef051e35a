"""Renders the page of the account: every section of it, the faults of a form, and secrets that are shown once."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Final, NamedTuple
from urllib.parse import quote, urlencode

from flask import Blueprint, Response, make_response, redirect, render_template, request
from psycopg import Connection

from events.errors import CabildoError
from service.container import Container
from service.core.clock import iso_time
from service.core.quotas import NOUNS
from service.i18n import messages
from service.oauth.programs import allowed_programs
from service.pages.site.form_errors import error_sentences
from service.pages.site.visitor import member
from service.players.commands.confirmation import ConfirmPassword, confirm_password, is_confirmed
from service.players.email.addresses import LONGEST_ADDRESS
from service.players.email.storage import email_of
from service.players.identity import FIRST_SCOPES, Identity
from service.players.queries import count_recovery_codes, sessions_of, tokens_of
from service.players.schemas import LONGEST_PASSWORD, SHORTEST_PASSWORD
from service.players.second_factor.storage import second_factor_of
from service.players.vacation.declared_days import vacations_of
from service.players.vacation.documents import vacation_document
from service.web.auth import clear_session_cookie
from service.web.problem_types import problem_of
from service.web.responses import request_language
from service.web.routing import container

PAGE: Final = "/account"
LONGEST_LABEL: Final = 80
DAYS: Final = (0, 1, 7, 30, 365)  # days until a token expires; 0: never
DONE: Final = (
    *("name", "password", "sessions", "second-factor-on", "second-factor-off"),
    *("email-sent", "email-confirmed", "email-removed", "vacation-declared", "vacation-ended"),
)
pages = Blueprint("account_pages", __name__)


class ShownOnce(NamedTuple):
    """Secrets that the page shows in the answer to the form that made them."""

    token: str | None = None
    codes: Sequence[str] = ()
    secret: str | None = None  # of a second factor
    picture: str | None = None  # of that secret


NOTHING: Final = ShownOnce()


@pages.get(PAGE)
def account() -> Response:
    """Renders the page; the query may fill in the form of a new token."""
    identity = member()
    return make_response(redirect("/keep")) if identity.guest else account_page(identity)


@pages.get(f"{PAGE}/<path:what>")
def section(what: str) -> Response:
    """Redirects to a section: a browser that loads the address of a form again sees the page."""
    return make_response(redirect(f"{PAGE}#{quote(what.partition('/')[0])}"))


@pages.get("/sessions")
def sessions() -> Response:
    """Redirects the former address of the sessions."""
    return make_response(redirect(f"{PAGE}#sessions", HTTPStatus.MOVED_PERMANENTLY))


@pages.get("/tokens")
def tokens() -> Response:
    """Redirects the former address of the tokens, with what the query fills in."""
    asked = f"?{urlencode(request.args)}" if request.args else ""
    return make_response(redirect(f"{PAGE}{asked}#tokens", HTTPStatus.MOVED_PERMANENTLY))


def account_page(
    identity: Identity, where: str = "", refused: CabildoError | None = None, shown: ShownOnce = NOTHING
) -> Response:
    """Returns the page, with the faults of the form in a section."""
    here = container()
    with here.stores.pool.connection() as connection:
        contents = _contents(here, connection, identity)
    page = render_template(
        "own_account.html",
        **contents,
        where=where,
        wrong=() if refused is None else tuple(error_sentences(refused)),
        shown=shown,
        done=request.args.get("done") if request.args.get("done") in DONE else None,
        own=identity.session,
        entered=_entered(),
        scopes=FIRST_SCOPES,
        days=DAYS,
        longest_label=LONGEST_LABEL,
        longest_address=LONGEST_ADDRESS,
        shortest=SHORTEST_PASSWORD,
        longest=LONGEST_PASSWORD,
    )
    response = make_response(page, HTTPStatus.OK if refused is None else problem_of(refused).status)
    response.headers["Cache-Control"] = "no-store"
    return response


def confirm_by_form(identity: Identity) -> None:
    """Confirms the session by the present password in the form, if it holds one."""
    if request.form.get("present"):
        confirm(identity)


def confirm(identity: Identity) -> None:
    """Confirms the session by the present password in the form."""
    given = request.form.get("present", "")[: LONGEST_PASSWORD + 1]
    confirm_password(container(), ConfirmPassword(identity, given, request.remote_addr))


def back_to(where: str, done: str | None = None) -> Response:
    """Returns the way back to a section of the page, which tells what was done."""
    asked = "" if done is None else f"?done={done}"
    return make_response(redirect(f"{PAGE}{asked}#{where}", HTTPStatus.SEE_OTHER))


def gone() -> Response:
    """Returns the way to the home page for a browser that is logged out."""
    response = make_response(redirect("/", HTTPStatus.SEE_OTHER))
    clear_session_cookie(response)
    return response


def _contents(here: Container, connection: Connection, identity: Identity) -> Mapping[str, object]:
    """Reads what the sections show."""
    at, player, language = here.now(), identity.player, request_language()
    factor = second_factor_of(connection, player)
    used = here.quotas.used(connection, player)
    return {
        "sessions": [_with_times(one._asdict()) for one in sessions_of(connection, player, at)],
        "tokens": [_with_times(one._asdict()) for one in tokens_of(connection, player) if one.program is None],
        "programs": [_with_times(one._asdict()) for one in allowed_programs(connection, at, player)],
        "codes_left": count_recovery_codes(connection, player),
        "email": email_of(connection, here.vault, at, player),
        "sends_mail": here.settings.smtp_server is not None,
        "factor_pending": factor is not None and factor.confirmed is None,
        "factor_since": None if factor is None else iso_time(factor.confirmed),
        "vacation": vacation_document(vacations_of(connection, player), at),
        "quotas": [(messages.translate(NOUNS[name], language), use) for name, use in used.items()],
        "confirmed": is_confirmed(connection, at, identity),
    }


def _with_times(row: dict[str, object]) -> Mapping[str, object]:
    """Returns a row with its times in ISO format."""
    times = {name: row.get(name) for name in ("created", "expires", "used")}
    return row | {name: iso_time(at) for name, at in times.items() if isinstance(at, int)}


def _entered() -> Mapping[str, object]:
    """Returns the values of forms, from a refused submission or, for a new token, from the query."""
    scopes = request.form.getlist("scopes") or request.args.get("scopes", "").split(",")
    return {
        "scopes": [scope for scope in scopes if scope in FIRST_SCOPES] or ("read", "play"),
        "label": request.values.get("label", "")[:LONGEST_LABEL],
        "address": request.form.get("address", "")[:LONGEST_ADDRESS],
    }
