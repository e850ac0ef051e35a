"""Notifications of a player over all games: seat kept, game started, your turn, game over; webhooks switched off."""

import json
from collections.abc import Sequence
from typing import Final
from uuid import UUID

from psycopg import Connection
from psycopg_pool import ConnectionPool

from projections.games.record import PLAYER
from projections.read_models.notifications import MOST
from service.live.protocol import HistoryReplaced, Item
from service.live.pubsub import Topic

PAGE: Final = "SELECT number, what, stream, seq FROM news WHERE player = %s AND number > %s ORDER BY number LIMIT 200"
LOGGED: Final = "SELECT coalesce(max(idx), -1) FROM log"
NEWEST: Final = "SELECT coalesce(max(number), 0) FROM news WHERE player = %s"
DUE: Final = "SELECT id, version FROM games WHERE player = %s AND status = 'running' ORDER BY changed"
KEPT: Final = """
SELECT id, version FROM games
WHERE status = 'open' AND EXISTS (
    SELECT FROM json_array_elements(chairs) AS chair WHERE chair ->> 'kept_for' = %s AND chair ->> 'player' IS NULL
) ORDER BY changed
"""
SWITCHED_OFF: Final = "SELECT id, off, off_because FROM webhooks WHERE player = %s::uuid AND off > %s ORDER BY off"
LAGS: Final = (0.05, 0.1, 0.2, 0.4, 0.8)  # seconds; the projector writes notifications shortly after the wake-up


class DelayedTopic(Topic):
    """A topic whose items follow its wake-ups with a delay: followers read again, at growing intervals."""

    def __init__(self, topic: Topic) -> None:
        super().__init__()
        self._topic = topic
        self._lags: list[float] = []

    @property
    def count(self) -> int:
        """The number of wake-ups."""
        return self._topic.count

    def wait(self, seen: int, timeout: float) -> int:
        """Waits for a wake-up; shortly after one, only for the next interval."""
        lag = self._lags.pop(0) if self._lags else timeout
        count = self._topic.wait(seen, min(lag, timeout))
        if count != seen:
            self._lags = list(LAGS)
        return count


class PlayerSource:
    """The notifications of a player."""

    def __init__(self, pool: ConnectionPool[Connection], player: str, topic: Topic, due: Sequence[Item]) -> None:
        self.topic = DelayedTopic(topic)
        self._pool = pool
        self._player = player
        self._due = due
        self._told_off = 0  # time of the newest webhook switched off that was told

    def after(self, number: int) -> Sequence[Item]:
        """Returns the next notifications; first, the games that wait for the player. Raises HistoryReplaced."""
        if self._due:
            due, self._due = self._due, ()
            return due
        with self._pool.connection() as connection:
            rows = connection.execute(PAGE, (self._player, number)).fetchall()
            off = connection.execute(SWITCHED_OFF, (self._player, self._told_off)).fetchall()
            if not rows and number > newest_number(connection):
                raise HistoryReplaced
        items = [_item(*row) for row in rows]
        if off:
            self._told_off = off[-1][1]
            newest = items[-1].number if items else number
            items += [_off_item(newest, hook, because) for hook, _, because in off]
        return items

    def over(self, _number: int) -> bool:
        """Returns False: notifications do not end."""
        return False


def pending_items(pool: ConnectionPool[Connection], player: str) -> tuple[int, list[Item]]:
    """Returns the number of the newest notification, and the games that wait for the player."""
    with pool.connection() as connection:
        newest = connection.execute(NEWEST, (player,)).fetchone()
        kept = connection.execute(KEPT, (PLAYER + player,)).fetchall()
        due = connection.execute(DUE, (player,)).fetchall()
    number = newest[0] if newest else 0
    waits = [("seat_kept", row) for row in kept] + [("your_turn", row) for row in due]
    return number, [_item(number, what, *row) for what, row in waits]


def newest_number(connection: Connection) -> int:
    """Returns the highest number that a notification of the log can have."""
    row = connection.execute(LOGGED).fetchone()
    return max(0, (row[0] + 1) * MOST - 1) if row else 0


def _item(number: int, what: str, game: UUID, version: int) -> Item:
    return Item(number, what, json.dumps({"number": number, "event": what, "game": str(game), "version": version}))


def _off_item(number: int, hook: UUID, because: str) -> Item:
    """Returns the notice of a webhook that is off; its number is that of the notification before it."""
    document = {"number": number, "event": "webhook_off", "webhook": str(hook), "because": because}
    return Item(number, "webhook_off", json.dumps(document))
