"""Routes that declare, amend, publish and call off tournaments, and name directors."""

from uuid import UUID

from events.json_types import JsonObject
from service.players.identity import Identity
from service.tournaments.commands import regulations as commands
from service.tournaments.commands.regulations import (
    AmendDraft,
    CallOffTournament,
    DeclareTournament,
    NameDirector,
    PublishTournament,
    RelieveDirector,
)
from service.tournaments.routes.common import ONE, command_route
from service.tournaments.schemas import commands as schemas
from service.tournaments.schemas import documents as answers
from service.tournaments.schemas.loaded import LoadedDeclaration, LoadedNamed, LoadedReasoned, LoadedTournamentDraft
from service.web.idempotency import translated_request
from service.web.routing import Routes, container

routes = Routes("tournaments", "Declaring tournaments")


@routes.on(
    "POST",
    "/v1/tournaments",
    body=schemas.Declaration,
    answers=answers.TournamentDocument,
    status=201,
    scope="host",
    keyed=True,
)
def declare(body: LoadedDeclaration, asker: Identity) -> JsonObject:
    """Declare a tournament as a draft that only its directors see."""
    command = DeclareTournament(body["title"], body["regulations"], body["visibility"])
    return commands.declare_tournament(container(), command, translated_request(asker)).answer


@routes.on(
    "PUT",
    f"{ONE}/draft",
    body=schemas.TournamentDraft,
    answers=answers.TournamentDocument,
    scope="host",
    keyed=True,
    refuses=(404, 409),
)
def amend(tournament: UUID, body: LoadedTournamentDraft, asker: Identity) -> JsonObject:
    """Replace the draft."""
    command = AmendDraft(tournament, body["title"], body["regulations"])
    return commands.amend_draft(container(), command, translated_request(asker)).answer


@command_route(routes, "publication", answers.TournamentDocument)
def publish(tournament: UUID, asker: Identity) -> JsonObject:
    """Freeze the regulations under their hash, commit to the seed of all pairings, and open the entries."""
    return commands.publish_tournament(container(), PublishTournament(tournament), translated_request(asker)).answer


@command_route(routes, "cancellation", answers.TournamentDocument, body=schemas.Reasoned)
def call_off(tournament: UUID, body: LoadedReasoned, asker: Identity) -> JsonObject:
    """Call a tournament off; running games go on."""
    return commands.call_off_tournament(
        container(), CallOffTournament(tournament, body["reason"]), translated_request(asker)
    ).answer


@command_route(routes, "directors", answers.TournamentDocument, body=schemas.Named, while_blocked=True)
def name_director(tournament: UUID, body: LoadedNamed, asker: Identity) -> JsonObject:
    """Make a player a director."""
    return commands.name_director(
        container(), NameDirector(tournament, body["player"]), translated_request(asker)
    ).answer


@routes.on(
    "DELETE",
    f"{ONE}/directors/<player>",
    answers=answers.TournamentDocument,
    scope="host",
    keyed=True,
    refuses=(404,),
)
def relieve_director(tournament: UUID, player: str, asker: Identity) -> JsonObject:
    """Remove a director."""
    return commands.relieve_director(container(), RelieveDirector(tournament, player), translated_request(asker)).answer
