"""Turns of house bots that wait in a queue, in Redis: the makers of games are served in turn, one game each."""

import json
from typing import Final, NamedTuple
from uuid import UUID

import redis

from service.core.queues import BOT_GAMES, BOTS
from service.core.stores import text

PREFIX: Final = "cabildo:turns:"
CALLED_FOR: Final = 5  # seconds after which a called job that has not begun counts as lost
# A maker stands in the list while turns of the maker's games wait; each game waits once at a version.
ADD: Final = """
local own = KEYS[1] .. ARGV[1]
if redis.call('ZCARD', own) == 0 then redis.call('RPUSH', KEYS[1], ARGV[1]) end
redis.call('ZADD', own, 'NX', redis.call('INCR', KEYS[2]), ARGV[2])
return redis.call('SET', KEYS[3], '1', 'NX', 'EX', ARGV[3]) and 1 or 0
"""
TAKE: Final = """
local maker = redis.call('LPOP', KEYS[1])
if not maker then return false end
local own = KEYS[1] .. maker
local turn = redis.call('ZPOPMIN', own)
if redis.call('ZCARD', own) > 0 then redis.call('RPUSH', KEYS[1], maker) end
return turn[1] or false
"""


class BotTurn(NamedTuple):
    """A game at a version in which a house bot is to act, its maker, and whether bots play it alone."""

    game: UUID
    version: int
    maker: str
    alone: bool

    @property
    def queue(self) -> str:
        """The queue of the turn: bots that play alone never delay a bot that plays with players."""
        return BOT_GAMES if self.alone else BOTS


class WaitingTurns:
    """The waiting turns of a queue, and whether a job is called that has not begun.

    A job plays one waiting turn after the other, so a turn needs a job only when no called job waits. As soon as a job
    begins, the next turn calls another: every idle worker gets one.
    """

    def __init__(self, client: "redis.Redis", queue: str) -> None:
        self._redis = client
        self._makers = f"{PREFIX}{queue}:"
        self._number = f"{PREFIX}{queue}#"
        self._called = f"{PREFIX}{queue}!"
        self._add = client.register_script(ADD)
        self._take = client.register_script(TAKE)

    def add(self, turn: BotTurn) -> bool:
        """Add a turn behind the others of its maker, unless it waits already. Returns whether it needs a job."""
        keys = (self._makers, self._number, self._called)
        return bool(self._add(keys=keys, args=(turn.maker, json.dumps([str(turn.game), turn.version]), CALLED_FOR)))

    def need_job(self) -> bool:
        """Returns whether turns wait without a called job; the caller then calls one."""
        return self.makers() > 0 and bool(self._redis.set(self._called, "1", nx=True, ex=CALLED_FOR))

    def begin_job(self) -> None:
        """Note that the called job has begun, so that the next turn calls another."""
        self._redis.delete(self._called)

    def take(self) -> tuple[UUID, int] | None:
        """Take the oldest turn of the next maker. Returns its game and version; None when no turn waits."""
        taken = self._take(keys=(self._makers,))
        if not taken:
            return None
        game, version = json.loads(text(taken))
        return UUID(game), int(version)

    def makers(self) -> int:
        """Returns the number of makers with waiting turns."""
        return int(self._redis.llen(self._makers))
