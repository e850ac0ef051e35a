"""Runs an external bot: a client that plays all games of its player, many at once, and reconnects after failures."""

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from functools import partial
from threading import Event, Lock
from typing import Any, Final, Protocol
from uuid import UUID

import structlog

from events.errors import CabildoError
from events.json_types import JsonObject
from projections.rules.registry import rules_of
from service.client.documents import Notification
from service.client.http import Client, ClientTurn
from service.client.transport import Refused, Unreachable
from workers.bots.bot import Budget
from workers.bots.levels import decide, decision_record

AT_ONCE: Final = 8
AT_A_TIME: Final = 1_000  # moves after which a game goes to the end of the queue
LEVEL_BUDGET: Final = Budget()  # the budget with which a level is measured
OUTDATED: Final = frozenset(("stale_version", "not_your_turn", "game_over", "not_running"))
ADDED_BY_THE_API: Final = ("version",)
log = structlog.get_logger("workers.external_bot")


class MoveChooser(Protocol):
    """The class that an author of a bot writes."""

    def choose(self, turn: ClientTurn) -> str:
        """Returns one of the legal moves, in notation."""


class HouseBot:
    """A level of the service's bots, played by a client."""

    def __init__(self, level: str, budget: Budget = LEVEL_BUDGET) -> None:
        self.level = level
        self.budget = budget

    def choose(self, turn: ClientTurn) -> str:
        """Returns the move of the level, from the view of its seat."""
        view = {name: value for name, value in turn.position.items() if name not in ADDED_BY_THE_API}
        game = rules_of(str(view["game"]), turn.rules)
        how = decision_record(self.level, turn.game.bytes + turn.version.to_bytes(8, "big"), self.budget.steps)
        source = how.source()
        document: Mapping[str, Any] = game.suppose(view, source) if view["hides"] else view
        return game.notation(decide(game, game.restore(document), turn.seat, how, self.budget.seconds).move)


class BotRunner:
    """Follows the notifications of a player, makes the bot's moves, and takes seats kept for it when `sits` is set."""

    def __init__(self, client: Client, author: MoveChooser, at_once: int = AT_ONCE, *, sits: bool = True) -> None:
        self._client = client
        self._author = author
        self._sits = sits
        self._pool = ThreadPoolExecutor(at_once)
        self._busy: dict[UUID, bool] = {}  # game -> whether another notification came meanwhile
        self._lock = Lock()
        self._stopping = Event()

    def play(self, game: str) -> JsonObject:
        """Plays until this game is over. Returns its result."""
        self.run(lambda news: news["event"] == "game_over" and news.get("game") == game)
        return self._client.game(UUID(game))["result"] or {}

    def run(self, until: Callable[[Notification], bool] = lambda _news: False) -> None:
        """Plays until `until` is true of a notification or the client is closed; an interruption starts no move."""
        with self._pool, closing(self._client.notifications()) as stream:
            try:
                self._pool.submit(self._resume_deals)
                for news in stream:
                    if news["event"] == "your_turn":
                        self._schedule(UUID(news["game"]))
                    if news["event"] == "seat_kept" and self._sits:
                        self._pool.submit(self._take_seat, UUID(news["game"]))
                    if until(news):
                        return
            except BaseException:
                self._stopping.set()
                raise
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
            for game in self._client.waiting():
                self._client.bring(game)
        except CabildoError as problem:
            log.warning("deals not resumed", reason=str(problem))

    def _take_seat(self, game: UUID) -> None:
        """Takes the seat that is kept for the bot, with its commitments to the deal."""
        try:
            self._client.join(game)
        except CabildoError as problem:  # the seat is taken already, or the game does not wait any more
            log.warning("seat not taken", game=str(game), reason=str(problem))

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
            error_of_the_bot = None if isinstance(problem, CabildoError) else problem
            log.error("game abandoned", game=str(game), reason=str(problem), exc_info=error_of_the_bot)
            with self._lock:
                self._busy.pop(game, None)

    def _try_move(self, game: UUID) -> bool:
        """Makes a move if the bot is to act. Returns whether to try again, as after a lost connection."""
        try:
            return self._move(game)
        except Unreachable as problem:
            log.warning("service unreachable", game=str(game), reason=str(problem))
            return True

    def _move(self, game: UUID) -> bool:
        turn = self._client.turn(game)
        if turn is None:
            return False
        try:
            self._client.move(game, self._author.choose(turn), turn.version)
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
