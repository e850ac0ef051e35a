"""Forms for rulings about a table, with a reason: extra time, result, void game, substitution."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final
from uuid import UUID

from flask import Blueprint, Response, make_response, redirect, request

from events.errors import CabildoError
from projections.tournaments.record import RoundRecord, Sitting
from service.core.errors import NotThere
from service.pages.games.new_game import MINUTE, number
from service.pages.site import form_errors
from service.pages.site.form_fields import Form
from service.pages.site.visitor import member, sender
from service.pages.tournaments.board import Board, directed
from service.tournaments import documents
from service.tournaments.commands import rulings
from service.tournaments.commands.command_table import execute_command
from service.tournaments.schemas import commands as schemas
from service.web.idempotency import translated_request
from service.web.problem_types import problem_of
from service.web.routing import container, load_form

Body = dict[str, Any]
AT: Final = "/tournaments/<uuid:tournament>/desk/rounds/<int:round>/tables/<int:table>"
pages = Blueprint("ruling", __name__)


@pages.get(AT)
def table_(tournament: UUID, round: int, table: int) -> Response:
    """Renders a table with the forms of its rulings."""
    return _page(directed(tournament, member()), round, table)


@pages.post(f"{AT}/<any('time', 'result', 'void', 'substitution'):what>")
def rule(tournament: UUID, round: int, table: int, what: str) -> Response:
    """Applies a ruling, or renders the forms with the error."""
    identity = sender()
    schema, make_command, read = RULINGS[what]
    try:
        about = {"round": round, "table": table, "reason": request.form.get("reason", "").strip(), **read(request.form)}
        command = make_command(tournament, load_form(schema, about))
        execute_command(container(), command, translated_request(identity))
    except CabildoError as refused:
        return _page(directed(tournament, identity), round, table, refused)
    at = f"/tournaments/{tournament}/desk/rounds/{round}/tables/{table}"
    return make_response(redirect(at, HTTPStatus.SEE_OTHER))


def _page(board: Board, round: int, table: int, wrong: CabildoError | None = None) -> Response:
    current, found = _found(board, round, table)
    page = board.page(
        "tournament_ruling.html",
        round=current,
        table=documents.table_document(board.record, found, board.names),
        spare=documents.people(board.record, _spare(board, current), board.names),
        wrong=() if wrong is None else tuple(form_errors.error_sentences(wrong)),
        given={} if wrong is None else request.form,
    )
    return make_response(page, HTTPStatus.OK if wrong is None else problem_of(wrong).status)


def _found(board: Board, round: int, table: int) -> tuple[RoundRecord, Sitting]:
    rounds = board.record.rounds
    if not 1 <= round <= len(rounds) or not 1 <= table <= len(rounds[round - 1].tables):
        raise NotThere("table of the round", table)
    return rounds[round - 1], rounds[round - 1].tables[table - 1]


def _spare(board: Board, current: RoundRecord) -> list[int]:
    """Returns the entrants who can substitute in a round: not withdrawn and at none of its tables."""
    seated = {number for table in current.tables for number in table.paired}
    return [entry.number for entry in board.record.entries if entry.gone is None and entry.number not in seated]


def _time(form: Form) -> Body:
    return {"entrant": number(form, "entrant"), "seconds": number(form, "minutes") * MINUTE}


def _result(form: Form) -> Body:
    """Returns a result from one field for each name and seat."""
    return {
        **{name: [_signed(name, one) for one in form.getlist(name)] for name in ("points", "tie_break", "places")},
        "forfeited": [_signed("forfeited", one) for one in form.getlist("forfeited")],
    }


def _signed(name: str, given: str) -> int:
    """Returns a whole number, 0 for an empty field; points can be negative because players pay bids."""
    sign = -1 if given.strip().startswith("-") else 1
    return sign * number({name: given.strip().removeprefix("-")}, name)


def _substitution(form: Form) -> Body:
    return {"entrant": number(form, "entrant"), "by": number(form, "by")}


def _nothing(_form: Form) -> Body:
    return {}


def _by_name(command: Callable[..., object]) -> Callable[[UUID, Body], object]:
    """Returns a function that makes a command whose fields have the names of the body's."""
    return lambda tournament, body: command(tournament, **body)


RULINGS: Final[Mapping[str, tuple[Any, Callable[[UUID, Body], object], Callable[[Form], Body]]]] = {
    "time": (schemas.TimeAdded, _by_name(rulings.AddTime), _time),
    "result": (schemas.ResultRuled, rulings.result_ruling, _result),
    "void": (schemas.AtTable, _by_name(rulings.VoidTable), _nothing),
    "substitution": (schemas.Substitution, _by_name(rulings.SubstituteEntrant), _substitution),
}
