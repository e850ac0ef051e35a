"""Repository of games: the newest record and board, from a stored board and later events."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import ClassVar, Final
from uuid import UUID

import psycopg
import structlog
from psycopg import Connection
from psycopg_pool import ConnectionPool

from events.event import Event, Head
from events.json_types import JsonObject
from events.store.postgres import read
from events.store.statements import Statement
from projections.games import record as records
from projections.games.fold import fold
from projections.games.record import GameRecord
from projections.games.replay import returns_to
from projections.games.rules_versions import MOVED_ON, rules_after
from projections.rules.protocol import NO_BOARD, Board
from service.core.repository import Repository
from service.core.seeds import SeedStore
from service.games.game_state import GameState, Sources, setting
from service.games.history import GameHistory
from service.games.kept_boards import kept_board
from service.games.makers import Makers

BOARD_EVERY: Final = 32  # events between stored boards: folding a few costs less than storing each
BOARD: Final = "SELECT version, head, record, position FROM boards WHERE id = %s"
PUT_BOARD: Final = """
INSERT INTO boards (id, version, head, record, position) VALUES (%s, %s, %s, %s, %s)
ON CONFLICT (id) DO UPDATE
SET version = excluded.version, head = excluded.head, record = excluded.record, position = excluded.position
"""
TEXTS_TAG: Final = """
SELECT string_agg(encode(hash, 'hex') || hidden, ',' ORDER BY hash) FROM (
    SELECT hash, EXISTS (SELECT FROM hidden_texts WHERE hidden_texts.hash = texts.hash) AS hidden FROM texts
    WHERE stream = %(game)s
    UNION ALL SELECT hash, TRUE FROM hidden_texts WHERE stream = %(game)s AND hash = ''
) AS told
"""
SEALED: Final = """
SELECT EXISTS (SELECT FROM log WHERE stream = %s AND seq = %s AND idx < (SELECT max(size) FROM checkpoints))
"""
log = structlog.get_logger("service.games.game_repository")


class GameRepository(Repository[GameState]):
    """Repository of games."""

    noun: ClassVar[str] = "game"
    opening: ClassVar[str] = "game_created"
    cached_states: ClassVar[int] = 2_000

    def __init__(
        self,
        pool: ConnectionPool[Connection],
        seeds: SeedStore,
        newest_tree: Callable[[], JsonObject | None] = lambda: None,
    ) -> None:
        super().__init__(pool)
        self.seeds = seeds
        self.makers = Makers(pool)
        self._newest_tree = newest_tree
        self._unreadable: set[UUID] = set()

    def sources(self, state: GameState) -> Sources:
        """Returns the data that a unit of work loads on demand; a declared seed is in the record."""
        record = state.record
        if record is not None and record.commitment is None and record.seed is not None:
            seed: Callable[[], bytes] = partial(bytes.fromhex, record.seed)
        else:
            seed = partial(self.seeds.get, state.id, None if record is None else record.commitment)
        return Sources(seed, partial(self.past, state.id), self._newest_tree)

    def past(self, game: UUID) -> GameHistory:
        """Returns the history of a game, which reads what it is asked for."""
        return GameHistory(game, partial(self._page, game), partial(self._kept, game))

    def board_at(self, game: UUID, record: GameRecord, version: int) -> Board:
        """Returns the board at a version, under the rules of that time; NO_BOARD before the start."""
        history = self.past(game)
        return history.board(setting(record).under(rules_after(history.event(version))), version)

    def at(self, id: UUID, version: int) -> GameState:
        """Returns a game at a version or the newest before it. Raises NotThere."""
        with self._pool.connection() as connection:
            base = kept_board(connection, id, version)
            if base is not None:
                events = tuple(read(connection, id, base.head.seq, version - base.head.seq))
                return self.advance(connection, base, events) if events else base
        return super().at(id, version)

    def reasons(self, game: UUID, events: Iterable[Event], notice: str) -> Mapping[str, str]:
        """Returns the texts of the events' reasons for readers, by hash."""
        return self.texts(game, [str(event.data["reason"]) for event in events if event.data.get("reason")], notice)

    def texts_tag(self, game: UUID) -> str:
        """Returns a value that changes when texts of a game are stored, erased, hidden or shown."""
        with self._pool.connection() as connection:
            row = connection.execute(TEXTS_TAG, {"game": game}).fetchone()
        return str(row and row[0])

    def is_sealed(self, game: UUID, seq: int) -> bool:
        """Returns whether a signed checkpoint of the public log covers an event."""
        with self._pool.connection() as connection:
            row = connection.execute(SEALED, (game, seq)).fetchone()
        return row is not None and bool(row[0])

    def empty(self, id: UUID) -> GameState:
        """Returns the state of a game before its first event."""
        return GameState(id)

    def advance(self, connection: Connection, state: GameState, events: Sequence[Event]) -> GameState:
        """Returns the game after more events."""
        history = GameHistory(state.id, partial(read, connection, state.id), partial(kept_board, connection, state.id))
        return forward(state, events, history)

    def lacks_board(self, game: UUID) -> bool:
        """Returns whether the stored board of a game was unreadable, so that the next append replaces it."""
        return game in self._unreadable

    def note_board_stored(self, game: UUID) -> None:
        """Note that a readable board of a game is stored."""
        self._unreadable.discard(game)

    def snapshot(self, connection: Connection, id: UUID) -> GameState | None:
        """Returns the game with its stored board; None without one that these rules can read."""
        row = connection.execute(BOARD, (id,)).fetchone()
        record = records.restore(row[2]) if row else None
        if row is None or record is None:
            return None
        board = NO_BOARD if row[3] is None else setting(record).game.restore(row[3])
        if board is NO_BOARD and record.order:
            raise ValueError("a started game is stored without its board")
        return GameState(id, record, board, Head(row[0], bytes(row[1])))

    def _page(self, game: UUID, after: int, limit: int) -> Sequence[Event]:
        return tuple(self.store.read(game, after, limit))

    def _kept(self, game: UUID, version: int) -> GameState | None:
        with self._pool.connection() as connection:
            return kept_board(connection, game, version)

    def _load_stored(self, connection: Connection, id: UUID) -> GameState:
        """Returns a game that is not cached; one whose stored board is damaged is made anew from its events."""
        try:
            return super()._load_stored(connection, id)
        except psycopg.Error:
            raise
        except Exception:  # a damaged board can fail in any way; errors of the events come again
            state = self._brought_up_to_date(connection, self.empty(id)) or self.empty(id)
            log.warning("stored board unreadable", game=str(id), version=state.head.seq, exc_info=True)
            if len(self._unreadable) < self.cached_states:
                self._unreadable.add(id)
            return state


def forward(table: GameState, events: Sequence[Event], history: GameHistory) -> GameState:
    """Returns the game after more events; an undo or a change of rules takes an earlier board from the history."""
    if not any(event.kind == MOVED_ON or returns_to(event) is not None for event in events):
        return table.after(events)
    record = table.record
    for event in events:
        record = fold(record, event)
    assert record is not None
    board = history.knowing(table, events).board(setting(record), events[-1].seq)
    return GameState(table.id, record, board, events[-1].head)


def stored_board(table: GameState) -> Statement:
    """Returns the statement that stores the board of a game."""
    record = table.known
    position = None if table.board is NO_BOARD else json.dumps(table.game.document(table.board))
    parameters = (table.id, table.head.seq, table.head.hash, json.dumps(records.document(record)), position)
    return Statement(PUT_BOARD, parameters)
