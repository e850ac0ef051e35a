"""Takes a game in hand at its newest version, and puts it back with what happened, in one transaction."""

import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from threading import Lock
from typing import Any, Final
from uuid import UUID

from psycopg import Connection
from psycopg.errors import UniqueViolation
from psycopg_pool import ConnectionPool

from events.event import Event, Head
from events.json_types import JsonObject
from events.store.free_texts import read_texts
from events.store.postgres import ALONE, PostgresStore, Statement, read
from events.store.protocol import Appended, IdempotencyKey
from projections.games import record as records
from projections.games.fold import fold
from projections.games.replay import CHANGES, apply, position_at, returns_to
from projections.games.rules_versions import MOVED_ON
from projections.games.seed_vault import SeedVault
from projections.read_models import lobby
from service.core import keeper_last_seen
from service.core.errors import NotThere, RematchProposed
from service.games.game_state import GameState, Sources, UnitOfWork, setting

KEPT_IN_HAND: Final = 2_000  # games of which a process remembers the newest board
PAGE: Final = 1_000
BOARD_EVERY: Final = 16  # events between two stored boards: writing each costs more than folding a few
OPENING: Final = "game_created"
BOARD: Final = "SELECT version, head, record, position FROM boards WHERE id = %s"
PUT_BOARD: Final = """
INSERT INTO boards (id, version, head, record, position) VALUES (%s, %s, %s, %s, %s)
ON CONFLICT (id) DO UPDATE
SET version = excluded.version, head = excluded.head, record = excluded.record, position = excluded.position
"""
SEALED: Final = """
SELECT EXISTS (SELECT FROM log WHERE stream = %s AND seq = %s AND idx < (SELECT max(size) FROM checkpoints))
"""
SEED: Final = "SELECT sealed FROM seeds WHERE id = %s"
PUT_SEED: Final = "INSERT INTO seeds (id, sealed) VALUES (%s, %s)"


