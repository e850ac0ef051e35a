"""Commands on entrants: invite, enter, check in, sit out, withdraw, admit."""

from typing import NamedTuple
from uuid import UUID

from projections.ratings.model import PEOPLE, PROGRAMS
from projections.tournaments.record import Entry
from service.container import Container
from service.core.command_handler import Request
from service.core.errors import NotAllowed
from service.players.queries import get_player
from service.ratings.queries import displayed_rating
from service.tournaments import declare, documents, entries
from service.tournaments.commands.common import check_player_exists, execute_on
from service.tournaments.tournament_repository import TournamentOutcome, TournamentUnitOfWork


class InvitePlayer(NamedTuple):
    """Invite a player."""

    tournament: UUID
    player: str


class EnterPlayer(NamedTuple):
    """Enter the acting player, or as a director another player."""

    tournament: UUID
    player: str


class EnterBots(NamedTuple):
    """Enter bots that fill in."""

    tournament: UUID
    bots: int = 1


class CheckIn(NamedTuple):
    """Check an entrant in."""

    tournament: UUID
    entrant: int


class SitOut(NamedTuple):
    """Leave an entrant out of a round that is not paired yet."""

    tournament: UUID
    entrant: int
    round: int


class WithdrawEntrant(NamedTuple):
    """Withdraw an entrant."""

    tournament: UUID
    entrant: int
    reason: str | None


class AdmitEntrant(NamedTuple):
    """Admit an entrant from the reserve."""

    tournament: UUID
    entrant: int


def invite_player(here: Container, command: InvitePlayer, request: Request) -> TournamentOutcome:
    """Invite a player. Raises NotThere."""

    def decide(unit: TournamentUnitOfWork) -> None:
        check_player_exists(here, command.player)
        entries.invite(unit, command.player)

    return execute_on(here, command.tournament, request, decide, documents.entrants)


def enter_player(here: Container, command: EnterPlayer, request: Request) -> TournamentOutcome:
    """Enter a player with the current rating; when the field is full, into the reserve."""
    player = command.player

    def decide(unit: TournamentUnitOfWork) -> None:
        if player != unit.actor:
            check_player_exists(here, player)
            declare.direct(unit)
        with here.stores.pool.connection() as connection:
            entries.check_bookings(connection, unit, player)
            program = get_player(connection, UUID(player)).bot
            pool = PROGRAMS if program else PEOPLE
            rating, upto = displayed_rating(connection, player, unit.record.regulations["game"], pool)
        entries.enter(unit, player, program=program, rating=rating, rating_at=upto)

    return execute_on(here, command.tournament, request, decide, documents.entrants)


def enter_bots(here: Container, command: EnterBots, request: Request) -> TournamentOutcome:
    """Enter one or more bots."""

    def decide(unit: TournamentUnitOfWork) -> None:
        for _ in range(command.bots):
            entries.enter_bot(unit)

    return execute_on(here, command.tournament, request, decide, documents.entrants)


def check_in(here: Container, command: CheckIn, request: Request) -> TournamentOutcome:
    """Check an entrant in; directors also check in others."""
    return execute_on(
        here,
        command.tournament,
        request,
        lambda unit: entries.check_in(unit, _entry_for(unit, command.entrant)),
        documents.entrants,
    )


def sit_out(here: Container, command: SitOut, request: Request) -> TournamentOutcome:
    """Leave an entrant out of a round; directors also leave out others."""
    return execute_on(
        here,
        command.tournament,
        request,
        lambda unit: entries.sit_out(unit, _entry_for(unit, command.entrant), command.round),
        documents.entrants,
    )


def withdraw_entrant(here: Container, command: WithdrawEntrant, request: Request) -> TournamentOutcome:
    """Withdraw an entrant; directors also withdraw others."""
    return execute_on(
        here,
        command.tournament,
        request,
        lambda unit: entries.withdraw(unit, _entry_for(unit, command.entrant), command.reason),
        documents.entrants,
    )


def admit_entrant(here: Container, command: AdmitEntrant, request: Request) -> TournamentOutcome:
    """Admit an entrant from the reserve."""
    return execute_on(
        here,
        command.tournament,
        request,
        lambda unit: entries.admit(unit, entries.numbered(unit.record, command.entrant)),
        documents.entrants,
    )


def _entry_for(unit: TournamentUnitOfWork, entrant: int) -> Entry:
    """Returns an entrant that the actor may act for: players for themselves, directors for all. Raises NotAllowed."""
    entry = entries.numbered(unit.record, entrant)
    if entry.player != unit.actor and not unit.record.directs(unit.actor):
        raise NotAllowed("not_yours", "only directors act for other entrants")
    return entry
