"""Shared by the tournament routes: visible tournaments, names, ETags, sheets."""

from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from flask import Response, request

from service.core.errors import NotThere
from service.players.identity import Identity, player_id
from service.tournaments.documents import TournamentNames
from service.tournaments.queries import tournament_names, visible_tournament
from service.tournaments.tournament_repository import TournamentState
from service.web import responses
from service.web.responses import CSV
from service.web.routing import Routes, View, container

ONE: Final = "/v1/tournaments/<uuid:tournament>"


def visible_to(tournament: UUID, asker: Identity | None) -> TournamentState:
    """Returns a tournament that the client may see. Raises NotThere."""
    return visible_tournament(container(), tournament, player_id(asker))


def request_names(state: TournamentState) -> TournamentNames:
    """Returns the names and texts of a tournament in the language of the request."""
    return tournament_names(container(), state, responses.request_language())


def tagged(state: TournamentState, about: tuple[object, ...], build: Callable[[TournamentNames], Response]) -> Response:
    """Returns a response with an ETag of the tournament's version, names and texts: names change without an event."""
    known = request_names(state)
    return responses.etag_response(
        (about, state.head, sorted(known.names.items()), sorted(known.texts.items()), sorted(known.closed)),
        lambda: build(known),
    )


def command_route(
    routes: Routes, path: str, answers: Any, *, body: Any = None, scope: str = "host", while_blocked: bool = False
) -> Callable[[View], View]:
    """Registers a POST route for a command on a tournament; it answers 404 and 409 for refusals."""
    return routes.on(
        "POST",
        f"{ONE}/{path}",
        body=body,
        answers=answers,
        status=201,
        scope=scope,
        keyed=True,
        refuses=(404, 409),
        while_blocked=while_blocked,
    )


def asked_stage(state: TournamentState, asked: int | None) -> int:
    """Returns the requested stage, or the newest. Raises NotThere."""
    stage = asked or len(state.known.stages)
    if not stage:
        raise NotThere("stage yet, for none has begun:", state.id)
    if not 1 <= stage <= len(state.known.stages):
        raise NotThere("stage", stage)
    return stage


def wants_csv() -> bool:
    """Returns whether the client accepts CSV rather than JSON."""
    return request.accept_mimetypes.best_match(("application/json", CSV)) == CSV