class Repository:
    """All games of a database; those touched lately are remembered, and only what came after is read."""

    def __init__(
        self,
        pool: ConnectionPool[Connection[Any]],
        box: SeedVault,
        newest_tree: Callable[[], JsonObject | None] = lambda: None,
    ) -> None:
        self.book = PostgresStore(pool)
        self._newest_tree = newest_tree
        self._pool = pool
        self._box = box
        self._lock = Lock()
        self._in_hand: OrderedDict[UUID, GameState] = OrderedDict()
        self._seeds: dict[UUID, bytes] = {}

    def take(self, game: UUID) -> GameState:
        """A game at its newest version; refuses with NotThere."""
        table = self._remembered(game)
        with self._pool.connection() as connection:
            table = self._forward(connection, table or _stored(connection, game))
        if table.record is None:
            raise NotThere("game", game)
        self._remember(table)
        return table

    def in_hand(self, game: UUID, version: int | None) -> GameState | None:
        """A game as this process remembers it, when that is the version somebody else has seen too."""
        table = self._remembered(game)
        return table if table is not None and table.head.seq == version else None

    def sources(self, game: UUID) -> Sources:
        """What an act on a game may ask for."""
        return Sources(partial(self.seed, game), partial(self.history, game), self._newest_tree)

    def history(self, game: UUID) -> tuple[Event, ...]:
        """All events of a game."""
        return tuple(self.book.read(game))

    def reasons(self, game: UUID, events: Iterable[Event]) -> Mapping[str, str]:
        """The texts that give the reasons of events, by the hash that an event has; erased ones are not there."""
        wanted = [bytes.fromhex(str(event.data["reason"])) for event in events if event.data.get("reason")]
        if not wanted:
            return {}
        with self._pool.connection() as connection:
            return {found.hex(): kept.text for found, kept in read_texts(connection, game, wanted).items()}

    def is_sealed(self, game: UUID, seq: int) -> bool:
        """Whether a signed checkpoint of the public log covers an event."""
        with self._pool.connection() as connection:
            row = connection.execute(SEALED, (game, seq)).fetchone()
        return row is not None and bool(row[0])

    def seed(self, game: UUID) -> bytes:
        """The server's seed of a game."""
        if (known := self._seeds.get(game)) is not None:
            return known
        with self._pool.connection() as connection:
            row = connection.execute(SEED, (game,)).fetchone()
        if row is None:
            raise NotThere("seed of game", game)
        if len(self._seeds) >= KEPT_IN_HAND:
            self._seeds.clear()
        return self._seeds.setdefault(game, self._box.open(game, bytes(row[0])))

    def last_seen(self) -> int | None:
        """When a keeper was last at work."""
        with self._pool.connection() as connection:
            return keeper_last_seen.last_seen(connection)

    def put(
        self, act: UnitOfWork, *, seed: bytes | None = None, key: IdempotencyKey | None = None, answer: bytes = b""
    ) -> Appended:
        """Write down what happened; refuses with StaleVersion when somebody was faster."""
        kinds = {event.kind for event in act.events}
        through = lobby.turned(act.record) if lobby.MOVED.issuperset(kinds) else ALONE
        also = [] if through is not ALONE else lobby.rows(act.id, act.now.head, act.record, kinds)
        if act.before.head.seq // BOARD_EVERY < act.now.head.seq // BOARD_EVERY:
            also.append(_board(act.now))
        also += act.beside
        if seed is not None:
            also.append(Statement(PUT_SEED, (act.id, self._box.seal(act.id, seed))))
        try:
            appended = self.book.append(
                act.id, act.before.head.seq, act.events, key=key, answer=answer, also=also, through=through
            )
        except UniqueViolation as taken:  # the book takes care of its own; a game has one rematch
            raise RematchProposed(str(act.record.rematch_of)) from taken
        if not appended.repeated:
            self._remember(act.now)
        return appended

    def _remembered(self, game: UUID) -> GameState | None:
        with self._lock:
            return self._in_hand.get(game)

    def _remember(self, table: GameState) -> None:
        with self._lock:
            known = self._in_hand.get(table.id)
            if known is None or known.head.seq < table.head.seq:
                self._in_hand[table.id] = table
            self._in_hand.move_to_end(table.id)
            while len(self._in_hand) > KEPT_IN_HAND:
                self._in_hand.popitem(last=False)

    def _forward(self, connection: Connection[Any], table: GameState) -> GameState:
        """The table with everything that came after."""
        while events := tuple(read(connection, table.id, table.head.seq, PAGE)):
            if table.record is None and events[0].kind != OPENING:
                raise NotThere("game", table.id)  # it is a stream of another kind
            table = forward(table, events, partial(read, connection, table.id))
            if len(events) < PAGE:
                break
        return table


def forward(table: GameState, events: Sequence[Event], all_events: Callable[[], Iterable[Event]]) -> GameState:
    """The table after more events; a return to an earlier board, or other rules, replay the game."""
    record, board = table.record, table.board
    for event in events:
        record = fold(record, event)
    assert record is not None
    changes = [event for event in events if event.kind in CHANGES]
    if any(event.kind == MOVED_ON or returns_to(event) is not None for event in events):
        board = position_at(setting(record), all_events(), events[-1].seq)
    elif changes:
        played = setting(record)
        board = played.blank() if board is None else played.game.copy(board)
        for event in changes:
            apply(played.game, board, event)
    return GameState(table.id, record, board, events[-1].head)


def _stored(connection: Connection[Any], game: UUID) -> GameState:
    """The game as it was put back last, or before its first event when no stored form of it can be used."""
    row = connection.execute(BOARD, (game,)).fetchone()
    record = records.restore(row[2]) if row else None
    if row is None or record is None:
        return GameState(game)
    board = None if row[3] is None else setting(record).game.restore(row[3])
    return GameState(game, record, board, Head(row[0], bytes(row[1])))


def _board(table: GameState) -> Statement:
    record = table.known
    position = None if table.board is None else json.dumps(table.game.document(table.board))
    parameters = (table.id, table.head.seq, table.head.hash, json.dumps(records.document(record)), position)
    return Statement(PUT_BOARD, parameters)
