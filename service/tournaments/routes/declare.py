"""Tournaments are declared, amended, published, called off; directors are named."""

from typing import Any
from uuid import UUID

from events.event import new_stream
from service.players.credentials import Identity
from service.tournaments import declare as declaring
from service.tournaments.routes.common import ONE, act_on, deed, wish
from service.tournaments.schemas import commands as schemas
from service.tournaments.schemas import documents as answers
from service.web.routing import Routes, container

routes = Routes("tournaments", "Declaring tournaments")
Body = dict[str, Any]


@routes.on(
    "POST",
    "/v1/tournaments",
    body=schemas.Declaration,
    answers=answers.TournamentDocument,
    status=201,
    scope="host",
    keyed=True,
)
def declare(body: Body, asker: Identity) -> Body:
    """Declare a tournament as a draft that only its directors see."""
    return container().desk.open(
        new_stream(container().now()),
        wish(asker, lambda act: declaring.declare(act, body["title"], body["regulations"], body["visibility"])),
    )


@routes.on(
    "PUT",
    f"{ONE}/draft",
    body=schemas.TournamentDraft,
    answers=answers.TournamentDocument,
    scope="host",
    refuses=(404, 409),
)
def amend(tournament: UUID, body: Body, asker: Identity) -> Body:
    """Put another draft in the place of the one there is."""
    return act_on(tournament, asker, lambda act: declaring.amend(act, body["title"], body["regulations"]))


@deed(routes, "publication", answers.TournamentDocument)
def publish(tournament: UUID, asker: Identity) -> Body:
    """Freeze the regulations under their hash, bind all pairings to a seed, and open the entries."""
    return act_on(tournament, asker, declaring.publish)


@deed(routes, "cancellation", answers.TournamentDocument, body=schemas.Reasoned)
def call_off(tournament: UUID, body: Body, asker: Identity) -> Body:
    """Call a tournament off; games that are being played go on by themselves."""
    return act_on(tournament, asker, lambda act: declaring.call_off(act, body["reason"]))


@deed(routes, "directors", answers.TournamentDocument, body=schemas.Named)
def name_director(tournament: UUID, body: Body, asker: Identity) -> Body:
    """Let somebody direct too."""
    return act_on(tournament, asker, lambda act: declaring.name_director(act, body["player"]))


@routes.on(
    "DELETE",
    f"{ONE}/directors/<player>",
    answers=answers.TournamentDocument,
    scope="host",
    refuses=(404,),
)
def relieve_director(tournament: UUID, player: str, asker: Identity) -> Body:
    """Let a director direct no longer."""
    return act_on(tournament, asker, lambda act: declaring.relieve_director(act, player))
