"""Forms of entrants: enter, check in, rank seats, withdraw."""

from collections.abc import Callable, Mapping
from typing import Final
from uuid import UUID

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from service.pages.games.new_game import number
from service.pages.site.visitor import sender
from service.players.identity import Identity
from service.tournaments.commands.command_table import execute_command
from service.tournaments.commands.entries import CheckIn, EnterPlayer, WithdrawEntrant
from service.tournaments.commands.rounds import ChooseSeats
from service.tournaments.queries import entrant_number
from service.tournaments.schemas.commands import SeatWish
from service.web.idempotency import translated_request
from service.web.routing import container, load_form

pages = Blueprint("entering", __name__)


@pages.post("/tournaments/<uuid:tournament>/<any('enter', 'check-in', 'wish', 'withdraw'):what>")
def take_part(tournament: UUID, what: str) -> Response:
    """Enters, checks in, ranks seats or withdraws for the sender of the form."""
    identity = sender(while_blocked=what in WHILE_BLOCKED)
    command = COMMANDS_OF_FORMS[what](tournament, identity)
    execute_command(container(), command, translated_request(identity))
    return redirect(f"/tournaments/{tournament}", 303)


def _enter(tournament: UUID, identity: Identity) -> EnterPlayer:
    return EnterPlayer(tournament, identity.id)


def _check_in(tournament: UUID, identity: Identity) -> CheckIn:
    return CheckIn(tournament, entrant_number(container(), tournament, identity.id))


def _choose_seats(tournament: UUID, _identity: Identity) -> ChooseSeats:
    ranks = [number({"wish": one}, "wish") for one in request.form.getlist("wish")]
    return ChooseSeats(tournament, load_form(SeatWish, {"wish": ranks})["wish"])


def _withdraw(tournament: UUID, identity: Identity) -> WithdrawEntrant:
    return WithdrawEntrant(tournament, entrant_number(container(), tournament, identity.id), None)


WHILE_BLOCKED: Final = ("wish", "withdraw")  # what a blocked account may send
COMMANDS_OF_FORMS: Final[Mapping[str, Callable[[UUID, Identity], object]]] = {
    "enter": _enter,
    "check-in": _check_in,
    "wish": _choose_seats,
    "withdraw": _withdraw,
}
