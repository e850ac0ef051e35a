"""Route of the tournament templates and the vocabulary of regulations."""

from events.json_types import JsonObject
from service.tournaments.schemas import templates as schemas
from service.tournaments.templates import all_templates, vocabulary
from service.web.routing import Routes

routes = Routes("tournament templates", "Tournaments ready to be declared")


@routes.on("GET", "/v1/tournaments/templates", answers=schemas.TemplateList)
def templates() -> JsonObject:
    """The stages of the usual tournament formats with all defaults, and the vocabulary of regulations."""
    return {"templates": all_templates(), "words": vocabulary()}
