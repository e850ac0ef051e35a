"""Commands of directors' rulings on tables and entrants."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from service.container import Container
from service.core.command_handler import Request
from service.tournaments import decide_rulings, documents
from service.tournaments.commands.common import execute_on
from service.tournaments.decide_rulings import Counted
from service.tournaments.tournament_repository import TournamentOutcome


class AddTime(NamedTuple):
    """Give a seat of a running game more time."""

    tournament: UUID
    round: int
    table: int
    entrant: int
    seconds: int
    reason: str


class RuleResult(NamedTuple):
    """Rule how a table ended."""

    tournament: UUID
    round: int
    table: int
    counted: Counted
    reason: str


class VoidTable(NamedTuple):
    """Rule that a table counts for nothing."""

    tournament: UUID
    round: int
    table: int
    reason: str


class SubstituteEntrant(NamedTuple):
    """Give the seat of an entrant to another one."""

    tournament: UUID
    round: int
    table: int
    entrant: int
    by: int
    reason: str


class DisqualifyEntrant(NamedTuple):
    """Disqualify an entrant."""

    tournament: UUID
    entrant: int
    reason: str


def result_ruling(tournament: UUID, body: Mapping[str, Any]) -> RuleResult:
    """Returns the command for a loaded body of `ResultRuled`; without tie-breaks, all seats have 0."""
    tie_break = body["tie_break"] or [0] * len(body["points"])
    counted = Counted(body["points"], tie_break, body["places"], body["forfeited"])
    return RuleResult(tournament, body["round"], body["table"], counted, body["reason"])


def add_time(here: Container, command: AddTime, request: Request) -> TournamentOutcome:
    """Give a seat of a running game more time."""
    return _rule(here, command, request, decide_rulings.add_time)


def rule_result(here: Container, command: RuleResult, request: Request) -> TournamentOutcome:
    """Rule how a table ended: adjudicate its game, or correct its result."""
    return _rule(here, command, request, decide_rulings.rule_result)


def void_table(here: Container, command: VoidTable, request: Request) -> TournamentOutcome:
    """Rule that a table counts for nothing."""
    return _rule(here, command, request, decide_rulings.void)


def substitute_entrant(here: Container, command: SubstituteEntrant, request: Request) -> TournamentOutcome:
    """Give the seat of an entrant to another one, with the result of the table."""
    return _rule(here, command, request, decide_rulings.substitute)


def disqualify_entrant(here: Container, command: DisqualifyEntrant, request: Request) -> TournamentOutcome:
    """Disqualify an entrant."""
    return _rule(here, command, request, decide_rulings.disqualify)


def _rule(
    here: Container,
    command: AddTime | RuleResult | VoidTable | SubstituteEntrant | DisqualifyEntrant,
    request: Request,
    ruling: Callable[..., None],
) -> TournamentOutcome:
    """Execute a ruling, whose parameters are the fields of its command. Returns all rulings as the answer."""
    tournament, *about = command
    return execute_on(here, tournament, request, lambda unit: ruling(unit, *about), documents.rulings)
