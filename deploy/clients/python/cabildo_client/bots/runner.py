"""Plays all games of a player, many at once, and goes on after broken connections."""

import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Event, Lock, Semaphore, Thread
from typing import Final
from uuid import UUID

from cabildo_client.bots.engines import MoveChooser
from cabildo_client.client import Client
from cabildo_client.documents import FinalResult, PlayerNotice
from cabildo_client.errors import ClientError, Refused, Unreachable
from cabildo_client.turns import PlayerTurn

AT_ONCE: Final = 8
FOLLOWED: Final = 16  # games whose streams are open at the same time; others are asked for their turns
REMEMBERED: Final = 1024  # games that were left
LATE: Final = 10.0  # seconds for which their earlier notifications are outdated; a restored game may begin again lower
QUIET: Final = 60.0  # seconds without an event after which the stream of a game is closed, until the next notification
OUTDATED: Final = frozenset(("stale_version", "not_your_turn", "game_is_over", "not_running"))
log = logging.getLogger("cabildo_client.bots")


class BotRunner:
    """Follows the notifications of a player, makes the bot's moves, and takes seats kept for it when `sits` is set.

    The stream of a game brings each decision with its board and moves, so that a turn is one request: the move. It
    chooses `at_once` moves at the same time.
    """

    def __init__(self, client: Client, engine: MoveChooser, at_once: int = AT_ONCE, *, sits: bool = True) -> None:
        self._client = client
        self._engine = engine
        self._sits = sits
        self._pool = ThreadPoolExecutor(at_once)
        self._streams = Semaphore(FOLLOWED)
        self._at_once = at_once
        self._deciding = Semaphore(at_once)
        self._busy: dict[UUID, int] = {}  # game -> the newest version of which a notification came
        self._left: OrderedDict[UUID, tuple[int, float]] = OrderedDict()  # game -> its newest version then, and when
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

        An interruption starts no move, and waits for those that are being made, but repeats none.
        """
        with self._pool, closing(self._client.notifications(ends)) as stream:
            try:
                self._pool.submit(self._resume_deals)
                for notice in stream:
                    if notice.event == "your_turn" and notice.game is not None:
                        self._schedule(notice.game, notice.version or 1)
                    if notice.event == "seat_kept" and notice.game is not None and self._sits:
                        self._pool.submit(self._take_seat, notice.game)
                    if until(notice):
                        return
            except KeyboardInterrupt:
                self._stopping.set()
                self._client.hurry()
                raise
            finally:
                self._stopping.set()
                for _ in range(self._at_once):
                    self._deciding.acquire()
                self._deciding.release(self._at_once)  # who waited for a turn finds that the bot stops

    def _schedule(self, game: UUID, version: int) -> None:
        """Plays a game in a thread of its own while streams are left, else in the pool.

        A notification that comes after the events that it announces is outdated, and opens no stream again.
        """
        with self._lock:
            left, at = self._left.get(game, (0, 0.0))
            if version <= left and time.monotonic() - at < LATE:
                return
            already = game in self._busy
            self._busy[game] = max(version, self._busy.get(game, 0))
        if already:
            return
        if self._streams.acquire(blocking=False):
            Thread(target=self._play, args=(game, self._follow, self._streams.release), daemon=True).start()
        else:
            self._pool.submit(self._play, game, self._ask)

    def _resume_deals(self) -> None:
        """Continues the commitments to deals that an earlier run began."""
        try:
            for listed in self._client.waiting():
                self._client.bring(listed.id)
        except ClientError as problem:
            if not self._stopping.is_set():
                log.warning("deals not resumed: %s", problem)

    def _take_seat(self, game: UUID) -> None:
        """Takes the seat that is kept for the bot, with its commitments to the deal."""
        try:
            self._client.join(game)
        except ClientError as problem:  # the seat is taken already, or the game does not wait any more
            log.info("seat not taken in %s: %s", game, problem)

    def _play(self, game: UUID, turns: Callable[[UUID, int], int], release: Callable[[], None] = lambda: None) -> None:
        """Plays a game until no notification is newer than what was seen; logs why it is abandoned."""
        try:
            seen = 0
            while not self._stopping.is_set() and (called := self._newer_call(game, seen)) is not None:
                seen = max(called, turns(game, called))
        except Exception as problem:
            if isinstance(problem, Unreachable) and self._stopping.is_set():
                return  # a request was cut off: the game waits for the next run
            error_of_the_bot = None if isinstance(problem, ClientError) else problem
            log.error("game %s abandoned: %s", game, problem, exc_info=error_of_the_bot)  # noqa: TRY400
            with self._lock:
                self._busy.pop(game, None)
                if game == self._awaited:
                    self._failure = problem
        finally:
            release()

    def _newer_call(self, game: UUID, seen: int) -> int | None:
        """Returns the version of the newest notification; None, and the game is left, where it was seen already."""
        with self._lock:
            called = self._busy[game]
            if called > seen:
                return called
            del self._busy[game]
            self._left[game] = (seen, time.monotonic())
            self._left.move_to_end(game)
            while len(self._left) > REMEMBERED:
                self._left.popitem(last=False)
            return None

    def _follow(self, game: UUID, version: int) -> int:
        """Makes the moves that a game's stream asks for, until it ends or is quiet. Returns the newest version."""
        heard = time.monotonic()

        def ends() -> bool:
            return self._stopping.is_set() or time.monotonic() - heard > QUIET

        for event in self._client.events(game, version - 1, boards=True, ends=ends):
            turn = PlayerTurn.told_by(event)
            if turn is not None:
                self._decide(turn)
            version, heard = event.seq, time.monotonic()
        return self._ask(game, version) if time.monotonic() - heard > QUIET else version

    def _ask(self, game: UUID, version: int) -> int:
        """Makes moves while it is the bot's turn. Returns the newest version that was seen."""
        while not self._stopping.is_set() and (turn := self._client.turn(game)) is not None:
            version = turn.version
            if not self._decide(turn):
                break
        return version

    def _decide(self, turn: PlayerTurn) -> bool:
        """Makes a move, again while the service is away. Returns whether the game goes on, with it or without it."""
        with self._deciding:
            chosen = None
            while not self._stopping.is_set():
                try:
                    chosen = chosen or self._engine.choose(turn)
                    self._client.move(turn.game, chosen, turn.version)
                except Unreachable as problem:
                    if not self._stopping.is_set():
                        log.warning("service unreachable in %s: %s", turn.game, problem)
                except Refused as refused:
                    if refused.reason not in OUTDATED:
                        raise
                    return refused.reason == "stale_version"
                else:
                    return True
            return False
