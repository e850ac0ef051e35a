"""Routes that create games, take, reveal and leave seats, and propose rematches."""

from typing import Any
from uuid import UUID

from projections.games.chance import ChanceLevel
from projections.games.clocks import read_setting
from service.games.commands import seats as commands
from service.games.commands.seats import CreateGame, JoinGame, LeaveGame, ProposeRematch, RevealEntropy
from service.games.decisions import proposals
from service.games.decisions.proposals import Proposal
from service.games.decisions.take_seats import Contribution
from service.games.schemas import documents
from service.games.schemas import lifecycle as schemas
from service.players.identity import Identity
from service.web.idempotency import request_of
from service.web.routing import Routes, container

routes = Routes("tables", "Creating games, taking and leaving seats")


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
def create(body: dict[str, Any], asker: Identity) -> dict[str, Any]:
    """Create a game; it starts at once when no seat waits for a player."""
    seed = bytes.fromhex(body["seed"]) if "seed" in body else proposals.new_seed()
    command = CreateGame(_proposal(body), seed, _contribution(body, asker), _signer(body, asker))
    return commands.create_game(container(), command, request_of(asker)).answer


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
def join(game: UUID, body: dict[str, Any], asker: Identity) -> dict[str, Any]:
    """Take a seat, or bring the commitment that your seat still owes."""
    command = JoinGame(game, body["chair"], body["invite"], _contribution(body, asker), _signer(body, asker))
    return commands.join_game(container(), command, request_of(asker)).answer


@routes.on(
    "POST",
    "/v1/games/<uuid:game>/entropy",
    body=schemas.Reveal,
    answers=documents.GameDocument,
    status=201,
    scope="play",
    keyed=True,
    refuses=(404, 409),
)
def reveal(game: UUID, body: dict[str, Any], asker: Identity) -> dict[str, Any]:
    """Reveal the entropy that your seat has committed to, once all commitments are in."""
    return commands.reveal_entropy(container(), RevealEntropy(game, body["entropy"]), request_of(asker)).answer


@routes.on(
    "DELETE", "/v1/games/<uuid:game>/seats/mine", answers=documents.GameDocument, scope="play", refuses=(404, 409)
)
def leave(game: UUID, asker: Identity) -> dict[str, Any]:
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
def play_again(game: UUID, body: dict[str, Any], asker: Identity) -> dict[str, Any]:
    """Propose a rematch to the same players, or join the one that another player has proposed."""
    command = ProposeRematch(game, Contribution(promised=body["commits"], program=asker.bot))
    return commands.propose_rematch(container(), command, request_of(asker, body["expected"])).answer


def _proposal(body: dict[str, Any]) -> Proposal:
    return Proposal(
        game=body["game"],
        options=body["options"],
        seats=body["seats"],
        clock=read_setting(body["clock"]),
        rated=body["rated"],
        visibility=body["visibility"],
        level=None if body["chance"] is None else ChanceLevel(body["chance"]),
        seed=body.get("seed"),
        first_chair=body["start_player"],
        leaver=body["leaver"],
        spectator_delay=body["spectator_delay"],
    )


def _contribution(body: dict[str, Any], asker: Identity) -> Contribution:
    return Contribution(
        body.get("commitment"),
        body.get("entropy"),
        body.get("chain"),
        body.get("echo"),
        body["commits"],
        program=asker.bot,
    )


def _signer(body: dict[str, Any], asker: Identity) -> UUID | None:
    """Returns the player whose registered key will sign the moves, if the body asks for it."""
    return asker.player if body["signs"] else None
