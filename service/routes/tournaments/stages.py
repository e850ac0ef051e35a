"""Who goes on from a stage of a tournament, and why."""

from uuid import UUID

from flask import Response

from service.api import Routes, world
from service.credentials import Identity
from service.errors import NotThere
from service.routes.tournaments.common import held_by, words_of
from service.schemas import tournaments as schemas
from service.tournaments.explaining import told_advancing
from service.transfer import document, tagged

routes = Routes("tournament stages", "Stages of tournaments: who goes on, and why")


@routes.on(
    "GET",
    "/v1/tournaments/<uuid:tournament>/stages/<int:stage>/advancing",
    answers=schemas.AdvancingDocument,
    readers=True,
    refuses=(404,),
)
def advancing(tournament: UUID, stage: int, asker: Identity | None) -> Response:
    """Who goes on from a stage, and why; while it runs, who would if it ended now."""
    held = held_by(tournament, asker)
    if not 1 <= stage <= len(held.known.stages):
        raise NotThere("stage", stage)

    def build() -> Response:
        closed = held.known.stages[stage - 1].closed
        then = held.known if closed is None else world().desk.at(tournament, closed)
        return document(told_advancing(held, then, stage, words_of(held)))

    return tagged(("advancing", held.head, stage), build)
