"""Routes of the figures of a stage: standings, ranks, cross-table, statistics, advancing entrants; also as CSV."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple
from uuid import UUID

from flask import Response

from service.players.identity import Identity
from service.tournaments import explanations
from service.tournaments.documents import Document, TournamentNames
from service.tournaments.routes.common import ONE, asked_stage, tagged, visible_to, wants_csv
from service.tournaments.schemas import standings as schemas
from service.tournaments.schemas.loaded import LoadedStageQuery
from service.tournaments.sheets import OF_STAGE
from service.tournaments.tournament_repository import TournamentState
from service.web.responses import CSV, csv_response, json_response
from service.web.routing import Routes, container

routes = Routes("tournament figures", "Standings of tournaments, their reasons, statistics")
Asker = Identity | None


class Figures(NamedTuple):
    """Figures of a stage: name, schema, document function, and the docstring of the route."""

    name: str
    answers: Any
    tell: Callable[[TournamentState, int, TournamentNames], Document]
    meaning: str


FIGURES: Final = (
    Figures(
        "standings",
        schemas.StandingsDocument,
        explanations.told_standings,
        "The standings of a stage, and the version they were computed at; by `Accept: text/csv` as a sheet.",
    ),
    Figures(
        "cross-table",
        schemas.CrossTableDocument,
        explanations.told_cross_table,
        "Who had what in which round; by `Accept: text/csv` as a sheet.",
    ),
    Figures(
        "statistics",
        schemas.Statistics,
        explanations.told_statistics,
        "How the seats did in a stage, and what ended the games; by `Accept: text/csv` as a sheet.",
    ),
)


def _serve(figures: Figures) -> None:
    """Registers the route of a stage's figures, as JSON and as CSV."""

    def view(tournament: UUID, query: LoadedStageQuery, asker: Asker) -> Response:
        state = visible_to(tournament, asker)
        stage = asked_stage(state, query["stage"])
        if wants_csv():
            sheet = OF_STAGE[figures.name]
            return tagged(
                state, ("sheet", view.__name__, stage), lambda known: csv_response(sheet(state.known, stage, known))
            )
        return tagged(state, (view.__name__, stage), lambda known: json_response(figures.tell(state, stage, known)))

    view.__name__, view.__doc__ = figures.name.replace("-", "_"), figures.meaning
    routes.on(
        "GET",
        f"{ONE}/{figures.name}",
        query=schemas.StageQuery,
        answers=figures.answers,
        readers=True,
        refuses=(404,),
        streams=(CSV,),
        tagged=True,
    )(view)


for each in FIGURES:
    _serve(each)


@routes.on(
    "GET",
    f"{ONE}/standings/<int:entrant>",
    query=schemas.StageQuery,
    answers=schemas.RankDocument,
    readers=True,
    refuses=(404,),
    tagged=True,
)
def rank(tournament: UUID, entrant: int, query: LoadedStageQuery, asker: Asker) -> Response:
    """The rank of an entrant with its reasons, down to the events behind each summand."""
    state = visible_to(tournament, asker)
    stage = asked_stage(state, query["stage"])
    return tagged(
        state,
        ("rank", stage, entrant),
        lambda known: json_response(explanations.told_rank(state, stage, entrant, known)),
    )


@routes.on(
    "GET",
    f"{ONE}/stages/<int:stage>/advancing",
    answers=schemas.AdvancingDocument,
    readers=True,
    refuses=(404,),
    tagged=True,
)
def advancing(tournament: UUID, stage: int, asker: Asker) -> Response:
    """The advancing entrants of a stage with reasons; during the stage, as if it ended now."""
    state = visible_to(tournament, asker)
    closed = state.known.stages[asked_stage(state, stage) - 1].closed

    def build(known: TournamentNames) -> Response:
        then = state.known if closed is None else container().tournaments.at(tournament, closed).known
        return json_response(explanations.told_advancing(state, then, stage, known))

    return tagged(state, ("advancing", stage), build)
