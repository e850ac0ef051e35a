"""Shared by the tournament routes: visible tournaments, command requests, ETags, sheets."""

from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from flask import Response, request

from service.core.command_handler import Request
from service.core.errors import NotThere
from service.players.identity import Identity
from service.tournaments.commands.common import check_visible, tournament_names
from service.tournaments.documents import TournamentNames
from service.tournaments.repository import TournamentState
from service.web import responses
from service.web.idempotency import request_of
from service.web.routing import Routes, View, container

ONE: Final = "/v1/tournaments/<uuid:tournament>"
CSV: Final = "text/csv"


def held_by(tournament: UUID, asker: Identity | None) -> TournamentState:
    """Returns a tournament that the player may see; only directors see drafts. Raises NotThere."""
    held = container().tournaments.load(tournament)
    check_visible(held, None if asker is None else asker.id)
    return held


def words_of(held: TournamentState) -> TournamentNames:
    """Returns the names and texts of a tournament in the language of the request."""
    return tournament_names(container(), held, responses.request_language())


def tagged(held: TournamentState, about: tuple[object, ...], build: Callable[[TournamentNames], Response]) -> Response:
    """Returns a response with an ETag of the tournament's version, names and texts: names change without an event."""
    known = words_of(held)
    return responses.etag_response(
        (about, held.head, sorted(known.names.items()), sorted(known.texts), sorted(known.closed)), lambda: build(known)
    )


def command_request(asker: Identity, expected: int | None = None) -> Request:
    """Returns the command request of a player, in the language of the request."""
    return request_of(asker, expected)._replace(language=responses.request_language())


def deed(
    routes: Routes, path: str, answers: Any, *, body: Any = None, scope: str = "host", keyed: bool = True
) -> Callable[[View], View]:
    """Registers a POST route for a command on a tournament; it answers 404 and 409 for refusals."""
    return routes.on(
        "POST",
        f"{ONE}/{path}",
        body=body,
        answers=answers,
        status=201,
        scope=scope,
        keyed=keyed,
        refuses=(404, 409),
    )


def asked_stage(held: TournamentState, asked: int | None) -> int:
    """Returns the requested stage, or the newest. Raises NotThere."""
    stage = asked or len(held.known.stages)
    if not stage:
        raise NotThere("stage yet, for none has begun:", held.id)
    if not 1 <= stage <= len(held.known.stages):
        raise NotThere("stage", stage)
    return stage


def wants_csv() -> bool:
    """Returns whether the client accepts CSV rather than JSON."""
    return request.accept_mimetypes.best_match(("application/json", CSV)) == CSV


def csv(text: str) -> Response:
    """Returns a CSV response."""
    return Response(text, content_type=f"{CSV}; charset=utf-8")
