"""Documents of tournament templates, and the vocabulary of regulations."""

from events.json_types import JsonObject
from projections.tournaments.regulations import read_stage, stage_document
from projections.tournaments.standings.criteria import CRITERIA
from projections.tournaments.standings.schemes import SCHEMES
from projections.tournaments.templates import TEMPLATES
from projections.tournaments.values import DrawMethod, Format, SeatMethod


def all_templates() -> list[JsonObject]:
    """Returns all templates with their stages in full."""
    return [
        {
            "name": template.name,
            "players": {"least": template.players[0], "most": template.players[-1]},
            "stages": [stage_document(read_stage(stage)) for stage in template.stages],
        }
        for template in TEMPLATES.values()
    ]


def vocabulary() -> dict[str, list[str]]:
    """Returns the values that regulations may use."""
    return {
        "formats": [one.value for one in Format],
        "seats": [one.value for one in SeatMethod],
        "draws": [one.value for one in DrawMethod],
        "schemes": list(SCHEMES),
        "criteria": [f"{name}:NUMBER" if row.numbered else name for name, row in CRITERIA.items()],
    }
