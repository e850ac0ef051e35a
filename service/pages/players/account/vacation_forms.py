"""The forms of the account's page about days away."""

from flask import Blueprint, Response, request

from events.errors import CabildoError
from projections.games.away_budget import DAY
from service.core.clock import iso_time
from service.pages.players.account.page import PAGE, account_page, back_to
from service.pages.site.visitor import sender
from service.players.commands.vacation import DeclareVacation, EndVacation, declare_vacation, end_vacation
from service.players.vacation.schemas import LoadedNewVacation, NewVacation
from service.web.routing import container, load_form

pages = Blueprint("account_vacation", __name__)


@pages.post(f"{PAGE}/vacation")
def declare() -> Response:
    """Declares days away, from now on or in some days."""
    identity = sender()
    try:
        wait = request.form.get("wait", "").strip()
        later = int(wait) if wait.isascii() and wait.isdigit() and len(wait) < 4 else 0
        since = {"since": iso_time(container().now() + later * DAY)} if later else {}
        body: LoadedNewVacation = load_form(NewVacation, {"days": _number("days"), **since})
        declare_vacation(container(), DeclareVacation(identity, body["days"], body["since"]))
    except CabildoError as refused:
        return account_page(identity, "vacation", refused)
    return back_to("vacation", "vacation-declared")


@pages.post(f"{PAGE}/vacation/end")
def end() -> Response:
    """Ends the days away, or cancels those that have not begun."""
    identity = sender(while_blocked=True)
    try:
        end_vacation(container(), EndVacation(identity))
    except CabildoError as refused:
        return account_page(identity, "vacation", refused)
    return back_to("vacation", "vacation-ended")


def _number(name: str) -> int | str:
    given = request.form.get(name, "").strip()
    return int(given) if given.isascii() and given.isdigit() and len(given) < 9 else given
