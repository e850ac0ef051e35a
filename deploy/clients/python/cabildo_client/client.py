"""The client of one player, for threads: plays, follows streams, keeps receipts."""

import logging
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import httpx

from cabildo_client.connection.retries import StreamState
from cabildo_client.connection.steps import Ask, Meanwhile, Step, Steps, run
from cabildo_client.connection.transport import Transport
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


class Client:
    """A player of a service. Its methods may be called from several threads.

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
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._transport = Transport(url, retry_seconds, transport)
        self.secrets = ClientSecrets(keep)
        self._do = Operations(self.secrets, token, retry_seconds, signs=signs)

    @property
    def token(self) -> str:
        """The bearer token of the client's requests."""
        return self._do.token

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes all connections; streams end."""
        self._transport.close()

    def hurry(self) -> None:
        """Lets what is on its way be answered, and repeats no request from now on: failures are Unreachable at once."""
        self._transport.hurry()

    def ask(self, method: str, path: str, body: Mapping[str, Json] | None = None) -> Any:
        """Returns the JSON that answers any request, repeated until there is an answer; raises a ClientError."""
        return self._transport.request(self.token, method, path, body, "application/json")

    # --- the player ------------------------------------------------------------------------------------------------

    def register(self, name: str) -> str:
        """Registers a player and acts for it from now on. Returns its id."""
        return self._run(self._do.register(name))

    def register_bot(self, name: str, engine: str) -> str:
        """Registers a bot of the player, or of a new player, and acts for it from now on. Returns its id."""
        return self._run(self._do.register_bot(name, engine))

    def player(self) -> str:
        """Returns the id of the player to whom the token belongs."""
        return self._run(self._do.player())

    # --- tables ----------------------------------------------------------------------------------------------------

    def create(self, game: str, seats: Sequence[str], **more: Json) -> GameOverview:
        """Creates a game; at chance levels 2 and 3, commits to the entropy of the own seat."""
        return self._run(self._do.create(game, seats, more))

    def join(self, game: AnyId, **more: Json) -> GameOverview:
        """Takes a seat; at chance levels 2 and 3, commits to its entropy."""
        return self._run(self._do.join(game, more))

    def leave(self, game: AnyId) -> None:
        """Gives the own seat up before the start."""
        self._run(self._do.leave(game))

    def bring(self, game: AnyId) -> None:
        """Commits or reveals what the own seat still owes to an open game, as after a restart."""
        self._run(self._do.bring(game))

    def waiting(self) -> list[GameListing]:
        """Returns the games with a seat of the player that have not started."""
        return self._run(self._do.waiting())

    def games(self, **filters: str) -> list[GameListing]:
        """Returns all games that fit the filters of `GET /v1/games`, newest first."""
        return self._run(self._do.games(filters))

    def game(self, game: AnyId) -> GameOverview:
        """Returns a game without its board."""
        return self._run(self._do.game(game))

    # --- the board and its moves -----------------------------------------------------------------------------------

    def position(self, game: AnyId, at: int | None = None) -> Position:
        """Returns the board as the player may see it, after an event or now."""
        return self._run(self._do.position(game, at))

    def describe(self, game: AnyId, at: int | None = None) -> str:
        """Returns the board in words."""
        return self._run(self._do.describe(game, at))

    def legal(self, game: AnyId, why_not: Sequence[str] = (), begin: str | None = None) -> LegalMoves:
        """Returns the legal moves, the reasons against those in `why_not`, and the ways to go on from `begin`."""
        return self._run(self._do.legal(game, why_not, begin))

    def turn(self, game: AnyId) -> PlayerTurn | None:
        """Returns the decision of the player in a game; None when it is not the player's turn."""
        return self._run(self._do.turn(game))

    def move(self, game: AnyId, move: Move | str, expected: int | None = None) -> AppendedMove:
        """Makes a move and keeps its receipt; at chance level 3, reveals the next link of the hash chain."""
        return self._run(self._do.move(game, move, expected))

    def undo(self, game: AnyId, expected: int | None = None) -> AppendedMove:
        """Takes the own last move back, where nothing was drawn and nobody else has acted since."""
        return self._run(self._do.undo(game, expected))

    def resign(self, game: AnyId) -> AppendedMove:
        """Gives a running game up."""
        return self._run(self._do.resign(game))

    def abort(self, game: AnyId) -> AppendedMove:
        """Aborts a game, or offers to abort it where the other seats have to agree."""
        return self._run(self._do.abort(game))

    def answer_offer(self, game: AnyId, *, agrees: bool) -> AppendedMove:
        """Agrees to the open offer of another seat, or refuses it."""
        return self._run(self._do.answer_offer(game, agrees))

    def withdraw_offer(self, game: AnyId, expected: int | None = None) -> AppendedMove:
        """Withdraws the offer of the own seat while others have not answered it."""
        return self._run(self._do.withdraw_offer(game, expected))

    def reveal(self, game: AnyId) -> GameOverview:
        """Reveals the own entropy once all commitments are sealed; returns the game."""
        return self._run(self._do.reveal(game))

    # --- proofs ----------------------------------------------------------------------------------------------------

    def bundle(self, game: AnyId) -> bytes:
        """Returns the events of a game with their proofs as one file, which `verify_standalone` verifies."""
        return self._run(self._do.bundle(game))

    def policy(self) -> bytes:
        """Returns the policy of the service's log: whose signatures its bundles carry."""
        return self._run(self._do.policy())

    # --- streams ---------------------------------------------------------------------------------------------------

    def events(
        self, game: AnyId, after: int = 0, *, boards: bool = False, ends: Callable[[], bool] = lambda: False
    ) -> Generator[StreamEvent, None, None]:
        """Yields the events of a game after a version, to its end; resumes after broken connections without a gap.

        With `boards` the newest event has the `position` after it and the `legal` moves. The stream ends when `ends` is
        true, which is asked at least every ten seconds. Raises BrokenHistory where events do not form one hash chain.
        """
        state = StreamState("seq", after, ChainCheck(), ends)
        for item in self._transport.stream(self.token, events_path(game, boards=boards), state):
            yield read(StreamEvent, item)

    def turns(self, game: AnyId) -> Generator[PlayerTurn, None, None]:
        """Yields each decision of the player in a game with its board and moves, to the game's end; one connection."""
        for event in self.events(game, max(0, self.game(game).version - 1), boards=True):
            if (turn := PlayerTurn.told_by(event)) is not None:
                yield turn

    def notifications(self, ends: Callable[[], bool] = lambda: False) -> Generator[PlayerNotice, None, None]:
        """Yields notifications: `seat_kept`, `table_expires`, `game_started`, `your_turn`, `game_over`.

        The pending ones come first. The stream ends when `ends` is true, which is asked at least every ten seconds.
        """
        for item in self._transport.stream(self.token, "/v1/me/stream", StreamState("number", None, ends=ends)):
            yield read(PlayerNotice, item)

    # --- running operations ----------------------------------------------------------------------------------------

    def _run(self, steps: Steps[T]) -> T:
        return run(steps, self._perform)

    def _perform(self, step: Step) -> object:
        if isinstance(step, Ask):
            return self._transport.request(self.token, step.method, step.path, step.body, step.accept)
        if isinstance(step, Meanwhile):
            threading.Thread(target=self._run_aside, args=(step.steps,), daemon=True).start()
        else:
            self._transport.wait(step.seconds)
        return None

    def _run_aside(self, steps: Steps[object]) -> None:
        try:
            self._run(steps)
        except ClientError as problem:
            log.warning("what the seat owes to its deal was not sent: %s", problem)
