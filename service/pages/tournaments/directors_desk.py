"""The director's desk: next steps, entrants, tables, and the preview of a round."""

from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any, Final, NamedTuple
from uuid import UUID

from flask import Blueprint, Response, make_response, redirect, request

from events.errors import CabildoError
from projections.tournaments import inputs
from projections.tournaments import record as states
from projections.tournaments.pairing.stage_field import first_field
from projections.tournaments.record import Sitting, StageRecord, TournamentRecord
from service.core.errors import NotThere
from service.i18n import phrases
from service.pages.site import form_errors
from service.pages.site.visitor import member, sender
from service.pages.tournaments.actions import ACTIONS, WHILE_BLOCKED, execute
from service.pages.tournaments.board import Board, directed
from service.tournaments import documents, rounds
from service.tournaments.queries import preview_round
from service.web.problem_types import problem_of
from service.web.responses import request_language
from service.web.routing import container

STEPS: Final[Mapping[str, tuple[str, ...]]] = {  # next actions by status, the usual first
    states.DRAFT: ("publication",),
    states.OPEN: ("stage",),
    states.PAIRED: ("round-publication",),
    states.PUBLISHED: ("start",),
    states.STARTED: ("round-closing",),
}
WAITING: Final[Mapping[str, tuple[str, Callable[[Sitting], bool]]]] = {  # by status, for each table
    states.PUBLISHED: ("desk.still_choosing", lambda table: table.settled),
    states.STARTED: ("desk.still_playing", lambda table: table.is_over),
}
Say = Callable[..., str]
PAIRED_ANEW: Final = (states.PAIRED, states.PUBLISHED)
pages = Blueprint("directing", __name__)


@pages.get("/tournaments/<uuid:tournament>/desk")
def desk(tournament: UUID) -> Response:
    """Renders the state of the tournament and the actions it allows."""
    return _desk(directed(tournament, member()))


@pages.post("/tournaments/<uuid:tournament>/desk/<what>")
def act(tournament: UUID, what: str) -> Response:
    """Executes an action, or renders the desk with the error."""
    identity = sender(while_blocked=what in WHILE_BLOCKED)
    if what not in ACTIONS:
        raise NotThere("action", what)
    try:
        execute(ACTIONS[what], tournament, identity, request.form)
    except CabildoError as refused:
        return _desk(directed(tournament, identity), refused)
    return make_response(redirect(f"/tournaments/{tournament}/desk", HTTPStatus.SEE_OTHER))


@pages.get("/tournaments/<uuid:tournament>/desk/next")
def preview(tournament: UUID) -> str:
    """Renders the next pairing with its reasons, without writing it."""
    state, found = preview_round(container(), tournament, member().id)
    return Board(state).page("tournament_next.html", found=found, anew=found.attempt > 1, given={})


def steps(record: TournamentRecord) -> tuple[str, ...]:
    """Returns the actions that advance the tournament now; omits those that would be refused."""
    if waits(record) is not None:
        return ()
    if record.round is not None or record.status != states.RUNNING:
        return STEPS.get(rounds.status_of(record), ())
    if record.stage is None:
        return ("stage",) if rounds.has_next_stage(record) else ("closing",)
    return ("pairing", "stage-closing") if _can_pair(record, record.stage) else ("stage-closing",)


def _can_pair(record: TournamentRecord, stage: StageRecord) -> bool:
    """Returns whether the stage has a round left and enough entrants to pair."""
    fills = record.regulations["bots"] is not None and stage.number == 1
    present = inputs.present(record, stage.number, len(record.rounds) + 1)
    return not rounds.is_played_out(record, stage) and (fills or len(present) > 1)


class Waits(NamedTuple):
    """The condition that blocks the next step: a phrase and its numbers."""

    phrase: str
    numbers: Mapping[str, int]


def waits(record: TournamentRecord) -> Waits | None:
    """Returns the condition that blocks the next step; None when none does."""
    current = record.round
    if record.status == states.OPEN:
        there, least = len(first_field(record)), record.regulations["least"]
        return Waits("desk.too_few", {"n": there, "least": least}) if there < least else None
    if current is None or current.status not in WAITING:
        return None
    phrase, is_done = WAITING[current.status]
    open_ = sum(not is_done(table) for table in current.tables)
    return Waits(phrase, {"n": open_, "of": len(current.tables)}) if open_ else None


def follows(record: TournamentRecord, say: Say) -> dict[str, list[str]]:
    """Returns the consequences of irreversible actions, by action."""
    said = {"publication": [say("desk.follows_publication")], "closing": [say("desk.follows_closing")]}
    if record.round is not None:
        for step in ("round-publication", "start", "round-closing"):
            said[step] = [say(f"desk.follows_{step.replace('-', '_')}", round=record.round.number)]
    if record.status == states.RUNNING and record.stage is not None:
        left, last = rounds.rounds_left(record, record.stage), not rounds.has_next_stage(record)
        closing = [say("desk.follows_rounds_left", n=left)] if left else []
        closing += [say("desk.follows_stage_closing")] + ([say("desk.follows_last_stage")] if last else [])
        said["stage-closing"] = closing
    return said


def _desk(board: Board, wrong: CabildoError | None = None) -> Response:
    current, stage, say = board.record.round, board.record.stage, partial(phrases.phrase, request_language())
    waiting = waits(board.record)
    document = documents.entrants(board.state, board.names)
    page = board.page(
        "tournament_desk.html",
        entrants=document["entrants"],
        invited=document["invited"],
        steps=steps(board.record),
        waits=None if waiting is None else say(waiting.phrase, **waiting.numbers),
        follows=follows(board.record, say),
        left=0 if stage is None or board.record.status != states.RUNNING else rounds.rounds_left(board.record, stage),
        current=None if current is None else documents.round_document(board.state, current, board.names),
        anew=current is not None and current.status in PAIRED_ANEW,
        wrong=() if wrong is None else tuple(form_errors.error_sentences(wrong)),
        given=_given(wrong),
    )
    return make_response(page, HTTPStatus.OK if wrong is None else problem_of(wrong).status)


def _given(wrong: CabildoError | None) -> Mapping[str, Any]:
    """Returns the fields of a refused form, so that the director need not enter them again."""
    return {} if wrong is None else request.form
