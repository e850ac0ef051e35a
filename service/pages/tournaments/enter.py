"""Forms of entrants: enter, check in, rank seats, withdraw."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from projections.tournaments import inputs
from projections.tournaments.record import PUBLISHED, TournamentRecord
from service.core.errors import NotThere
from service.pages.games.new_game import number
from service.pages.site.visitor import sender
from service.players.identity import Identity
from service.tournaments.routes import entries, rounds
from service.tournaments.routes.common import held_by
from service.tournaments.schemas.commands import SeatWish
from service.web.routing import load_form

pages = Blueprint("entering", __name__)


class Wishing(NamedTuple):
    """The method of choosing seats, the size of the table, and whether the player has answered."""

    method: str
    size: int
    said: bool


def wishing(record: TournamentRecord, player: str) -> Wishing | None:
    """Returns the choice of seats that the player can make now; None when there is none."""
    entry, current = record.entry_of(player), record.round
    if entry is None or current is None or current.status != PUBLISHED:
        return None
    for table in current.tables:
        if entry.number in table.paired and not table.settled:
            said = entry.number in {number for number, _ in table.wishes}
            return Wishing(inputs.stage_of(record, current.stage).seats.value, len(table.paired), said)
    return None


@pages.post("/tournaments/<uuid:tournament>/<any('enter', 'check-in', 'wish', 'withdraw'):what>")
def take_part(tournament: UUID, what: str) -> Response:
    """Enters, checks in, ranks seats or withdraws for the sender of the form."""
    WAYS[what](tournament, sender())
    return redirect(f"/tournaments/{tournament}", 303)


def _enter(tournament: UUID, asker: Identity) -> None:
    entries.enter(tournament=tournament, body={"player": None, "bot": False}, asker=asker)


def _check_in(tournament: UUID, asker: Identity) -> None:
    entries.check_in(tournament=tournament, entrant=_number(tournament, asker), asker=asker)


def _wish(tournament: UUID, asker: Identity) -> None:
    wanted = [number({"wish": one}, "wish") for one in request.form.getlist("wish")]
    rounds.wish(tournament=tournament, body=load_form(SeatWish, {"wish": wanted}), asker=asker)


def _withdraw(tournament: UUID, asker: Identity) -> None:
    entries.withdraw(tournament=tournament, entrant=_number(tournament, asker), body={"reason": None}, asker=asker)


def _number(tournament: UUID, asker: Identity) -> int:
    """Returns the sender's entrant number; raises NotThere."""
    for entry in held_by(tournament, asker).known.entries:
        if entry.player == asker.id:
            return entry.number
    raise NotThere("entrant", asker.id)


WAYS: Final[Mapping[str, Callable[[UUID, Identity], Any]]] = {
    "enter": _enter,
    "check-in": _check_in,
    "wish": _wish,
    "withdraw": _withdraw,
}
