"""Shared by the tournament commands: execution for players and directors, with the answer."""

from collections.abc import Callable
from uuid import UUID

from service.container import Container
from service.core.command_handler import Answer, Request
from service.core.errors import NotThere
from service.players.names import is_id
from service.players.queries import names_of
from service.tournaments import declare, documents
from service.tournaments.documents import TournamentNames
from service.tournaments.queries import check_visible, tournament_names
from service.tournaments.tournament_repository import TournamentOutcome, TournamentState, TournamentUnitOfWork

Decide = Callable[[TournamentUnitOfWork], object]


Document = Callable[[TournamentState, TournamentNames], Answer]


def newest_round(state: TournamentState, names: TournamentNames) -> Answer:
    """Returns the document of the newest round."""
    return documents.round_document(state, state.known.rounds[-1], names)


def execute_on(
    here: Container, tournament: UUID, request: Request, decide: Decide, document: Document = documents.summary
) -> TournamentOutcome:
    """Execute a command on a tournament that the actor may see. Returns the outcome with a document."""

    def decide_and_answer(unit: TournamentUnitOfWork) -> Answer:
        decide(unit)
        return document(unit.now, stored_names(here, unit, request))

    return here.tournament_commands.execute(
        tournament, request, decide_and_answer, lambda state: check_visible(state, request.actor)
    )


def execute_as_director(
    here: Container, tournament: UUID, request: Request, decide: Decide, document: Document = documents.summary
) -> TournamentOutcome:
    """Execute a command that only directors may send. Raises NotAllowed."""

    def decide_as_director(unit: TournamentUnitOfWork) -> None:
        declare.direct(unit)
        decide(unit)

    return execute_on(here, tournament, request, decide_as_director, document)


def stored_names(here: Container, unit: TournamentUnitOfWork, request: Request) -> TournamentNames:
    """Returns the names and texts, including the texts that the unit of work will store."""
    known = tournament_names(here, unit.now, request.language)
    return known._replace(texts={**known.texts, **unit.texts})


def check_player_exists(here: Container, player: str) -> None:
    with here.stores.pool.connection() as connection:
        if not is_id(player) or player not in names_of(connection, [player]):
            raise NotThere("player", player)
