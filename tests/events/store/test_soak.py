"""The soak: writers and sequencers killed a hundred times, and still 0 lost, 0 doubled, dense, in order."""

import multiprocessing
import os
import random
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from deploy.local.stores import EmbeddedPostgres
from events.body_packing import unpack_body
from events.chain import check
from events.log.follow import LoggedEvent, follow
from events.log.leaves import log_size
from events.log.sequencer import sequence_once
from events.store.connections import connect
from events.store.postgres import PostgresStore
from tests.support.events import soak_worker
from tests.support.events.examples import start_game

KILLS = int(os.environ.get("CABILDO_SOAK_KILLS", "100"))
WRITERS = 4
SEQUENCERS = 2
BETWEEN_KILLS = 0.04  # seconds
SILENT = 10  # after some kills the test sequences an event without a notification

processes = multiprocessing.get_context("forkserver")
processes.set_forkserver_preload(["pytest", soak_worker.__name__])


class Follower(threading.Thread):
    """Reads along all the time."""

    def __init__(self, database: str) -> None:
        super().__init__(name="follower")
        self.entries: list[LoggedEvent] = []
        self.stop = threading.Event()
        self._database = database

    def run(self) -> None:
        """Reads until stopped; each event must be the next one."""
        for page in follow(lambda: connect(self._database), 0, self.stop, poll=0.1):
            self.entries.extend(page)


@contextmanager
def workers(event_store: PostgresStore, database: str, directory: Path) -> Iterator[list[Any]]:
    """The processes that write and sequence, as many as there should be; whatever happens, they end."""
    streams = [start_game(event_store)[0] for _ in range(10)]
    jobs: list[tuple[Any, tuple[Any, ...]]] = [
        (soak_worker.write, (database, f"w{number}", streams, directory / f"w{number}")) for number in range(WRITERS)
    ]
    jobs += [(soak_worker.sequence, (database,))] * SEQUENCERS
    running = [processes.Process(target=target, args=arguments) for target, arguments in jobs]
    try:
        for process in running:
            process.start()
        yield list(zip(running, jobs, strict=True))
    finally:
        for child in multiprocessing.active_children():
            child.kill()
            child.join()


def test_nothing_is_lost_doubled_or_out_of_order(
    event_store: PostgresStore, database: str, postgres_server: EmbeddedPostgres, tmp_path: Path
) -> None:
    follower, pause, source = Follower(database), threading.Event(), random.Random(1)
    follower.start()
    with psycopg.connect(postgres_server.url()) as idle, connect(database) as silent:
        idle.execute("SELECT pg_current_xact_id()")  # a write transaction left open in another database
        with workers(event_store, database, tmp_path) as running:
            for kill in range(KILLS):
                pause.wait(BETWEEN_KILLS)
                victim = source.randrange(len(running))
                running[victim] = replace(*running[victim])
                if kill % SILENT == 0:
                    silent.execute("SELECT sequence(1)")
        while silent.execute("SELECT 1 FROM outbox LIMIT 1").fetchone():
            sequence_once(silent)
        while len(follower.entries) < log_size(silent):
            pause.wait(0.05)
        follower.stop.set()
        follower.join()
        stored = silent.execute("SELECT stream, body FROM events ORDER BY stream, seq").fetchall()
        rows = [(stream, unpack_body(bytes(body))) for stream, body in stored]
    judge(follower.entries, rows, tmp_path)


def replace(process: Any, job: tuple[Any, tuple[Any, ...]]) -> tuple[Any, tuple[Any, tuple[Any, ...]]]:
    """Kill a process and start its like."""
    process.kill()
    process.join()
    target, arguments = job
    successor = processes.Process(target=target, args=arguments)
    successor.start()
    return successor, job


def judge(entries: list[LoggedEvent], rows: list[Any], directory: Path) -> None:
    """All that was promised."""
    assert [entry.idx for entry in entries] == list(range(len(rows)))
    for stream in {stream for stream, _ in rows}:
        chain = check(body for owner, body in rows if owner == stream)
        assert tuple(entry.event for entry in entries if entry.event.stream == stream) == chain
    made = Counter(str(entry.event.data.get("move")) for entry in entries)
    acknowledged = [text for file in directory.iterdir() for text in file.read_text().split()]
    assert [text for text in acknowledged if made[text] != 1] == []
    assert [text for text, times in made.items() if times > 1 and text != "None"] == []
    assert len(acknowledged) > KILLS, "the writers got to write"
