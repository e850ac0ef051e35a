"""What-if for any position: stateless, with declared or random chance."""

from flask import Response

from projections.games.what_if import AnalysisDraws, Start, analyse
from projections.rules.registry import GAMES
from service.analyses import what_if_schemas as schemas
from service.analyses.request_types import LoadedWhatIfQuestion
from service.web.responses import json_response, request_language
from service.web.routing import Routes, container

routes = Routes("analysis", "Trying out moves on any position")
SEEN_AT = "version"  # fields of the answer beyond the position's document


@routes.on("POST", "/v1/analysis", body=schemas.WhatIfQuestion, answers=schemas.Findings, refuses=(400,))
def analysis(body: LoadedWhatIfQuestion) -> Response:
    """Apply moves with the declared draws, without storing them; names the first impossible move."""
    given = body.get("position")
    position = None if given is None else {name: value for name, value in given.items() if name != SEEN_AT}
    start = Start(position, body["options"], body.get("seats", 0))
    chance = AnalysisDraws(body.get("draws"), body["seed"])
    moves = container().time_budget().through(body["moves"])
    return json_response(analyse(GAMES[body["game"]], start, moves, chance, request_language()))
