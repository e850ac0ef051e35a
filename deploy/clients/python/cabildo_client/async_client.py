"""The client of one player, for asyncio: plays, follows streams, keeps receipts."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import httpx

from cabildo_client.connection.async_transport import AsyncTransport
from cabildo_client.connection.retries import StreamState
from cabildo_client.connection.steps import Ask, Meanwhile, Step, Steps, run_async
from cabildo_client.deals import RETRY_SECONDS
from cabildo_client.decode import read
from cabildo_client.documents import AppendedMove, GameListing, GameOverview, PlayerNotice, StreamEvent
from cabildo_client.errors import ClientError
from cabildo_client.hash_chain import ChainCheck
from cabildo_client.json_values import Json
from cabildo_client.legal_moves import LegalMoves
from cabildo_client.operations import AnyId, Operations, events_path
from cabildo_client.positions import Position
from cabildo_client.secrets import ClientSecrets
from cabildo_client.turns import Move, PlayerTurn

T = TypeVar("T")
log = logging.getLogger("cabildo_client")


class AsyncClient:
    """A player of a service, in one event loop.

    `keep` is a directory for the secret of its hash chains and for its receipts; `signs` signs each of its moves (needs
    the extra `verify`); `transport` replaces the network, as `cabildo_client.testing` does.
    """

    def __init__(
        self,
        url: str,
        token: str = "",
        *,
        keep: Path | None = None,
        retry_seconds: float = RETRY_SECONDS,
        signs: bool = False,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._transport = AsyncTransport(url, retry_seconds, transport)
        self.secrets = ClientSecrets(keep)
        self._do = Operations(self.secrets, token, retry_seconds, signs=signs)
        self._aside: set[asyncio.Task[None]] = set()

    @property
    def token(self) -> str:
        """The bearer token of the client's requests."""
        return self._do.token

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends what goes on aside and closes all connections."""
        for task in self._aside:
            task.cancel()
        await self._transport.close()

    async def hurry(self) -> None:
        """Lets what is on its way be answered, and repeats no request from now on: failures are Unreachable at once."""
        self._transport.hurry()

    async def ask(self, method: str, path: str, body: Mapping[str, Json] | None = None) -> Any:
        """Returns the JSON that answers any request, repeated until there is an answer; raises a ClientError."""
        return await self._transport.request(self.token, method, path, body, "application/json")

    # --- the player ------------------------------------------------------------------------------------------------

    async def register(self, name: str) -> str:
        """Registers a player and acts for it from now on. Returns its id."""
        return await self._run(self._do.register(name))

    async def register_bot(self, name: str, engine: str) -> str:
        """Registers a bot of the player, or of a new player, and acts for it from now on. Returns its id."""
        return await self._run(self._do.register_bot(name, engine))

    async def player(self) -> str:
        """Returns the id of the player to whom the token belongs."""
        return await self._run(self._do.player())

    # --- tables ----------------------------------------------------------------------------------------------------

    async def create(self, game: str, seats: Sequence[str], **more: Json) -> GameOverview:
        """Creates a game; at chance levels 2 and 3, commits to the entropy of the own seat."""
        return await self._run(self._do.create(game, seats, more))

    async def join(self, game: AnyId, **more: Json) -> GameOverview:
        """Takes a seat; at chance levels 2 and 3, commits to its entropy."""
        return await self._run(self._do.join(game, more))

    async def leave(self, game: AnyId) -> None:
        """Gives the own seat up before the start."""
        await self._run(self._do.leave(game))

    async def bring(self, game: AnyId) -> None:
        """Commits or reveals what the own seat still owes to an open game, as after a restart."""
        await self._run(self._do.bring(game))

    async def waiting(self) -> list[GameListing]:
        """Returns the games with a seat of the player that have not started."""
        return await self._run(self._do.waiting())

    async def games(self, **filters: str) -> list[GameListing]:
        """Returns all games that fit the filters of `GET /v1/games`, newest first."""
        return await self._run(self._do.games(filters))

    async def game(self, game: AnyId) -> GameOverview:
        """Returns a game without its board."""
        return await self._run(self._do.game(game))

    # --- the board and its moves -----------------------------------------------------------------------------------

    async def position(self, game: AnyId, at: int | None = None) -> Position:
        """Returns the board as the player may see it, after an event or now."""
        return await self._run(self._do.position(game, at))

    async def describe(self, game: AnyId, at: int | None = None) -> str:
        """Returns the board in words."""
        return await self._run(self._do.describe(game, at))

    async def legal(self, game: AnyId, why_not: Sequence[str] = (), begin: str | None = None) -> LegalMoves:
        """Returns the legal moves, the reasons against those in `why_not`, and the ways to go on from `begin`."""
        return await self._run(self._do.legal(game, why_not, begin))

    async def turn(self, game: AnyId) -> PlayerTurn | None:
        """Returns the decision of the player in a game; None when it is not the player's turn."""
        return await self._run(self._do.turn(game))

    async def move(self, game: AnyId, move: Move | str, expected: int | None = None) -> AppendedMove:
        """Makes a move and keeps its receipt; at chance level 3, reveals the next link of the hash chain."""
        return await self._run(self._do.move(game, move, expected))

    async def undo(self, game: AnyId, expected: int | None = None) -> AppendedMove:
        """Takes the own last move back, where nothing was drawn and nobody else has acted since."""
        return await self._run(self._do.undo(game, expected))

    async def resign(self, game: AnyId) -> AppendedMove:
        """Gives a running game up."""
        return await self._run(self._do.resign(game))

    async def abort(self, game: AnyId) -> AppendedMove:
        """Aborts a game, or offers to abort it where the other seats have to agree."""
        return await self._run(self._do.abort(game))

    async def answer_offer(self, game: AnyId, *, agrees: bool) -> AppendedMove:
        """Agrees to the open offer of another seat, or refuses it."""
        return await self._run(self._do.answer_offer(game, agrees))

    async def withdraw_offer(self, game: AnyId, expected: int | None = None) -> AppendedMove:
        """Withdraws the offer of the own seat while others have not answered it."""
        return await self._run(self._do.withdraw_offer(game, expected))

    async def reveal(self, game: AnyId) -> GameOverview:
        """Reveals the own entropy once all commitments are sealed; returns the game."""
        return await self._run(self._do.reveal(game))

    # --- proofs ----------------------------------------------------------------------------------------------------

    async def bundle(self, game: AnyId) -> bytes:
        """Returns the events of a game with their proofs as one file, which `verify_standalone` verifies."""
        return await self._run(self._do.bundle(game))

    async def policy(self) -> bytes:
        """Returns the policy of the service's log: whose signatures its bundles carry."""
        return await self._run(self._do.policy())

    # --- streams ---------------------------------------------------------------------------------------------------

    async def events(self, game: AnyId, after: int = 0, *, boards: bool = False) -> AsyncGenerator[StreamEvent, None]:
        """Yields the events of a game after a version, to its end; resumes after broken connections without a gap.

        With `boards` the newest event has the `position` after it and the `legal` moves. Raises BrokenHistory where
        events do not form one hash chain.
        """
        state = StreamState("seq", after, ChainCheck())
        async for item in self._transport.stream(self.token, events_path(game, boards=boards), state):
            yield read(StreamEvent, item)

    async def turns(self, game: AnyId) -> AsyncGenerator[PlayerTurn, None]:
        """Yields each decision of the player in a game with its board and moves, to the game's end; one connection."""
        async for event in self.events(game, max(0, (await self.game(game)).version - 1), boards=True):
            if (turn := PlayerTurn.told_by(event)) is not None:
                yield turn

    async def notifications(self) -> AsyncGenerator[PlayerNotice, None]:
        """Yields notifications: `seat_kept`, `table_expires`, `game_started`, `your_turn`, `game_over`.

        The pending ones come first.
        """
        async for item in self._transport.stream(self.token, "/v1/me/stream", StreamState("number", None)):
            yield read(PlayerNotice, item)

    # --- running operations ----------------------------------------------------------------------------------------

    async def _run(self, steps: Steps[T]) -> T:
        return await run_async(steps, self._perform)

    async def _perform(self, step: Step) -> object:
        if isinstance(step, Ask):
            return await self._transport.request(self.token, step.method, step.path, step.body, step.accept)
        if isinstance(step, Meanwhile):
            task = asyncio.create_task(self._run_aside(step.steps))
            self._aside.add(task)  # a task without a reference may be collected before its end
            task.add_done_callback(self._aside.discard)
        else:
            await asyncio.sleep(step.seconds)
        return None

    async def _run_aside(self, steps: Steps[object]) -> None:
        try:
            await self._run(steps)
        except ClientError as problem:
            log.warning("what the seat owes to its deal was not sent: %s", problem)
