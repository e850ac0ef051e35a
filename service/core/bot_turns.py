"""Turns of house bots that wait in a queue, in Redis: the makers of games are served in turn, one game each."""

import json
from typing import Final, NamedTuple
from uuid import UUID

import redis

from service.core.queues import BOT_GAMES, BOTS
from service.core.stores import text

PREFIX: Final = "cabildo:turns:"
# A maker stands in the list while turns of the maker's games wait; each game waits once at a version.
ADD: Final = """
local own = KEYS[1] .. ARGV[1]
if redis.call('ZCARD', own) == 0 then redis.call('RPUSH', KEYS[1], ARGV[1]) end
redis.call('ZADD', own, 'NX', redis.call('INCR', KEYS[2]), ARGV[2])
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
    """The waiting turns of a queue."""

    def __init__(self, client: "redis.Redis", queue: str) -> None:
        self._redis = client
        self._makers = f"{PREFIX}{queue}:"
        self._number = f"{PREFIX}{queue}#"
        self._add = client.register_script(ADD)
        self._take = client.register_script(TAKE)

    def add(self, turn: BotTurn) -> None:
        """Add a turn behind the others of its maker, unless it waits already."""
        self._add(keys=(self._makers, self._number), args=(turn.maker, json.dumps([str(turn.game), turn.version])))

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
