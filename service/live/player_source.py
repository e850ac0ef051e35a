"""Notifications of a player, and of the people at the player's screen: seat kept, game started, your turn, game over.

Beside them: webhooks switched off, and, for those who chose to be told of them, that time runs out and rounds.
"""

import json
import time
from collections.abc import Hashable, Sequence
from typing import Final, LiteralString
from uuid import UUID

from psycopg import Connection
from psycopg_pool import ConnectionPool

from projections.read_models.notifications import MOST
from service.live.own_lists import state_of_lists
from service.live.protocol import HistoryReplaced, Item
from service.live.pubsub import PubSub, Topic

OWN: Final[LiteralString] = """
SELECT %(player)s::text AS player
UNION ALL SELECT id::text FROM players WHERE owner = %(player)s::uuid AND NOT bot AND forgotten IS NULL
"""  # the player, and the people at the player's screen, who sit down by themselves
ONCE: Final[LiteralString] = "SELECT DISTINCT number, what, stream, seq FROM ("
NEWS: Final[LiteralString] = """) AS own CROSS JOIN LATERAL (
    SELECT number, what, stream, seq FROM news
    WHERE news.player = own.player AND number > %(after)s AND (own.player = %(player)s OR what <> 'seat_kept')
    ORDER BY number LIMIT 200
) AS told ORDER BY number LIMIT 200
"""
PAGE: Final = ONCE + OWN + NEWS
LOGGED: Final = "SELECT coalesce(max(idx), -1) FROM log"
NEWEST_OF: Final = """
SELECT player, greatest(
    (SELECT max(number) FROM news WHERE news.player = given.player),
    (SELECT max(newest) FROM players CROSS JOIN LATERAL (
        SELECT max(number) AS newest FROM news WHERE news.player = players.id::text AND what <> 'seat_kept'
    ) AS of_person WHERE owner = given.player::uuid AND NOT bot AND forgotten IS NULL)
) FROM unnest(%s::text[]) AS given (player)
"""
NEWEST_OFF: Final = """
SELECT player::text, max(off) FROM webhooks WHERE player = ANY(%s::uuid[]) AND off > 0 GROUP BY player
"""
NEWEST_NOTICES: Final = """
SELECT player::text, max(told) FROM notices
WHERE player = ANY(%s::uuid[]) AND what IN ('time', 'round') AND told IS NOT NULL GROUP BY player
"""
NOTICES: Final = """
SELECT stream, what, told FROM notices
WHERE player = %s::uuid AND what IN ('time', 'round') AND told > %s ORDER BY told, stream LIMIT 200
"""
KEPT: Final = """
SELECT kept_seats.id, version FROM kept_seats JOIN games USING (id)
WHERE kept_seats.player = %(player)s AND kept_seats.id > %(after)s ORDER BY kept_seats.id LIMIT %(limit)s
"""
GAMES: Final[LiteralString] = "FROM places JOIN games USING (id) WHERE places.player IN ("
AWAITING: Final[LiteralString] = ") AND NOT over AND games.player = places.player AND status = 'running'"
DUE_GAMES: Final = GAMES + OWN + AWAITING
DUE: Final = "SELECT games.id, version " + DUE_GAMES + " AND places.id > %(after)s ORDER BY places.id LIMIT %(limit)s"
WAITING: Final = (("seat_kept", KEPT), ("your_turn", DUE))
KEPT_AND_DUE: Final[LiteralString] = """
SELECT count(*) FROM (
    (SELECT 1 FROM kept_seats WHERE player = %(player)s LIMIT %(limit)s) UNION ALL (SELECT 1 """
COUNT_WAITING: Final = KEPT_AND_DUE + DUE_GAMES + " LIMIT %(limit)s)) AS waiting"
SWITCHED_OFF: Final = "SELECT id, off, off_because FROM webhooks WHERE player = %s::uuid AND off > %s ORDER BY off"
ITEMS: Final = 200  # of a page
MOST_COUNTED: Final = 1_000
NOTHING: Final = UUID(int=0)
NOTICED: Final = {"time": ("time_runs_out", "game"), "round": ("round_published", "tournament")}
LISTS_LOOKED_AT: Final = 20  # players whose lists a sweep looks at; the next sweep looks at others
LAGS: Final = (0.05, 0.1, 0.2, 0.4, 0.8)  # seconds; the projector writes notifications shortly after the wake-up


class FollowedPlayers:
    """The players whose notifications are followed in this process."""

    def __init__(self, pool: ConnectionPool[Connection], pubsub: PubSub) -> None:
        self.pool = pool
        self._pubsub = pubsub
        self._sources: set[PlayerSource] = set()

    def enter(self, player: str, *, waiting: bool, lists: bool = False) -> "PlayerSource":
        """Returns the notifications of a player for one follower; with `lists`, also that lists of games changed."""
        kind = ListedPlayerSource if lists else PlayerSource
        source = kind(self, player, self._pubsub.enter(player), waiting=waiting)
        self._sources.add(source)
        return source

    def leave(self, source: "PlayerSource") -> None:
        """Releases a source."""
        self._sources.discard(source)
        self._pubsub.leave(source.player)

    def sweep(self) -> None:
        """Rings the topics of players whose followers lack notifications, or have some of another history."""
        sources = list(self._sources)
        if not sources:
            return
        players = list({source.player for source in sources})
        with self.pool.connection() as connection:
            newest: dict[str, int | None] = dict(connection.execute(NEWEST_OF, (players,)).fetchall())
            off: dict[str, int] = dict(connection.execute(NEWEST_OFF, (players,)).fetchall())
            told: dict[str, int] = dict(connection.execute(NEWEST_NOTICES, (players,)).fetchall())
            logged = newest_number(connection)
            self._ring_changed_lists(connection)
        for source in sources:
            times = off.get(source.player, 0), told.get(source.player, 0)
            if source.differs(newest.get(source.player) or 0, times, logged):
                source.topic.ring()

    def _ring_changed_lists(self, connection: Connection) -> None:
        """Rings the topics of players whose lists are not as they were told: a turn that passes on wakes nobody."""
        looked_at = sorted(
            (source for source in list(self._sources) if isinstance(source, ListedPlayerSource)),
            key=lambda source: source.looked,
        )
        for source in looked_at[:LISTS_LOOKED_AT]:
            if source.has_changed(connection):
                source.topic.ring()


