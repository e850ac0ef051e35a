"""Makes commands from the bodies of requests, loaded by their schemas; used by routes and pages."""

from collections.abc import Sequence
from uuid import UUID

from projections.games.chance import ChanceLevel
from projections.games.clocks import read_setting
from service.games.commands.seats import CreateGame, JoinGame
from service.games.decisions.proposals import ME, Proposal, new_seed
from service.games.decisions.take_seats import Contribution
from service.games.schemas.loaded import (
    LoadedBrought,
    LoadedChallenge,
    LoadedGameTerms,
    LoadedJoin,
    LoadedNewGame,
)
from service.players.identity import Identity


def create_game_command(body: LoadedNewGame, identity: Identity) -> CreateGame:
    """Returns the command for a body of `NewGame`; draws a seed unless the body states one."""
    seed = bytes.fromhex(body["seed"]) if "seed" in body else new_seed()
    proposal = proposal_of(body, body["seats"])._replace(seed=body.get("seed"))
    return CreateGame(proposal, seed, contribution_of(body, identity), signer_of(body, identity))


def challenge_command(body: LoadedChallenge, identity: Identity) -> CreateGame:
    """Returns the command for a body of `NewChallenge`: a table whose seats are kept for the opponents."""
    proposal = proposal_of(body, [ME, *body["opponents"]])
    return CreateGame(proposal, new_seed(), contribution_of(body, identity), signer_of(body, identity))


def join_game_command(game: UUID, body: LoadedJoin, identity: Identity) -> JoinGame:
    """Returns the command for a body of `Join`."""
    return JoinGame(game, body["chair"], body["invite"], contribution_of(body, identity), signer_of(body, identity))


def proposal_of(body: LoadedGameTerms, seats: Sequence[str]) -> Proposal:
    """Returns the proposal of a game with these seats."""
    return Proposal(
        game=body["game"],
        options=body["options"],
        seats=seats,
        clock=read_setting(body["clock"]),
        rated=body["rated"],
        visibility=body["visibility"],
        level=None if body["chance"] is None else ChanceLevel(body["chance"]),
        first_chair=body["start_player"],
        leaver=body["leaver"],
        spectator_delay=body["spectator_delay"],
        silent=body["silent"],
        pauses=body["pauses"],
    )


def contribution_of(body: LoadedBrought, identity: Identity) -> Contribution:
    """Returns what the client brings to the deal with its seat."""
    return Contribution(
        body.get("commitment"),
        body.get("entropy"),
        body.get("chain"),
        body.get("echo"),
        body["commits"],
        program=identity.bot,
    )


def signer_of(body: LoadedBrought, identity: Identity) -> UUID | None:
    """Returns the player whose registered key will sign the moves, if the body asks for it."""
    return identity.player if body["signs"] else None
