"""Routes that invite and enter players and bots, check them in, and withdraw them."""

from typing import Any
from uuid import UUID

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
from service.tournaments.routes.common import deed
from service.tournaments.schemas import commands as schemas
from service.tournaments.schemas import documents as answers
from service.web.idempotency import translated_request
from service.web.routing import Routes, container

routes = Routes("entrants", "Entering tournaments")
Body = dict[str, Any]


@deed(routes, "invitations", answers.EntrantsDocument, body=schemas.Named)
def invite(tournament: UUID, body: Body, asker: Identity) -> Body:
    """Invite a player."""
    return commands.invite_player(
        container(), InvitePlayer(tournament, body["player"]), translated_request(asker)
    ).answer


@deed(routes, "entrants", answers.EntrantsDocument, body=schemas.NewEntry, scope="play")
def enter(tournament: UUID, body: Body, asker: Identity) -> Body:
    """Enter, or as a director enter another player or a bot; when the field is full, into the reserve."""
    request = translated_request(asker)
    if body["bot"]:
        return commands.enter_bots(container(), EnterBots(tournament), request).answer
    return commands.enter_player(container(), EnterPlayer(tournament, body["player"] or asker.id), request).answer


@deed(routes, "entrants/<int:entrant>/check-in", answers.EntrantsDocument, scope="play")
def check_in(tournament: UUID, entrant: int, asker: Identity) -> Body:
    """Check in; directors also check in others."""
    return commands.check_in(container(), CheckIn(tournament, entrant), translated_request(asker)).answer


@deed(routes, "entrants/<int:entrant>/absences", answers.EntrantsDocument, body=schemas.Absence, scope="play")
def sit_out(tournament: UUID, entrant: int, body: Body, asker: Identity) -> Body:
    """Sit out a round that is not paired yet; directors also do this for others."""
    return commands.sit_out(container(), SitOut(tournament, entrant, body["round"]), translated_request(asker)).answer


@deed(routes, "entrants/<int:entrant>/withdrawal", answers.EntrantsDocument, body=schemas.Leaving, scope="play")
def withdraw(tournament: UUID, entrant: int, body: Body, asker: Identity) -> Body:
    """Withdraw from the tournament; directors also withdraw others."""
    return commands.withdraw_entrant(
        container(), WithdrawEntrant(tournament, entrant, body["reason"]), translated_request(asker)
    ).answer


@deed(routes, "entrants/<int:entrant>/admission", answers.EntrantsDocument)
def admit(tournament: UUID, entrant: int, asker: Identity) -> Body:
    """Admit an entrant from the reserve to the field."""
    return commands.admit_entrant(container(), AdmitEntrant(tournament, entrant), translated_request(asker)).answer
