"""Plays all games of a player, many at once, and goes on after broken connections."""

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from functools import partial
from threading import Event, Lock
from typing import Final
from uuid import UUID

from cabildo_client.bots.engines import MoveChooser
from cabildo_client.client import Client
from cabildo_client.documents import FinalResult, PlayerNotice
from cabildo_client.errors import ClientError, Refused, Unreachable

AT_ONCE: Final = 8
AT_A_TIME: Final = 1_000  # moves after which a game goes to the end of the queue
OUTDATED: Final = frozenset(("stale_version", "not_your_turn", "game_is_over", "not_running"))
log = logging.getLogger("cabildo_client.bots")


class BotRunner:
    """Follows the notifications of a player, makes the bot's moves, and takes seats kept for it when `sits` is set."""

    def __init__(self, client: Client, engine: MoveChooser, at_once: int = AT_ONCE, *, sits: bool = True) -> None:
        self._client = client
        self._engine = engine
        self._sits = sits
        self._pool = ThreadPoolExecutor(at_once)
        self._busy: dict[UUID, bool] = {}  # game -> whether another notification came meanwhile
        self._awaited: UUID | None = None  # the game that `play` waits for
        self._failure: BaseException | None = None  # the error with which the bot abandoned it
        self._lock = Lock()
        self._stopping = Event()

    def play(self, game: UUID | str) -> FinalResult | None:
        """Plays until this game is over. Returns its result; raises the error with which the bot abandoned it."""
        id = UUID(str(game))
        self._awaited = id
        self.run(lambda notice: notice.event == "game_over" and notice.game == id, lambda: self._failure is not None)
        if self._failure is not None:
            raise self._failure
        return self._client.game(game).result

    def run(
        self,
        until: Callable[[PlayerNotice], bool] = lambda _notice: False,
        ends: Callable[[], bool] = lambda: False,
    ) -> None:
        """Plays until `until` is true of a notification, `ends` is true, or the client is closed.

        An interruption starts no move.
        """
        with self._pool, closing(self._client.notifications(ends)) as stream:
            try:
                self._pool.submit(self._resume_deals)
                for notice in stream:
                    if notice.event == "your_turn" and notice.game is not None:
                        self._schedule(notice.game)
                    if notice.event == "seat_kept" and notice.game is not None and self._sits:
                        self._pool.submit(self._take_seat, notice.game)
                    if until(notice):
                        return
            finally:
                self._stopping.set()

    def _schedule(self, game: UUID) -> None:
        with self._lock:
            if game in self._busy:
                self._busy[game] = True
                return
            self._busy[game] = False
        self._submit(game)

    def _resume_deals(self) -> None:
        """Continues the commitments to deals that an earlier run began."""
        try:
            for listed in self._client.waiting():
                self._client.bring(listed.id)
        except ClientError as problem:
            log.warning("deals not resumed: %s", problem)

    def _take_seat(self, game: UUID) -> None:
        """Takes the seat that is kept for the bot, with its commitments to the deal."""
        try:
            self._client.join(game)
        except ClientError as problem:  # the seat is taken already, or the game does not wait any more
            log.info("seat not taken in %s: %s", game, problem)

    def _submit(self, game: UUID) -> None:
        self._pool.submit(self._play, game).add_done_callback(partial(self._report_failure, game))

    def _play(self, game: UUID) -> None:
        """Moves while it is the bot's turn; after many moves, lets other games go first."""
        for _ in range(AT_A_TIME):
            if self._stopping.is_set() or not (self._try_move(game) or self._is_called_again(game)):
                return
        self._submit(game)

    def _report_failure(self, game: UUID, done: "Future[None]") -> None:
        """Logs a game that the bot cannot continue: the service refused it, or the bot raised an error."""
        problem = done.exception()
        if problem is not None:
            error_of_the_bot = None if isinstance(problem, ClientError) else problem
            log.error("game %s abandoned: %s", game, problem, exc_info=error_of_the_bot)
            with self._lock:
                self._busy.pop(game, None)
                if game == self._awaited:
                    self._failure = problem

    def _try_move(self, game: UUID) -> bool:
        """Makes a move if the bot is to act. Returns whether to try again, as after a lost connection."""
        try:
            return self._move(game)
        except Unreachable as problem:
            log.warning("service unreachable in %s: %s", game, problem)
            return True

    def _move(self, game: UUID) -> bool:
        turn = self._client.turn(game)
        if turn is None:
            return False
        try:
            self._client.move(game, self._engine.choose(turn), turn.version)
        except Refused as refused:
            if refused.reason not in OUTDATED:
                raise
        return True

    def _is_called_again(self, game: UUID) -> bool:
        with self._lock:
            again = self._busy.pop(game)
            if again:
                self._busy[game] = False
            return again
