"""Routes of guided games: public, without a state of the reader."""

from collections.abc import Sequence
from typing import TypedDict

from flask import Response

from service.guides import schemas
from service.guides.documents import guides, step_document
from service.web.responses import etag_response, json_response, request_language
from service.web.routing import Routes

routes = Routes("guides", "Guided first games")


class LoadedStepQuery(TypedDict):
    """A loaded `StepQuery`."""

    why_not: Sequence[str]


@routes.on("GET", "/v1/guides", answers=schemas.Guides, tagged=True)
def all_guides() -> Response:
    """All guided games."""
    found = guides()
    return etag_response(("guides", found), lambda: json_response({"guides": found}))


@routes.on(
    "GET",
    "/v1/guides/<string:name>/steps/<int:step>",
    query=schemas.StepQuery,
    answers=schemas.GuideStep,
    refuses=(400, 404),
    tagged=True,
)
def guide_step(name: str, step: int, query: LoadedStepQuery) -> Response:
    """A decision of a guided game: the board, the legal moves, the move that is taught, and why."""
    document = step_document(name, step, request_language(), query["why_not"])
    return etag_response(("guide", document), lambda: json_response(document))
