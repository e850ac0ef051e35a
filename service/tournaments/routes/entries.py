"""Routes that invite and enter players and bots, check them in, and withdraw them."""

from uuid import UUID

from events.json_types import JsonObject
from service.players.identity import Identity
from service.tournaments.commands import entries as commands
from service.tournaments.commands.entries import (
    AdmitEntrant,
    CheckIn,
    EnterBots,
    EnterPlayer,
    InvitePlayer,
    SitOut,
    WithdrawEntrant,
)
from service.tournaments.routes.common import command_route
from service.tournaments.schemas import commands as schemas
from service.tournaments.schemas import documents as answers
from service.tournaments.schemas.loaded import LoadedAbsence, LoadedLeaving, LoadedNamed, LoadedNewEntry
from service.web.idempotency import translated_request
from service.web.routing import Routes, container

routes = Routes("entrants", "Entering tournaments")


@command_route(routes, "invitations", answers.EntrantsDocument, body=schemas.Named)
def invite(tournament: UUID, body: LoadedNamed, asker: Identity) -> JsonObject:
    """Invite a player."""
    return commands.invite_player(
        container(), InvitePlayer(tournament, body["player"]), translated_request(asker)
    ).answer


@command_route(routes, "entrants", answers.EntrantsDocument, body=schemas.NewEntry, scope="play")
def enter(tournament: UUID, body: LoadedNewEntry, asker: Identity) -> JsonObject:
    """Enter, or as a director enter another player or a bot; when the field is full, into the reserve."""
    request = translated_request(asker)
    if body["bot"]:
        return commands.enter_bots(container(), EnterBots(tournament), request).answer
    return commands.enter_player(container(), EnterPlayer(tournament, body["player"] or asker.id), request).answer


@command_route(routes, "entrants/<int:entrant>/check-in", answers.EntrantsDocument, scope="play")
def check_in(tournament: UUID, entrant: int, asker: Identity) -> JsonObject:
    """Check in; directors also check in others."""
    return commands.check_in(container(), CheckIn(tournament, entrant), translated_request(asker)).answer


@command_route(
    routes,
    "entrants/<int:entrant>/absences",
    answers.EntrantsDocument,
    body=schemas.Absence,
    scope="play",
    while_blocked=True,
)
def sit_out(tournament: UUID, entrant: int, body: LoadedAbsence, asker: Identity) -> JsonObject:
    """Sit out a round that is not paired yet; directors also do this for others."""
    return commands.sit_out(container(), SitOut(tournament, entrant, body["round"]), translated_request(asker)).answer


@command_route(
    routes,
    "entrants/<int:entrant>/withdrawal",
    answers.EntrantsDocument,
    body=schemas.Leaving,
    scope="play",
    while_blocked=True,
)
def withdraw(tournament: UUID, entrant: int, body: LoadedLeaving, asker: Identity) -> JsonObject:
    """Withdraw from the tournament; directors also withdraw others."""
    return commands.withdraw_entrant(
        container(), WithdrawEntrant(tournament, entrant, body["reason"]), translated_request(asker)
    ).answer


@command_route(routes, "entrants/<int:entrant>/admission", answers.EntrantsDocument)
def admit(tournament: UUID, entrant: int, asker: Identity) -> JsonObject:
    """Admit an entrant from the reserve to the field."""
    return commands.admit_entrant(container(), AdmitEntrant(tournament, entrant), translated_request(asker)).answer
