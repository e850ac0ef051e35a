"""Notifications of a player over all games: seat kept, game started, your turn, game over; webhooks switched off."""

import json
from collections.abc import Sequence
from typing import Final
from uuid import UUID

from psycopg import Connection
from psycopg_pool import ConnectionPool

from projections.read_models.notifications import MOST
from service.live.protocol import HistoryReplaced, Item
from service.live.pubsub import Topic

PAGE: Final = "SELECT number, what, stream, seq FROM news WHERE player = %s AND number > %s ORDER BY number LIMIT 200"
LOGGED: Final = "SELECT coalesce(max(idx), -1) FROM log"
NEWEST: Final = "SELECT coalesce(max(number), 0) FROM news WHERE player = %s"
KEPT: Final = """
SELECT kept_seats.id, version FROM kept_seats JOIN games USING (id)
WHERE kept_seats.player = %(player)s AND kept_seats.id > %(after)s ORDER BY kept_seats.id LIMIT %(limit)s
"""
DUE: Final = """
SELECT games.id, version FROM places JOIN games USING (id)
WHERE places.player = %(player)s AND NOT over AND games.player = %(player)s AND status = 'running'
    AND places.id > %(after)s
ORDER BY places.id LIMIT %(limit)s
"""
WAITING: Final = (("seat_kept", KEPT), ("your_turn", DUE))
COUNT_WAITING: Final = """
SELECT count(*) FROM (
    (SELECT 1 FROM kept_seats WHERE player = %(player)s LIMIT %(limit)s)
    UNION ALL
    (SELECT 1 FROM places JOIN games USING (id)
    WHERE places.player = %(player)s AND NOT over AND games.player = %(player)s AND status = 'running'
    LIMIT %(limit)s)
) AS waiting
"""
SWITCHED_OFF: Final = "SELECT id, off, off_because FROM webhooks WHERE player = %s::uuid AND off > %s ORDER BY off"
ITEMS: Final = 200  # of a page
MOST_COUNTED: Final = 1_000
NOTHING: Final = UUID(int=0)
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

    def ring(self) -> None:
        """Wakes all waiting threads."""
        self._topic.ring()

    def wait(self, seen: int, timeout: float) -> int:
        """Waits for a wake-up; shortly after one, only for the next interval."""
        lag = self._lags.pop(0) if self._lags else timeout
        count = self._topic.wait(seen, min(lag, timeout))
        if count != seen:
            self._lags = list(LAGS)
        return count


class PlayerSource:
    """The notifications of a player; with `waiting`, first the games that wait for the player, a page at a time."""

    def __init__(self, pool: ConnectionPool[Connection], player: str, topic: Topic, *, waiting: bool = False) -> None:
        self.topic = DelayedTopic(topic)
        self._pool = pool
        self._player = player
        self._waiting = [*WAITING] if waiting else []
        self._last_game = NOTHING
        self._told_off = 0  # time of the newest webhook switched off that was told

    def after(self, number: int) -> Sequence[Item]:
        """Returns the next notifications; first, the games that wait for the player. Raises HistoryReplaced."""
        with self._pool.connection() as connection:
            while self._waiting:
                if page := self._next_waiting(connection, number):
                    return page
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

    def _next_waiting(self, connection: Connection, number: int) -> Sequence[Item]:
        """Returns the next page of games that wait for the player; empty at the end of a kind."""
        what, query = self._waiting[0]
        asked = {"player": self._player, "after": self._last_game, "limit": ITEMS}
        rows = connection.execute(query, asked).fetchall()
        self._last_game = rows[-1][0] if rows else NOTHING
        if not rows:
            del self._waiting[0]
        return [_item(number, what, *row) for row in rows]

    def end(self, _number: int) -> None:
        """Returns None: notifications do not end."""


def newest_news(connection: Connection, player: str) -> int:
    """Returns the number of the newest notification of a player; 0 before the first."""
    row = connection.execute(NEWEST, (player,)).fetchone()
    return row[0] if row else 0


def count_waiting(connection: Connection, player: str) -> int:
    """Returns the number of games that wait for the player, counted up to a thousand of each kind."""
    row = connection.execute(COUNT_WAITING, {"player": player, "limit": MOST_COUNTED}).fetchone()
    return row[0] if row else 0


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
