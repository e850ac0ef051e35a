"""Tournaments ready to be declared, and the words that regulations are written in."""

from typing import Any

from service.tournaments.schemas import templates as schemas
from service.tournaments.templates import all_templates, vocabulary
from service.web.routing import Routes

routes = Routes("tournament templates", "Tournaments ready to be declared")


@routes.on("GET", "/v1/tournaments/templates", answers=schemas.TemplateList)
def templates() -> dict[str, Any]:
    """Stages for the usual kinds of tournament, every default spelled out, and all the words that there are."""
    return {"templates": all_templates(), "words": vocabulary()}
