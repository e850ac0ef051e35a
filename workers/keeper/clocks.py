"""Duties of the keeper for time: settles clocks that ran out, queues bots whose turn is due, deletes old answers."""

from collections.abc import Callable
from functools import partial
from typing import ClassVar, Final, LiteralString
from uuid import UUID

import structlog
from cachetools import LRUCache
from psycopg import Connection

from service.core.bot_turns import BotTurn
from service.core.clock import SECOND
from service.core.command_handler import BY_SERVICE
from service.core.outages import note_work
from service.core.stores import REDIS_AWAY
from service.games.commands.settle import SettleTime, settle_time
from workers.keeper.duty_context import ContainerDuty, KeeperContext
from workers.keeper.each_stream import EachStream

BATCH: Final = 200
NOTE_EVERY: Final = SECOND
PASS_BEGINS: Final = (0, UUID(int=0))  # the deadline and game after which the next batch starts
MOST_CALLED: Final = 20_000  # games whose last call is remembered
CALLED_AGAIN_AFTER: Final = 5 * SECOND  # a bot that has not moved by then may have no job
KEPT_ANSWERS: Final = "7 days"
DUE = """
SELECT deadline, id FROM games
WHERE deadline <= %s AND (deadline, id) > (%s, %s)
    AND id NOT IN (SELECT stream FROM stuck_streams WHERE duty = 'time')
ORDER BY deadline, id LIMIT %s
"""
ENDED = """
SELECT id FROM games
WHERE clock_ends <= %s AND id NOT IN (SELECT stream FROM stuck_streams WHERE duty = 'time')
ORDER BY clock_ends, id LIMIT %s
"""
LOST_AFTER: Final = 15 * SECOND  # then the job counts as lost and another is queued; two jobs do no harm
LONGEST_PAUSE: Final = 600 * SECOND  # between two jobs for a bot that does not move
BOTS_TO_ACT = """
WITH due AS MATERIALIZED (
    SELECT changed, id, version, tournament, host, NOT EXISTS (
        SELECT FROM json_array_elements(chairs) AS chair
        WHERE chair ->> 'player' IS NOT NULL AND chair ->> 'bot' IS NULL AND chair ->> 'stand_in' IS NULL
    ) AS alone
    FROM games WHERE engine IS NOT NULL AND changed < %s AND id > %s ORDER BY id LIMIT %s
)
SELECT changed, due.id, version, coalesce(tournament::text, owner::text, host, due.id::text) AS maker, alone
FROM due LEFT JOIN players ON players.id = CASE WHEN length(host) = 36 THEN host::uuid END ORDER BY due.id
"""
ANSWERS_TO_PLAY = """
SELECT changed, games.id, version, games.id::text AS maker, false AS alone FROM games
WHERE engine IS NULL AND status = 'running' AND changed < %s AND games.id > %s
    AND games.id IN (
        SELECT p.game FROM programmed_answers AS p JOIN games AS g ON g.id = p.game WHERE p.seen < g.version
    )
ORDER BY games.id LIMIT %s
"""
OLD_ANSWERS = "DELETE FROM answers WHERE at < now() - %s::interval"
log = structlog.get_logger("workers.keeper.clocks")

Work = Callable[[Connection], bool]


class SettleClocks(ContainerDuty):
    """Records fallen flags, ends of pauses and of waiting times; one step settles a batch of a pass over all due games.

    It notes its work before and during each step, so that a long pass is no outage. A game that cannot be settled is
    put off. An outage is stored once; the streams of games take it up with their next event or look.
    """

    def __init__(self, context: KeeperContext) -> None:
        super().__init__(context)
        self._after = PASS_BEGINS
        self._noted = 0

    def __call__(self, connection: Connection) -> bool:
        now = self.container.now()
        self._note(connection)
        ended = connection.execute(ENDED, (now, BATCH)).fetchall()
        due = connection.execute(DUE, (now, *self._after, BATCH)).fetchall()
        games = EachStream("time", partial(self._settle, connection))
        games.run(connection, now, [*(game for (game,) in ended), *(game for _, game in due)])
        more = BATCH in (len(ended), len(due))
        self._after = due[-1] if len(due) == BATCH else PASS_BEGINS
        if not more:
            games.retry(connection, now)
        return more

    def _settle(self, connection: Connection, game: UUID) -> None:
        settle_time(self.container, SettleTime(game), BY_SERVICE)
        if self.container.now() - self._noted > NOTE_EVERY:
            self._note(connection)

    def _note(self, connection: Connection) -> None:
        """Store the time of this work, and the outage that ends with it."""
        self._noted = self.container.now()
        outage = note_work(connection, self._noted, self.container.settings.keeper_grace * SECOND)
        if outage is not None:
            log.warning("clocks stood still while no keeper worked", since=outage.since, until=outage.until)


class CallBots(ContainerDuty):
    """Queues jobs for bots whose turn has been due for some seconds, in case the first job was lost.

    One step handles a batch of a pass over all these games; a bot that does not move is called less and less often.
    """

    due: ClassVar[LiteralString] = BOTS_TO_ACT

    def __init__(self, context: KeeperContext) -> None:
        super().__init__(context)
        self._after = UUID(int=0)
        self._called: LRUCache[UUID, tuple[int, int, int]] = LRUCache(MOST_CALLED)  # version, its time, last attempt

    def __call__(self, connection: Connection) -> bool:
        now = self.container.now()
        due = connection.execute(self.due, (now - CALLED_AGAIN_AFTER, self._after, BATCH)).fetchall()
        try:
            for changed, *turn in due:
                self._call(BotTurn(*turn), changed, attempt_at(now - changed))
        except REDIS_AWAY as problem:
            log.warning("bots not queued", due=len(due), reason=str(problem))
        more = len(due) == BATCH
        self._after = due[-1][1] if more else UUID(int=0)
        return more

    def _call(self, turn: BotTurn, changed: int, attempt: int) -> None:
        """Calls a bot once for each attempt; after a loss, a version may be another one of another time."""
        if self._called.get(turn.game) != (turn.version, changed, attempt):
            self._call_now(turn)
            self._called[turn.game] = (turn.version, changed, attempt)

    def _call_now(self, turn: BotTurn) -> None:
        self.container.announcer.call_bot(turn)


class CallAnswers(CallBots):
    """Queues jobs for games in which answers of players were not considered at the newest version.

    It finds what a lost mark, message or job has left, and hand moves that clear answers.
    """

    due: ClassVar[LiteralString] = ANSWERS_TO_PLAY

    def _call_now(self, turn: BotTurn) -> None:
        self.container.announcer.call_answer(turn)


def attempt_at(waited: int) -> int:
    """Returns the number of jobs that have counted as lost after a bot's turn was due for so many microseconds."""
    doubled = min(waited, LONGEST_PAUSE) // LOST_AFTER
    return doubled.bit_length() + max(0, waited - LONGEST_PAUSE) // LONGEST_PAUSE


def delete_old_answers(_context: KeeperContext) -> Work:
    """Deletes stored answers of requests that are too old to be repeated."""

    def work(connection: Connection) -> bool:
        connection.execute(OLD_ANSWERS, (KEPT_ANSWERS,))
        return False

    return work
