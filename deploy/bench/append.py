"""`cabildo bench append`: durable appends a second beside bare INSERT commits, and the speed of reading streams."""

import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from typing import Final, LiteralString, NamedTuple
from uuid import UUID

import click
import psycopg
from psycopg import Connection
from psycopg_pool import ConnectionPool

from deploy.bench.temporary_service import running_program
from deploy.local.guard import bench_directory
from deploy.local.stores import EmbeddedPostgres
from events.chain import LONGEST_BATCH, link
from events.event import START, EventDraft, Head, new_stream
from events.json_types import JsonObject
from events.log.sequencer import sequence_once
from events.log.signing_gate import set_gate
from events.store.connections import connect, open_pool
from events.store.migrations import migrate
from events.store.postgres import PostgresStore
from events.store.protocol import request_key
from events.store.statements import Statement

WRITERS: Final = (1, 4, 8, 16)
LENGTHS: Final = (1_000, 100_000)
STARTS_WITHIN: Final = 60.0  # seconds for the writers to start and connect
SLICES: Final = 3  # the kinds of writing are measured alternately, under the same load of the machine
YARDSTICK: Final = """
CREATE TABLE bare (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body bytea NOT NULL);
CREATE TABLE board (stream uuid PRIMARY KEY, version bigint NOT NULL, body bytea NOT NULL) WITH (fillfactor = 50);
GRANT SELECT, INSERT, UPDATE ON bare, board TO cabildo_service
"""
INSERT: Final[LiteralString] = "INSERT INTO bare (body) VALUES (%s)"
BOARD: Final[LiteralString] = """
INSERT INTO board VALUES (%s, %s, %s)
ON CONFLICT (stream) DO UPDATE SET version = excluded.version, body = excluded.body
"""
CREATED: Final[JsonObject] = {
    "game": "puerto_rico",
    "options": {},
    "seats": 4,
    "chairs": [None, None, None, None],
    "clock": {},
    "rated": False,
    "level": 0,
    "commitment": None,
    "seed": None,
    "tournament": None,
    "imported": False,
}
MOVED: Final[JsonObject] = {
    "seat": 2,
    "move": "take coffee",
    "drew": ["corn"],
    "then": [],
    "facts": [["tile_taken", 2, "coffee"], ["colonist_placed", 2, "coffee"], ["row_dealt", ["corn"]]],
    "digest": "d1" * 32,
}
Pool = ConnectionPool[Connection]
Write = Callable[[], object]


def opening() -> EventDraft:
    """Returns the first event of a game."""
    return EventDraft("game_created", CREATED, "bench", now(), "puerto_rico/1")


def move() -> EventDraft:
    """Returns a move of ordinary size."""
    return EventDraft("moved", MOVED, "bench", now(), "puerto_rico/1")


def now() -> int:
    """Returns microseconds since 1970."""
    return time.time_ns() // 1_000


class BenchStream:
    """A stream with one writer."""

    def __init__(self, pool: Pool) -> None:
        self._book = PostgresStore(pool)
        self.stream = new_stream(now())
        self.head = START
        self.append(opening())

    def append(self, draft: EventDraft) -> None:
        """Appends one event."""
        events = link(self.stream, self.head, [draft])
        self._book.append(self.stream, self.head.seq, events)
        self.head = events[-1].head

    def move(self) -> None:
        """Appends one event as the service does: with the answer for its key, and with the board."""
        events = link(self.stream, self.head, [move()])
        key = request_key("bench", f"{self.stream}.{self.head.seq}", events[0].body)
        board = Statement(BOARD, (self.stream, events[0].seq, events[0].body * 4))
        self._book.append(self.stream, self.head.seq, events, key=key, answer=events[0].hash, also=[board])
        self.head = events[-1].head


def bare(pool: Pool) -> Write:
    """Returns a write of one bare row of an event's size."""
    (event,) = link(UUID(int=1), Head(1, bytes(32)), [move()])

    def write() -> None:
        with pool.connection() as connection:
            connection.execute(INSERT, (event.body,), prepare=True)

    return write


def append(pool: Pool) -> Write:
    """Returns a write that appends an event."""
    game = BenchStream(pool)
    return lambda: game.append(move())


def moves(pool: Pool) -> Write:
    """Returns a write that appends an event with everything that a move writes."""
    return BenchStream(pool).move