class PlayerSource:
    """The notifications of a player; with `waiting`, first the games that wait for the player, a page at a time.

    Of one follower alone: it remembers what it told.
    """

    forgets = True
    lags = LAGS

    def __init__(self, players: FollowedPlayers, player: str, topic: Topic, *, waiting: bool = False) -> None:
        self.topic = topic
        self.player = player
        self._players = players
        self._waiting = [*WAITING] if waiting else []
        self._last_game = NOTHING
        self._told = 0  # the number after which notifications were read last
        self._told_off = 0  # time of the newest webhook switched off that was told
        self._noticed: int | None = None  # time of the newest notice that was told; None before the first reading

    @property
    def key(self) -> Hashable:
        """Returns the source itself: no other one gives the same items."""
        return self

    def close(self) -> None:
        """Releases the topic."""
        self._players.leave(self)

    def differs(self, newest: int, times: tuple[int, int], logged: int) -> bool:
        """Returns whether there are newer notifications, or a log without what was told.

        The times are those of the newest webhook switched off and of the newest notice.
        """
        off, noticed = times
        late = self._noticed is not None and noticed > self._noticed
        return newest > self._told or off > self._told_off or late or logged < self._told

    def newest(self) -> int:
        """Returns the number of the newest notification that was told."""
        return self._told

    def after(self, number: int) -> Sequence[Item]:
        """Returns the next notifications; first, the games that wait for the player. Raises HistoryReplaced."""
        self._told = max(self._told, number)
        with self._players.pool.connection() as connection:
            if self._noticed is None:  # of what was told before, none is told again
                ((_, self._noticed),) = connection.execute(NEWEST_NOTICES, ([self.player],)).fetchall() or ((None, 0),)
            while self._waiting:
                if page := self._next_waiting(connection, number):
                    return page
            rows = connection.execute(PAGE, {"player": self.player, "after": number}).fetchall()
            notices = connection.execute(NOTICES, (self.player, self._noticed)).fetchall()
            off = connection.execute(SWITCHED_OFF, (self.player, self._told_off)).fetchall()
            if not rows and number > newest_number(connection):
                raise HistoryReplaced
        items = [_item(*row) for row in rows]
        self._told = items[-1].number if items else self._told
        if off:
            self._told_off = off[-1][1]
            newest = items[-1].number if items else number
            items += [_off_item(newest, hook, because) for hook, _, because in off]
        if notices:
            self._noticed = notices[-1][2]
            items += [_notice_item(self._told or number, what, stream) for stream, what, _ in notices]
        return items

    def _next_waiting(self, connection: Connection, number: int) -> Sequence[Item]:
        """Returns the next page of games that wait for the player; empty at the end of a kind."""
        what, query = self._waiting[0]
        asked = {"player": self.player, "after": self._last_game, "limit": ITEMS}
        rows = connection.execute(query, asked).fetchall()
        self._last_game = rows[-1][0] if rows else NOTHING
        if not rows:
            del self._waiting[0]
        return [_item(number, what, *row) for row in rows]

    def end(self, _number: int) -> None:
        """Returns None: notifications do not end."""


class ListedPlayerSource(PlayerSource):
    """The notifications of a player, and beside them that lists of the player's games show something else."""

    looked = 0.0  # when the lists were looked at
    _state = ""

    def notice(self, number: int) -> Item:
        """Returns the state of the lists, under the number of the newest notification."""
        with self._players.pool.connection() as connection:
            self._look(connection)
        return Item(number, "games", json.dumps({"event": "games", "state": self._state}))

    def has_changed(self, connection: Connection) -> bool:
        """Returns whether the lists are not as they were told."""
        told = self._state
        self._look(connection)
        return told != self._state

    def _look(self, connection: Connection) -> None:
        self.looked, self._state = time.monotonic(), state_of_lists(connection, self.player)


def newest_news(connection: Connection, player: str) -> int:
    """Returns the number of the newest notification of a player; 0 before the first."""
    row = connection.execute(NEWEST_OF, ([player],)).fetchone()
    return row[1] or 0 if row else 0


def count_waiting(connection: Connection, player: str) -> int:
    """Returns the number of games that wait for the player, or for people at the player's screen.

    Counts up to a thousand of each kind.
    """
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


def _notice_item(number: int, what: str, stream: UUID) -> Item:
    """Returns what the player chose to be told of; its number is that of the notification before it."""
    event, about = NOTICED[what]
    return Item(number, event, json.dumps({"number": number, "event": event, about: str(stream)}))
