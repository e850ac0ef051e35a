"""Holds what stands beside the events against them: boards, rows of the lobby, sealed seeds, texts."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final
from uuid import UUID

from psycopg import Connection

from events.errors import CabildoError
from events.event import Event
from events.log.integrity import BOARDS, SEEDS, TEXTS, Fault, Stretch
from events.sealing.vault import Vault
from events.store.free_texts import text_hash
from events.store.postgres import read
from projections.games import record as records
from projections.games.chance import check_seed
from projections.read_models import lobby
from projections.rules.protocol import NO_BOARD
from service.core.sealing.sealed_columns import SEALED_SEEDS
from service.games.game_repository import forward
from service.games.game_state import GameState
from service.games.history import history_of

AT_ONCE: Final = 20
GAMES: Final = """
SELECT stream FROM streams_begun WHERE kind = 'game_created' AND stream > %s ORDER BY stream LIMIT %s
"""
HOW_MANY_GAMES: Final = """
SELECT count(*), count(*) FILTER (WHERE stream <= %s) FROM streams_begun WHERE kind = 'game_created'
"""
STORED_BOARDS: Final = """
SELECT version, head, record, position FROM boards WHERE id = %(game)s
UNION ALL SELECT version, head, record, position FROM kept_boards WHERE id = %(game)s
ORDER BY version
"""
ROW: Final = """
SELECT id, version, head, game, status, host, rated, visibility, options, chairs, seat, decision, player,
    engine, deadline, result, tournament::text, rematch_of::text, created, changed, aborted_by,
    clock_ends
FROM games WHERE id = %s
"""
AS_JSON: Final = (8, 9, 15)  # options, chairs, result
PLACES: Final = "SELECT chair, player FROM places WHERE id = %s ORDER BY chair"
SEED: Final = "SELECT sealed FROM seeds WHERE id = %s"
STRAY: Final = """
WITH declared AS MATERIALIZED (
    SELECT game FROM games_declared
)
SELECT 'board', id FROM boards WHERE NOT EXISTS (SELECT FROM streams_begun WHERE stream = id)
UNION ALL SELECT 'kept board', id FROM kept_boards
    WHERE NOT EXISTS (SELECT FROM streams_begun WHERE stream = id)
UNION ALL SELECT 'row in the lobby', id FROM games WHERE NOT EXISTS (SELECT FROM streams_begun WHERE stream = id)
UNION ALL SELECT 'seed', id FROM seeds WHERE NOT EXISTS (SELECT FROM streams_begun WHERE stream = id)
    AND NOT EXISTS (SELECT FROM declared WHERE game = seeds.id)
