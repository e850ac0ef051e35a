"""Commands on stages, rounds and seats."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple
from uuid import UUID

from projections.tournaments.record import STARTED
from service.container import Container
from service.core.command_handler import Request
from service.core.errors import NotAtThisStage
from service.tournaments import declare, rounds, seats
from service.tournaments.commands.common import execute_as_director, execute_on, newest_round
from service.tournaments.queries import check_visible
from service.tournaments.results import collect
from service.tournaments.start_games import show_deal
from service.tournaments.tournament_repository import TournamentOutcome, TournamentUnitOfWork


class BeginStage(NamedTuple):
    """Begin the first or the next stage."""

    tournament: UUID


class CloseStage(NamedTuple):
    """Close the current stage; with rounds left, for a reason."""

    tournament: UUID
    reason: str | None


class FinishTournament(NamedTuple):
    """Close a tournament after its last stage."""

    tournament: UUID


class PairRound(NamedTuple):
    """Pair the next round; with a reason, pair the current one again."""

    tournament: UUID
    reason: str | None


class PublishRound(NamedTuple):
    """Publish the pairing of the current round."""

    tournament: UUID


class StartRound(NamedTuple):
    """Declare the games of the current round."""

    tournament: UUID


class CloseRound(NamedTuple):
    """Close the current round."""

    tournament: UUID


class ChooseSeats(NamedTuple):
    """Rank or bid for the seats of the player's table."""

    tournament: UUID
    wish: Sequence[int]


def begin_stage(here: Container, command: BeginStage, request: Request) -> TournamentOutcome:
    """Begin the first stage with the present entrants, or the next one with the advancing entrants."""
    return execute_as_director(here, command.tournament, request, rounds.begin)


def close_stage(here: Container, command: CloseStage, request: Request) -> TournamentOutcome:
    """Close the current stage and name the advancing entrants."""
    return execute_as_director(here, command.tournament, request, lambda unit: rounds.close_stage(unit, command.reason))


def finish_tournament(here: Container, command: FinishTournament, request: Request) -> TournamentOutcome:
    """Close a tournament after its last stage and reveal the seed of its pairings."""

    def decide(unit: TournamentUnitOfWork) -> None:
        if unit.record.stage is not None or not unit.record.stages or rounds.has_next_stage(unit.record):
            raise NotAtThisStage(unit.record.status, "some stages are not over")
        declare.close(unit, declare.FINISHED)

    return execute_as_director(here, command.tournament, request, decide)


def pair_round(here: Container, command: PairRound, request: Request) -> TournamentOutcome:
    """Pair the next round, or the current one again while its games are not declared."""
    return execute_as_director(
        here, command.tournament, request, lambda unit: rounds.pair_round(unit, command.reason), newest_round
    )


def publish_round(here: Container, command: PublishRound, request: Request) -> TournamentOutcome:
    """Publish the pairing of the current round."""
    return execute_as_director(here, command.tournament, request, rounds.publish, newest_round)


def start_round(here: Container, command: StartRound, request: Request) -> TournamentOutcome:
    """Declare the games of the current round; the keeper starts them."""
    return execute_as_director(here, command.tournament, request, rounds.declare, newest_round)


def close_round(here: Container, command: CloseRound, request: Request) -> TournamentOutcome:
    """Close the current round once its tables are over, and reveal the deal that they shared."""

    def run() -> TournamentOutcome:
        state = here.tournaments.load(command.tournament)
        check_visible(state, request.actor)
        declare.direct(here.tournament_commands.begin(state, request.actor))
        decide = _prepared_closing(here, command.tournament)
        return execute_as_director(here, command.tournament, request, decide, newest_round)

    return here.tournament_commands.once(request, run)


def choose_seats(here: Container, command: ChooseSeats, request: Request) -> TournamentOutcome:
    """Rank or bid for seats; the wish stays hidden until the seats of the table are given."""
    return execute_on(
        here, command.tournament, request, lambda unit: seats.store_wish(unit, command.wish), newest_round
    )


def _prepared_closing(here: Container, tournament: UUID) -> Callable[[TournamentUnitOfWork], None]:
    """Collect the results and reveal the shared deal. Returns what closes the round.

    Raises NotAtThisStage while a table is open.
    """
    collect(here, tournament)
    current = rounds.in_status(here.tournaments.load(tournament).known, STARTED)
    if not current.is_over or here.deals.still_played(current.deal):  # a ruling may be pending
        raise NotAtThisStage(current.status, "tables of the round are still open")
    return partial(rounds.close_round, deal_seed=show_deal(here, current))
