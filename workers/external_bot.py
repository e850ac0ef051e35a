"""Runs an external bot: a client that plays every game of its player, many at once, and comes back after breaks."""

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from functools import partial
from threading import Event, Lock
from typing import Any, Final, Protocol
from uuid import UUID

import structlog

from events.errors import CabildoError
from projections.rules.registry import rules_of
from service.client.http import Client, ClientTurn, Refused, Unreachable
from workers.bots.bot import Budget
from workers.bots.levels import decide, decision_record

AT_ONCE: Final = 8
AT_A_TIME: Final = 1_000  # moves after which a game makes room for others
LEVEL_BUDGET: Final = Budget()  # what the level is measured with
OUTDATED: Final = frozenset(("stale_version", "not_your_turn", "game_over", "not_running"))
ADDED_BY_THE_API: Final = ("version",)
log = structlog.get_logger("workers.external_bot")


class MoveChooser(Protocol):
    """What an author of a bot writes."""

    def choose(self, turn: ClientTurn) -> str:
        """One of the legal moves, in notation."""


class HouseBot:
    """A level of the house's bots, played from outside."""

    def __init__(self, level: str, budget: Budget = LEVEL_BUDGET) -> None:
        self.level = level
        self.budget = budget

    def choose(self, turn: ClientTurn) -> str:
        """The move of the level, from what its seat is shown."""
        view = {name: value for name, value in turn.position.items() if name not in ADDED_BY_THE_API}
        game = rules_of(str(view["game"]), turn.rules)
        how = decision_record(self.level, turn.game.bytes + turn.version.to_bytes(8, "big"), self.budget.steps)
        source = how.source()
        shown: Mapping[str, Any] = game.suppose(view, source) if view["hides"] else view
        return game.notation(decide(game, game.restore(shown), turn.seat, how, self.budget.seconds).move)


class BotRunner:
    """Listens for turns and lets the bot make its moves; sits down where a seat is kept for it, if it shall."""

    def __init__(self, client: Client, author: MoveChooser, at_once: int = AT_ONCE, *, sits: bool = True) -> None:
        self._client = client
        self._author = author
        self._sits = sits
        self._pool = ThreadPoolExecutor(at_once)
        self._busy: dict[UUID, bool] = {}  # game -> whether it was called again meanwhile
        self._lock = Lock()
        self._over = Event()

    def play(self, game: str) -> dict[str, Any]:
        """Play until this game is over; its result."""
        self.run(lambda news: bool(news["event"] == "game_over" and news["game"] == game))
        return dict(self._client.game(UUID(game))["result"])

    def run(self, over: Callable[[dict[str, Any]], bool] = lambda _news: False) -> None:
        """Play until `over` says so of some news, or the client is closed; what is interrupted begins no other move."""
        with self._pool, closing(self._client.news()) as stream:
            try:
                self._pool.submit(self._bring)
                for news in stream:
                    if news["event"] == "your_turn":
                        self._call(UUID(news["game"]))
                    if news["event"] == "seat_kept" and self._sits:
                        self._pool.submit(self._sit, UUID(news["game"]))
                    if over(news):
                        return
            except BaseException:
                self._over.set()
                raise
            self._over.set()

    def _call(self, game: UUID) -> None:
        with self._lock:
            if game in self._busy:
                self._busy[game] = True
                return
            self._busy[game] = False
        self._begin(game)

    def _bring(self) -> None:
        """Go on with the deals that an earlier run began."""
        try:
            for game in self._client.waiting():
                self._client.bring(game)
        except CabildoError as problem:
            log.warning("deals not gone on with", reason=str(problem))

    def _sit(self, game: UUID) -> None:
        """Take the seat that is kept for the bot, and bring to the deal what the game asks of it."""
        try:
            self._client.join(game)
        except CabildoError as problem:  # it was told of before, or the game is not waiting any more
            log.warning("seat not taken", game=str(game), reason=str(problem))

    def _begin(self, game: UUID) -> None:
        self._pool.submit(self._play, game).add_done_callback(partial(self._left, game))

    def _play(self, game: UUID) -> None:
        """Move while it is the bot's turn, and now and then let other games go first."""
        for _ in range(AT_A_TIME):
            if self._over.is_set() or not (self._moved(game) or self._called_again(game)):
                return
        self._begin(game)

    def _left(self, game: UUID, done: "Future[None]") -> None:
        """Tell of a game that the bot could not go on with: it was refused for good, or its author erred."""
        problem = done.exception()
        if problem is not None:
            erred = None if isinstance(problem, CabildoError) else problem
            log.error("game left", game=str(game), reason=str(problem), exc_info=erred)
            with self._lock:
                self._busy.pop(game, None)

    def _moved(self, game: UUID) -> bool:
        """Make a move if the bot is to act; while nobody answers, it is asked again."""
        try:
            return self._move(game)
        except Unreachable as problem:
            log.warning("service away", game=str(game), reason=str(problem))
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

    def _called_again(self, game: UUID) -> bool:
        with self._lock:
            again = self._busy.pop(game)
            if again:
                self._busy[game] = False
            return again