ORDER BY 1, 2 LIMIT 100
"""
SOME_TEXTS: Final = "SELECT stream, hash, salt, text FROM texts WHERE (stream, hash) > (%s, %s) ORDER BY 1, 2 LIMIT %s"
HOW_MANY_TEXTS: Final = "SELECT count(*), count(*) FILTER (WHERE (stream, hash) <= (%s, %s)) FROM texts"
FIRST: Final = UUID(int=0)
UNREADABLE: Final = (CabildoError, LookupError, TypeError, ValueError)


class Games:
    """Board, lobby row and sealed seed of every game, made once more from its events."""

    def __init__(self, connection: Connection, vault: Vault) -> None:
        self._connection = connection
        self._vault = vault

    def part(self, after: str) -> Iterator[Stretch]:
        """Game by game, and in the end what is of no game."""
        last = UUID(after) if after else FIRST
        total, done = self._connection.execute(HOW_MANY_GAMES, (last,)).fetchone() or (0, 0)
        while games := [game for (game,) in self._connection.execute(GAMES, (last, AT_ONCE))]:
            last, done = games[-1], done + len(games)
            faults = [fault for game in games for fault in self._faults(game)]
            yield Stretch(str(last), done, max(done, total), tuple(faults))  # some may have begun meanwhile
        stray = [Fault(BOARDS, f"a {what} of game {game}, which is not there") for what, game in self._stray()]
        yield Stretch(str(last), done, max(done, total), tuple(stray))

    def _stray(self) -> Sequence[tuple[str, UUID]]:
        return self._connection.execute(STRAY).fetchall()

    def _faults(self, game: UUID) -> Iterator[Fault]:
        try:
            events = tuple(read(self._connection, game))
            now, wrong = GameState(game), []
            for row in self._connection.execute(STORED_BOARDS, {"game": game}).fetchall():
                now = _played(now, events[now.head.seq : row[0]], events)
                wrong += [] if _same_board(now, *row) else [row[0]]
            now = _played(now, events[now.head.seq :], events)
        except UNREADABLE as fault:
            yield Fault(BOARDS, f"game {game} cannot be read from its events: {fault}")
            return
        for version in wrong:
            yield Fault(BOARDS, f"the board of game {game} at event {version} is not what its events make")
        if not self._is_listed(now):
            yield Fault(BOARDS, f"the row of game {game} in the lobby is not what its events make")
        yield from self._seed_faults(now)

    def _is_listed(self, table: GameState) -> bool:
        row = self._connection.execute(ROW, (table.id,)).fetchone()
        taken = [(n, chair.player) for n, chair in enumerate(table.known.chairs) if chair.player is not None]
        places = self._connection.execute(PLACES, (table.id,)).fetchall()
        made = dict(enumerate(lobby.row(table.id, table.head, table.known)))
        made |= {column: json.loads(made[column] or "null") for column in AS_JSON}
        columns = list(made.values())[: len(row or ())]  # the last one, idle_since, follows from announcements too
        return row is not None and _plain(row) == _plain(columns) and places == taken

    def _seed_faults(self, table: GameState) -> Iterator[Fault]:
        row = self._connection.execute(SEED, (table.id,)).fetchone()
        if row is None:
            if not table.known.imported:
                yield Fault(SEEDS, f"the seed of game {table.id} is gone")
            return
        try:
            seed = self._vault.open(SEALED_SEEDS, table.id, bytes(row[0]))
            if table.known.commitment is not None:
                name = table.id if table.known.deal is None else UUID(table.known.deal)
                check_seed(name, bytes.fromhex(table.known.commitment), seed)
        except CabildoError as fault:
            yield Fault(SEEDS, f"the seed of game {table.id}: {fault}")


class Texts:
    """Every text beside an event has the hash that an event holds."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def part(self, after: str) -> Iterator[Stretch]:
        """Text by text."""
        stream, text = after.split() if after else (str(FIRST), "")
        last = (UUID(stream), bytes.fromhex(text))
        total, done = self._connection.execute(HOW_MANY_TEXTS, last).fetchone() or (0, 0)
        while rows := self._connection.execute(SOME_TEXTS, (*last, AT_ONCE)).fetchall():
            last, done = (rows[-1][0], bytes(rows[-1][1])), done + len(rows)
            faults = tuple(Fault(TEXTS, fault) for row in rows for fault in self._faults(*row))
            yield Stretch(f"{last[0]} {last[1].hex()}", done, max(done, total), faults)

    def _faults(self, stream: UUID, hash: bytes, salt: bytes, text: str) -> Iterator[str]:
        if text_hash(bytes(salt), text) != hash:
            yield f"a text of {stream} does not have its hash {hash.hex()}"
        if not self._is_named(stream, hash.hex().encode()):
            yield f"no event of {stream} holds the hash {hash.hex()} of a text"

    def _is_named(self, stream: UUID, hash: bytes) -> bool:
        try:
            return any(hash in event.body for event in read(self._connection, stream))
        except CabildoError:  # its events are another part's faults
            return False


def _played(table: GameState, events: Sequence[Event], all_events: Sequence[Event]) -> GameState:
    """The table after more events."""
    end = table.head.seq + len(events)
    return forward(table, events, history_of(table.id, all_events[:end])) if events else table


def _same_board(table: GameState, version: int, head: bytes, record: Any, position: Any) -> bool:
    if (version, bytes(head)) != (table.head.seq, table.head.hash):
        return False
    made = None if table.board is NO_BOARD else table.game.document(table.board)
    return _same_record(table, record) and bool(_plain(made) == position)


def _same_record(table: GameState, stored: Any) -> bool:
    """Whether a record says what the events say, read as the service reads it: an earlier program stored less."""
    try:
        read_back = records.restore(stored)
        if read_back is None:  # only an earlier program's, which nothing reads, is no fault
            return bool(stored[0] < records.FORMAT)
    except UNREADABLE:
        return False
    return bool(_plain(records.document(read_back)) == _plain(records.document(table.known)))


def _plain(value: Any) -> Any:
    """A value as a column of JSON gives it back."""
    return json.loads(json.dumps(value, default=_text_of))


def _text_of(value: Any) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)
