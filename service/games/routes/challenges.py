"""Routes of challenges and of pairings in bulk, for people and for programs that bring bots together."""

from typing import Final, LiteralString
from uuid import UUID

from psycopg import Connection

from events.errors import CabildoError
from events.json_types import JsonObject
from service.games.commands import seats as commands
from service.games.commands.pairings import open_pairings
from service.games.commands.read_bodies import challenge_command, contribution_of, proposal_of, signer_of
from service.games.commands.seats import DeclineSeat, JoinGame
from service.games.decisions.proposals import PairedTable
from service.games.schemas import challenges as schemas
from service.games.schemas import documents
from service.games.schemas.lifecycle import Brought
from service.games.schemas.loaded import LoadedBrought, LoadedChallenge, LoadedPairings
from service.games.summary import game_summary
from service.i18n import messages
from service.players.identity import Identity
from service.web.idempotency import request_of
from service.web.problem_types import TYPE_PREFIX, problem_of
from service.web.responses import request_language
from service.web.routing import Routes, container

routes = Routes("challenges", "Challenges to other players, and many games at once")
MOST: Final = 100
RECEIVED: Final[LiteralString] = """
SELECT DISTINCT kept_seats.id FROM kept_seats JOIN games USING (id)
WHERE kept_seats.player = %s AND games.status = 'open' ORDER BY kept_seats.id DESC LIMIT %s
"""
SENT: Final[LiteralString] = """
SELECT DISTINCT games.id FROM games JOIN kept_seats USING (id)
WHERE games.host = %s AND games.status = 'open' ORDER BY games.id DESC LIMIT %s
"""


@routes.on(
    "POST",
    "/v1/challenges",
    body=schemas.NewChallenge,
    answers=documents.GameDocument,
    status=201,
    scope="play",
    keyed=True,
    refuses=(404, 409),
)
def challenge(body: LoadedChallenge, asker: Identity) -> JsonObject:
    """Challenge players: a table whose seats are kept for them, and which starts when all have accepted."""
    return commands.create_game(container(), challenge_command(body, asker), request_of(asker)).answer


@routes.on("GET", "/v1/challenges", answers=schemas.Challenges, scope="read")
def challenges(asker: Identity) -> dict[str, list[JsonObject]]:
    """List the challenges that wait for you, and your own that wait for others."""
    here, language = container(), request_language()
    with here.stores.pool.connection() as connection:
        found = {"received": _ids(connection, RECEIVED, asker.id), "sent": _ids(connection, SENT, asker.id)}
    return {
        name: [game_summary(here, here.games.load(game), asker.id, language) for game in games]
        for name, games in found.items()
    }


@routes.on(
    "POST",
    "/v1/challenges/<uuid:game>/accept",
    body=Brought,
    answers=documents.GameDocument,
    status=201,
    scope="play",
    keyed=True,
    refuses=(404, 409),
)
def accept(game: UUID, body: LoadedBrought, asker: Identity) -> JsonObject:
    """Accept a challenge: take the seat that is kept for you."""
    command = JoinGame(game, None, None, contribution_of(body, asker), signer_of(body, asker))
    return commands.join_game(container(), command, request_of(asker)).answer


@routes.on(
    "POST",
    "/v1/challenges/<uuid:game>/decline",
    answers=documents.GameDocument,
    status=201,
    scope="play",
    keyed=True,
    refuses=(404, 409),
    while_blocked=True,
)
def decline(game: UUID, asker: Identity) -> JsonObject:
    """Decline a challenge: the seat that is kept for you is open to others, and the host may cancel the table."""
    return commands.decline_seat(container(), DeclineSeat(game), request_of(asker)).answer


@routes.on(
    "POST",
    "/v1/pairings",
    body=schemas.NewPairings,
    answers=schemas.PairedGames,
    status=201,
    scope="play",
    keyed=True,
)
def pair(body: LoadedPairings, asker: Identity) -> dict[str, list[JsonObject]]:
    """Open up to 50 games under the same terms. Your own bots sit down at once, other players are challenged.

    A table that is refused, as by a quota, says why and hinders no other. With the same key, a repetition opens only
    what is missing.
    """
    proposals = [proposal_of(body, seats) for seats in body["pairings"]]
    return {"games": [*map(_document, open_pairings(container(), proposals, asker.player, request_of(asker)))]}


def _ids(connection: Connection, query: LiteralString, player: str) -> list[UUID]:
    return [id for (id,) in connection.execute(query, (player, MOST))]


def _document(table: PairedTable) -> JsonObject:
    problem = None if table.refused is None else _problem(table.refused)
    return {"game": table.game, "status": table.status, "problem": problem}


def _problem(refused: CabildoError) -> JsonObject:
    problem, language = problem_of(refused), request_language()
    title, detail = messages.translate(problem.title, language), messages.error_sentence(refused, language)
    return {"type": TYPE_PREFIX + problem.name, "title": title, "status": problem.status, "detail": detail}
