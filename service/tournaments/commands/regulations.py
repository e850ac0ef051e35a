"""Commands on drafts, regulations and directors."""

from collections.abc import Mapping
from typing import Any, NamedTuple
from uuid import UUID

from events.event import new_stream
from service.container import Container
from service.core.command_handler import Answer, Request
from service.tournaments import declare, documents
from service.tournaments.commands.common import execute_on, stored_names
from service.tournaments.tournament_repository import TournamentOutcome, TournamentUnitOfWork


class DeclareTournament(NamedTuple):
    """Declare a tournament as a draft."""

    title: str
    regulations: Mapping[str, Any]
    visibility: str


class AmendDraft(NamedTuple):
    """Replace the draft of a tournament."""

    tournament: UUID
    title: str
    regulations: Mapping[str, Any]


class PublishTournament(NamedTuple):
    """Freeze the regulations and open the entries."""

    tournament: UUID


class CallOffTournament(NamedTuple):
    """Close a tournament before its end."""

    tournament: UUID
    reason: str


class NameDirector(NamedTuple):
    """Make a player a director."""

    tournament: UUID
    player: str


class RelieveDirector(NamedTuple):
    """Remove a director."""

    tournament: UUID
    player: str


def declare_tournament(here: Container, command: DeclareTournament, request: Request) -> TournamentOutcome:
    """Declare a draft, which only its directors see."""

    def decide(unit: TournamentUnitOfWork) -> Answer:
        declare.declare(unit, command.title, command.regulations, command.visibility)
        return documents.summary(unit.now, stored_names(here, unit, request))

    return here.tournament_commands.create(new_stream(here.now()), request, decide)


def amend_draft(here: Container, command: AmendDraft, request: Request) -> TournamentOutcome:
    """Replace the draft of a tournament."""
    return execute_on(
        here, command.tournament, request, lambda unit: declare.amend(unit, command.title, command.regulations)
    )


def publish_tournament(here: Container, command: PublishTournament, request: Request) -> TournamentOutcome:
    """Freeze the regulations under their hash, commit to the seed of all pairings, and open the entries."""
    return execute_on(here, command.tournament, request, declare.publish)


def call_off_tournament(here: Container, command: CallOffTournament, request: Request) -> TournamentOutcome:
    """Close a tournament before its end; running games go on."""
    return execute_on(here, command.tournament, request, lambda unit: declare.call_off(unit, command.reason))


def name_director(here: Container, command: NameDirector, request: Request) -> TournamentOutcome:
    """Make a player a director."""
    return execute_on(here, command.tournament, request, lambda unit: declare.name_director(unit, command.player))


def relieve_director(here: Container, command: RelieveDirector, request: Request) -> TournamentOutcome:
    """Remove a director."""
    return execute_on(here, command.tournament, request, lambda unit: declare.relieve_director(unit, command.player))