KINDS: Final[Sequence[Callable[[Pool], Write]]] = (bare, append, moves)


def write_in_turns(url: str, seconds: float, begin: Barrier, counts: "Queue[tuple[int, int]]") -> None:
    """Runs a writer's process: every kind for a slice of the time, all writers at once; sends the counts."""
    with open_pool(url, size=1) as pool:
        writes = [kind(pool) for kind in KINDS]
        for _ in range(SLICES):
            for number, write in enumerate(writes):
                begin.wait()
                end, count = time.monotonic() + seconds / SLICES / len(KINDS), 0
                while time.monotonic() < end:
                    write()
                    count += 1
                counts.put((number, count))


class AppendRow(NamedTuple):
    """One line of the result: writes a second of each kind."""

    writers: int
    bare: float
    append: float
    moves: float

    @property
    def ratio(self) -> float:
        """Appends for one bare INSERT: the figure that can be compared between machines."""
        return self.append / self.bare


def measure(url: str, writers: int, seconds: float) -> AppendRow:
    """Runs the writers and returns their rates."""
    spawn = multiprocessing.get_context("spawn")
    begin, counts = spawn.Barrier(writers), spawn.Queue()
    given = (url, seconds, begin, counts)
    processes = [spawn.Process(target=write_in_turns, args=given, daemon=True) for _ in range(writers)]
    for process in processes:  # daemons: a measurement that is ended waits for no turn of theirs
        process.start()
    totals = [0] * len(KINDS)
    for _ in range(writers * SLICES * len(KINDS)):
        number, count = counts.get(timeout=seconds + STARTS_WITHIN)
        totals[number] += count
    for process in processes:
        process.join()
    with connect(url) as connection:
        while sequence_once(connection):
            pass
    each = seconds / len(KINDS)
    return AppendRow(writers, *(total / each for total in totals))


def reading(url: str, length: int) -> tuple[float, float]:
    """Returns the milliseconds to the first event of a stream, and the events a second to its end."""
    with open_pool(url, size=1) as pool:
        book, stream = PostgresStore(pool), new_stream(now())
        head = START
        while head.seq < length:
            drafts = [move()] * min(LONGEST_BATCH, length - head.seq)
            events = link(stream, head, drafts if head.seq else [opening(), *drafts[1:]])
            book.append(stream, head.seq, events)
            head = events[-1].head
        begun = time.perf_counter()
        events_read = book.read(stream)
        next(events_read)
        first = time.perf_counter() - begun
        rest = sum(1 for _ in events_read)
        return first * 1e3, (1 + rest) / (time.perf_counter() - begun)


@contextmanager
def scratch_server() -> Iterator[str]:
    """Yields the address of a temporary PostgreSQL, durable as in production."""
    with bench_directory() as directory:
        server = EmbeddedPostgres(directory / "postgresql")
        with running_program(server.prepare()):
            with psycopg.connect(server.url(), autocommit=True) as admin:
                migrate(admin)
                set_gate(admin, is_open=True, reason="a new database of the bench")
                admin.execute(YARDSTICK)
            yield server.url()


@click.command("append")
@click.option("--writers", type=click.IntRange(1, 128), multiple=True, help="How many at once.  [1, 4, 8 and 16]")
@click.option("--seconds", type=click.FloatRange(0.5, 600), default=9.0, show_default=True, help="For each number.")
@click.option("--length", type=click.IntRange(1), multiple=True, help="Of a stream to read.  [1,000 and 100,000]")
def append_command(writers: Sequence[int], seconds: float, length: Sequence[int]) -> None:
    """Append events, a process for each writer, beside the bare INSERT commits of the same client on the same server.

    The last column counts complete moves: event, board and the stored answer of the key.
    """
    with scratch_server() as url:
        click.echo(f"{'writers':>7} {'bare/s':>9} {'appends/s':>9} ratio {'moves/s':>9}")
        for number in writers or WRITERS:
            row = measure(url, number, seconds)
            click.echo(f"{number:>7} {row.bare:>9,.0f} {row.append:>9,.0f} {row.ratio:>5.2f} {row.moves:>9,.0f}")
        click.echo(f"\n{'events':>7} {'first ms':>9} {'read/s':>9}")
        for events in length or LENGTHS:
            first, speed = reading(url, events)
            click.echo(f"{events:>7,} {first:>9.2f} {speed:>9,.0f}")
