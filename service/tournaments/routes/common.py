"""What the routes of tournaments share: taking one in hand, acting on it, telling how it stands, sheets."""

from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from flask import Response, request

from projections.tournaments.record import DRAFT
from service.core.errors import NotThere
from service.players.credentials import Identity
from service.tournaments import documents
from service.tournaments.documents import TournamentNames
from service.tournaments.repository import Act, Held, Wish
from service.tournaments.start_games import GameServices
from service.web import responses
from service.web.idempotency import idempotency_key
from service.web.routing import Routes, View, container

ONE: Final = "/v1/tournaments/<uuid:tournament>"
CSV: Final = "text/csv"
Decide = Callable[[Act], None]
Tell = Callable[[Held, TournamentNames], dict[str, Any]]


def held_by(tournament: UUID, asker: Identity | None) -> Held:
    """A tournament as far as somebody may know of it; drafts are for their directors."""
    held = container().desk.take(tournament)
    if held.known.status == DRAFT and (asker is None or not held.known.directs(asker.id)):
        raise NotThere("tournament", tournament)
    return held


def words_of(held: Held) -> TournamentNames:
    """The names and texts beside it."""
    with container().stores.pool.connection() as connection:
        return documents.words(connection, held, responses.request_language())


def tagged(held: Held, about: tuple[object, ...], build: Callable[[TournamentNames], Response]) -> Response:
    """An answer under the tag of a tournament's version and of what stands beside it: names change without an event."""
    known = words_of(held)
    return responses.etag_response(
        (about, held.head, sorted(known.names.items()), sorted(known.texts), sorted(known.closed)), lambda: build(known)
    )


def act_on(
    tournament: UUID, asker: Identity, decide: Decide, tell: Tell = documents.summary, expected: int | None = None
) -> dict[str, Any]:
    """Let somebody do something to a tournament they may know of, at the version expected; how it stands afterwards."""
    held_by(tournament, asker)
    return container().desk.do(tournament, wish(asker, decide, tell)._replace(version=expected))


def wish(asker: Identity, decide: Decide, tell: Tell = documents.summary) -> Wish:
    """What an asker wants, told in a document."""
    return Wish(asker.id, decide, lambda act: tell(act.now, _words(act)), idempotency_key(asker))


def deed(
    routes: Routes, path: str, answers: Any, *, body: Any = None, scope: str = "host", keyed: bool = True
) -> Callable[[View], View]:
    """Serve something that is done to a tournament; refused where that does not fit with how it stands."""
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


def asked_stage(held: Held, asked: int | None) -> int:
    """The stage that is asked about, or the newest; refuses with NotThere."""
    stage = asked or len(held.known.stages)
    if not stage:
        raise NotThere("stage yet, for none has begun:", held.id)
    if not 1 <= stage <= len(held.known.stages):
        raise NotThere("stage", stage)
    return stage


def wants_csv() -> bool:
    """Whether a sheet is asked for."""
    return request.accept_mimetypes.best_match(("application/json", CSV)) == CSV


def csv(text: str) -> Response:
    """A sheet."""
    return Response(text, content_type=f"{CSV}; charset=utf-8")


def hands() -> GameServices:
    """What moves tournaments and their games."""
    return GameServices(container().desk, container().clerk, container().deals)


def _words(act: Act) -> TournamentNames:
    """The words as they will be when the act is written down."""
    known = words_of(act.now)
    return known._replace(texts={**known.texts, **act.texts})
