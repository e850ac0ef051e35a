"""The forms for a lost password, with and without scripts: a code by mail; name, code and new password."""

from http import HTTPStatus

from flask import Blueprint, Response, make_response, render_template, request

from events.errors import CabildoError
from service.pages.players.accounts import check_entry_form, entry_token, keep_entry_token
from service.pages.site.form_errors import error_sentences
from service.players.commands.mailed_recovery import CODE_MINUTES, AskForRecoveryMail, ask_for_recovery_mail
from service.players.commands.recovery import RecoverAccount, recover_account
from service.players.email.addresses import LONGEST_ADDRESS
from service.players.email.schemas import RecoveryRequest, RecoveryRequestBody
from service.players.recovery_codes import Recovered
from service.players.recovery_schemas import LONGEST_CODE, Recovery, RecoveryBody
from service.players.schemas import LONGEST_PASSWORD, SHORTEST_PASSWORD
from service.web.auth import clear_session_cookie
from service.web.problem_types import problem_of
from service.web.routing import container, load_form

PAGE = "/recovery"
pages = Blueprint("recovery_pages", __name__)


@pages.get(PAGE)
def recovery() -> Response:
    """Renders the form."""
    return _page()


@pages.post(PAGE)
def recover() -> Response:
    """Sets the new password, or renders the form again with its errors."""
    check_entry_form()
    given: dict[str, object] = {field: request.form.get(field, "") for field in ("name", "code", "password")}
    try:
        body: RecoveryBody = load_form(Recovery, given)
        revoke, address = "revoke_tokens" in request.form, request.remote_addr
        command = RecoverAccount(body["name"], body["code"], body["password"], revoke, address)
        recovered = recover_account(container(), command)
    except CabildoError as refused:
        return _page(refused)
    response = _page(recovered=recovered)
    clear_session_cookie(response)
    return response


@pages.post(f"{PAGE}/mail")
def ask_for_mail() -> Response:
    """Asks for a code by mail; the page says the same for all names and addresses."""
    check_entry_form()
    try:
        body: RecoveryRequestBody = load_form(RecoveryRequest, {"account": request.form.get("account", "").strip()})
        ask_for_recovery_mail(container(), AskForRecoveryMail(body["account"], request.remote_addr))
    except CabildoError as refused:
        return _page(refused)
    return _page(asked=True)


def _page(refused: CabildoError | None = None, recovered: Recovered | None = None, *, asked: bool = False) -> Response:
    token = entry_token()
    page = render_template(
        "recovery.html",
        token=token,
        name=request.form.get("name", ""),
        wrong=() if refused is None else tuple(error_sentences(refused)),
        recovered=recovered,
        asked=asked,
        mail=container().settings.smtp_server is not None,
        minutes=CODE_MINUTES,
        longest_address=LONGEST_ADDRESS,
        shortest=SHORTEST_PASSWORD,
        longest=LONGEST_PASSWORD,
        longest_code=LONGEST_CODE,
    )
    response = make_response(page, HTTPStatus.OK if refused is None else problem_of(refused).status)
    keep_entry_token(response, token)
    response.headers["Cache-Control"] = "no-store"
    return response
