"""Taking part in a tournament by forms: entering, saying that one is there, withdrawing."""

from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import UUID

from flask import Blueprint, redirect
from werkzeug.wrappers import Response

from service.credentials import Identity
from service.errors import NotThere
from service.pages.visitor import sender
from service.routes.tournaments import entering
from service.routes.tournaments.common import held_by

pages = Blueprint("entering", __name__)


@pages.post("/tournaments/<uuid:tournament>/<any('enter', 'check-in', 'withdraw'):what>")
def take_part(tournament: UUID, what: str) -> Response:
    """Let who has sent the form take part, or no longer."""
    WAYS[what](tournament, sender())
    return redirect(f"/tournaments/{tournament}", 303)


def _enter(tournament: UUID, asker: Identity) -> None:
    entering.enter(tournament=tournament, body={"player": None, "bot": False}, asker=asker)


def _check_in(tournament: UUID, asker: Identity) -> None:
    entering.check_in(tournament=tournament, entrant=_number(tournament, asker), asker=asker)


def _withdraw(tournament: UUID, asker: Identity) -> None:
    entering.withdraw(tournament=tournament, entrant=_number(tournament, asker), body={"reason": None}, asker=asker)


def _number(tournament: UUID, asker: Identity) -> int:
    """The number under which somebody has entered; refuses with NotThere who has not."""
    for entry in held_by(tournament, asker).known.entries:
        if entry.player == asker.id:
            return entry.number
    raise NotThere("entrant", asker.id)


WAYS: Final[Mapping[str, Callable[[UUID, Identity], Any]]] = {
    "enter": _enter,
    "check-in": _check_in,
    "withdraw": _withdraw,
}
