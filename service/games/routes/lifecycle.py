"""Routes that create games, take, reveal and leave seats, and propose rematches."""

from uuid import UUID

from events.json_types import JsonObject
from service.games.commands import seats as commands
from service.games.commands.read_bodies import create_game_command, join_game_command
from service.games.commands.seats import LeaveGame, ProposeRematch, RevealEntropy
from service.games.decisions.take_seats import Contribution
from service.games.schemas import documents
from service.games.schemas import lifecycle as schemas
from service.games.schemas.loaded import LoadedJoin, LoadedNewGame, LoadedRematch, LoadedReveal
from service.players.identity import Identity
from service.web.idempotency import request_of
from service.web.routing import Routes, container

routes = Routes("tables", "Creating games, taking and leaving seats", guests=True)


@routes.on(
    "POST",
    "/v1/games",
    body=schemas.NewGame,
    answers=documents.GameDocument,
    status=201,
    scope="play",
    keyed=True,
    refuses=(409,),
)
def create(body: LoadedNewGame, asker: Identity) -> JsonObject:
    """Create a game; it starts at once when no seat waits for a player."""
    return commands.create_game(container(), create_game_command(body, asker), request_of(asker)).answer


@routes.on(
    "POST",
    "/v1/games/<uuid:game>/seats",
    body=schemas.Join,
    answers=documents.GameDocument,
    status=201,
    scope="play",
    keyed=True,
    refuses=(404, 409),
)
def join(game: UUID, body: LoadedJoin, asker: Identity) -> JsonObject:
    """Take a seat, or bring the commitment that your seat still owes."""
    return commands.join_game(container(), join_game_command(game, body, asker), request_of(asker)).answer


@routes.on(
    "POST",
    "/v1/games/<uuid:game>/entropy",
    body=schemas.Reveal,
    answers=documents.GameDocument,
    status=201,
    scope="play",
    keyed=True,
    refuses=(404, 409),
    while_blocked=True,
)
def reveal(game: UUID, body: LoadedReveal, asker: Identity) -> JsonObject:
    """Reveal the entropy that your seat has committed to, once all commitments are in."""
    return commands.reveal_entropy(container(), RevealEntropy(game, body["entropy"]), request_of(asker)).answer


@routes.on(
    "DELETE",
    "/v1/games/<uuid:game>/seats/mine",
    answers=documents.GameDocument,
    scope="play",
    keyed=True,
    refuses=(404, 409),
    while_blocked=True,
)
def leave(game: UUID, asker: Identity) -> JsonObject:
    """Leave your seat before the game starts."""
    return commands.leave_game(container(), LeaveGame(game), request_of(asker)).answer


@routes.on(
    "POST",
    "/v1/games/<uuid:game>/rematch",
    body=schemas.Rematch,
    answers=documents.GameDocument,
    status=201,
    scope="play",
    keyed=True,
    refuses=(404, 409),
)
def play_again(game: UUID, body: LoadedRematch, asker: Identity) -> JsonObject:
    """Propose a rematch to the same players, or join the one that another player has proposed."""
    command = ProposeRematch(game, Contribution(promised=body["commits"], program=asker.bot))
    return commands.propose_rematch(container(), command, request_of(asker, body["expected"])).answer
