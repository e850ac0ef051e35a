"""Makes commands from the bodies of requests, loaded by their schemas; used by routes and pages."""

from uuid import UUID

from projections.games.chance import ChanceLevel
from projections.games.clocks import read_setting
from service.games.commands.seats import CreateGame, JoinGame
from service.games.decisions.proposals import Proposal, new_seed
from service.games.decisions.take_seats import Contribution
from service.games.schemas.loaded import LoadedBrought, LoadedJoin, LoadedNewGame
from service.players.identity import Identity


def create_game_command(body: LoadedNewGame, identity: Identity) -> CreateGame:
    """Returns the command for a body of `NewGame`; draws a seed unless the body states one."""
    seed = bytes.fromhex(body["seed"]) if "seed" in body else new_seed()
    return CreateGame(_proposal(body), seed, _contribution(body, identity), _signer(body, identity))


def join_game_command(game: UUID, body: LoadedJoin, identity: Identity) -> JoinGame:
    """Returns the command for a body of `Join`."""
    return JoinGame(game, body["chair"], body["invite"], _contribution(body, identity), _signer(body, identity))


def _proposal(body: LoadedNewGame) -> Proposal:
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


def _contribution(body: LoadedBrought, identity: Identity) -> Contribution:
    return Contribution(
        body.get("commitment"),
        body.get("entropy"),
        body.get("chain"),
        body.get("echo"),
        body["commits"],
        program=identity.bot,
    )


def _signer(body: LoadedBrought, identity: Identity) -> UUID | None:
    """Returns the player whose registered key will sign the moves, if the body asks for it."""
    return identity.player if body["signs"] else None
