"""Routes of the directors' rulings; each has a reason that players can read."""

from uuid import UUID

from events.json_types import JsonObject
from service.players.identity import Identity
from service.tournaments import documents
from service.tournaments.commands import rulings as commands
from service.tournaments.commands.rulings import AddTime, DisqualifyEntrant, SubstituteEntrant, VoidTable, result_ruling
from service.tournaments.routes.common import ONE, command_route, request_names, visible_to
from service.tournaments.schemas import commands as schemas
from service.tournaments.schemas import documents as answers
from service.tournaments.schemas.loaded import (
    LoadedAtTable,
    LoadedDisqualification,
    LoadedResultRuled,
    LoadedSubstitution,
    LoadedTimeAdded,
)
from service.web.idempotency import translated_request
from service.web.routing import Routes, container

routes = Routes("rulings", "Rulings of tournament directors")


@command_route(routes, "rulings/time", answers.RulingsDocument, body=schemas.TimeAdded)
def add_time(tournament: UUID, body: LoadedTimeAdded, asker: Identity) -> JsonObject:
    """Give an entrant more time in a running game."""
    command = AddTime(tournament, **body)
    return commands.add_time(container(), command, translated_request(asker)).answer


@command_route(routes, "rulings/result", answers.RulingsDocument, body=schemas.ResultRuled)
def rule_result(tournament: UUID, body: LoadedResultRuled, asker: Identity) -> JsonObject:
    """Rule how a table ended: adjudicate a game, or correct a result."""
    return commands.rule_result(container(), result_ruling(tournament, body), translated_request(asker)).answer


@command_route(routes, "rulings/void", answers.RulingsDocument, body=schemas.AtTable)
def void(tournament: UUID, body: LoadedAtTable, asker: Identity) -> JsonObject:
    """Void a table: it counts for nothing."""
    command = VoidTable(tournament, **body)
    return commands.void_table(container(), command, translated_request(asker)).answer


@command_route(routes, "rulings/substitution", answers.RulingsDocument, body=schemas.Substitution)
def substitute(tournament: UUID, body: LoadedSubstitution, asker: Identity) -> JsonObject:
    """Give the seat of an entrant to another one, with the result of the table."""
    command = SubstituteEntrant(tournament, **body)
    return commands.substitute_entrant(container(), command, translated_request(asker)).answer


@command_route(routes, "rulings/disqualification", answers.RulingsDocument, body=schemas.Disqualification)
def disqualify(tournament: UUID, body: LoadedDisqualification, asker: Identity) -> JsonObject:
    """Disqualify an entrant."""
    command = DisqualifyEntrant(tournament, **body)
    return commands.disqualify_entrant(container(), command, translated_request(asker)).answer


@routes.on("GET", f"{ONE}/rulings", answers=answers.RulingsDocument, readers=True, refuses=(404,))
def all_rulings(tournament: UUID, asker: Identity | None) -> JsonObject:
    """All rulings with their reasons."""
    state = visible_to(tournament, asker)
    return documents.rulings(state, request_names(state))
