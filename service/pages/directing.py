"""The director's desk: what comes next, who takes part, the tables, the preview of a round."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final
from uuid import UUID

from flask import Blueprint, Response, make_response, redirect, request

from events.errors import CabildoError
from projections.tournaments import record as states
from projections.tournaments.record import Record
from service.api import world
from service.credentials import Identity
from service.errors import NotThere
from service.pages import faults
from service.pages.deeds import DEEDS, do
from service.pages.tournaments import Board
from service.pages.visitor import member, sender
from service.problems import problem_of
from service.tournaments import documents, rounds
from service.tournaments.declaring import direct
from service.tournaments.desk import Act, Held

STEPS: Final[Mapping[str, tuple[str, ...]]] = {  # what can be done next, the usual first
    states.DRAFT: ("publication",),
    states.OPEN: ("stage",),
    states.PAIRED: ("round-publication",),
    states.PUBLISHED: ("start",),
    states.STARTED: ("round-closing",),
}
PAIRED_ANEW: Final = (states.PAIRED, states.PUBLISHED)
pages = Blueprint("directing", __name__)


def directed(tournament: UUID, identity: Identity) -> Board:
    """A tournament for the pages of its directors; refuses everybody else."""
    board = Board(tournament)
    direct(Act(board.held, world().now(), identity.id, bytes))
    return board


@pages.get("/tournaments/<uuid:tournament>/desk")
def desk(tournament: UUID) -> Response:
    """How the tournament stands, and everything that can be done about it now."""
    return _desk(directed(tournament, member()))


@pages.post("/tournaments/<uuid:tournament>/desk/<what>")
def act(tournament: UUID, what: str) -> Response:
    """Do something; what is refused is said above the desk."""
    identity = sender()
    if what not in DEEDS:
        raise NotThere("deed", what)
    try:
        do(DEEDS[what], tournament, identity, request.form)
    except CabildoError as refused:
        return _desk(directed(tournament, identity), refused)
    return make_response(redirect(f"/tournaments/{tournament}/desk", HTTPStatus.SEE_OTHER))


@pages.get("/tournaments/<uuid:tournament>/desk/next")
def preview(tournament: UUID) -> str:
    """The pairing that pairing now would make, with its reasons; nothing is written."""
    identity = member()
    directed(tournament, identity)
    held = world().desk.take(tournament)
    upcoming = Act(held, world().now(), identity.id, lambda: world().desk.seed(tournament))
    found = rounds.preview(upcoming)
    board = Board(tournament, Held(held.id, upcoming.record, held.head))
    return board.page("tournament_next.html", found=found, anew=found.attempt > 1, given={})


def steps(record: Record) -> tuple[str, ...]:
    """What moves a tournament on from where it is."""
    if record.round is not None or record.status != states.RUNNING:
        return STEPS.get(rounds.status_of(record), ())
    if record.stage is None:
        return ("stage",) if rounds.has_next_stage(record) else ("closing",)
    return ("stage-closing",) if rounds.is_played_out(record, record.stage) else ("pairing", "stage-closing")


def _desk(board: Board, wrong: CabildoError | None = None) -> Response:
    current = board.record.round
    told = documents.entrants(board.held, board.known)
    page = board.page(
        "tournament_desk.html",
        entrants=told["entrants"],
        invited=told["invited"],
        steps=steps(board.record),
        current=None if current is None else documents.round_document(board.held, current, board.known),
        anew=current is not None and current.status in PAIRED_ANEW,
        wrong=() if wrong is None else tuple(faults.told(wrong)),
        given=_given(wrong),
    )
    return make_response(page, HTTPStatus.OK if wrong is None else problem_of(wrong).status)


def _given(wrong: CabildoError | None) -> Mapping[str, Any]:
    """What a refused form held, so that nothing is written twice."""
    return {} if wrong is None else request.form
