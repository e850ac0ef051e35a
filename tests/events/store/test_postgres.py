"""What only PostgreSQL can show: one transaction for all that belongs together, races, cut wires, query plans."""

import json
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, LiteralString

import psycopg
import pytest
from psycopg import Connection
from psycopg_pool import ConnectionPool

from events.body_packing import unpack_body
from events.chain import check, link
from events.cold import log_entries
from events.errors import KeyReused, OutcomeUnknown, StaleVersion, StoreAway
from events.event import START
from events.event_digest import digest
from events.log import leaves, sealer, sequencer
from events.log.sequencer import sequence_once
from events.store import lookups, postgres
from events.store.connections import PoolLimits, open_pool
from events.store.postgres import PostgresStore
from events.store.protocol import Appended, request_key
from events.store.statements import Statement
from tests.support.events.cut_connection import Wire, wire
from tests.support.events.examples import a_game, a_stream, move, next_move, start_game

NOTE: LiteralString = "INSERT INTO texts (stream, hash, salt, text) VALUES (%s, %s, %s, %s)"
NOTES: LiteralString = "SELECT count(*) FROM texts"


def count(connection: Connection, query: LiteralString) -> int:
    row = connection.execute(query).fetchone()
    assert row is not None
    return int(row[0])


def test_what_belongs_to_an_event_is_written_with_it(event_store: PostgresStore, service: Connection) -> None:
    events = a_game(0)
    note = Statement(NOTE, (events[0].stream, b"hash", b"salt", "text"))
    event_store.append(events[0].stream, 0, events, also=[note])
    assert count(service, NOTES) == 1


@pytest.mark.parametrize(
    "broken",
    [
        Statement(NOTE, (None, b"", b"", "a row that the database refuses")),
        Statement(NOTE, (a_stream(), b"", b"", object())),  # refused before it is sent
        Statement("SELECT 1/0"),
        Statement("SELEC"),
    ],
    ids=["refused row", "refused parameter", "failure", "no SQL"],
)
def test_when_what_belongs_to_an_event_cannot_be_written_nothing_is(
    broken: Statement, event_store: PostgresStore, service: Connection
) -> None:
    events = a_game(0)
    stream = events[0].stream
    good = Statement(NOTE, (stream, b"hash", b"salt", "text"))
    key = request_key("player-1", "key-1", b"")
    for also in ([broken], [good, broken], [broken, good]):
        with pytest.raises(psycopg.Error):
            event_store.append(stream, 0, events, key=key, also=also)
        assert (event_store.head(stream), event_store.answered(key), count(service, NOTES)) == (START, None, 0)
    assert count(service, "SELECT count(*) FROM outbox") == 0
    event_store.append(stream, 0, events, key=key, also=[good])
    assert (event_store.head(stream).seq, count(service, NOTES)) == (1, 1)


def test_a_repeated_request_writes_nothing_beside_either(event_store: PostgresStore, service: Connection) -> None:
    stream, head = start_game(event_store)
    key = request_key("player-1", "key-1", b"pass")
    for number in range(3):
        note = Statement(NOTE, (stream, bytes([number]), b"salt", "text"))
        event_store.append(stream, 1, next_move(stream, head), key=key, also=[note])
    assert count(service, NOTES) == 1


def test_a_conflict_is_an_answer_and_nothing_to_warn_of(
    event_store: PostgresStore, caplog: pytest.LogCaptureFixture
) -> None:
    stream, head = start_game(event_store)
    event_store.append(stream, 1, next_move(stream, head))
    for number in range(3):
        note = Statement(NOTE, (stream, bytes([number]), b"salt", "text"))
        with pytest.raises(StaleVersion):
            event_store.append(
                stream, 1, next_move(stream, head), key=request_key("p", str(number), b""), also=[note] * 5
            )
    assert caplog.record_tuples == []


def test_of_many_writers_at_once_one_wins_and_each_other_is_told(event_store: PostgresStore) -> None:
    stream, head = start_game(event_store)
    start = threading.Barrier(8)
    stale: list[StaleVersion] = []

    def write() -> None:
        events = next_move(stream, head)
        start.wait()
        try:
            event_store.append(stream, 1, events)
        except StaleVersion as refusal:
            stale.append(refusal)

    in_parallel(write, 8)
    assert len(stale) == 7
    assert {(refusal.version, refusal.head) for refusal in stale} == {tuple(event_store.head(stream))}


def test_one_request_sent_many_times_at_once_is_done_once(event_store: PostgresStore) -> None:
    stream, head = start_game(event_store)
    key = request_key("player-1", "key-1", b"pass")
    start = threading.Barrier(8)
    ends: list[Appended] = []

    def write() -> None:
        events = next_move(stream, head)
        start.wait()
        ends.append(event_store.append(stream, 1, events, key=key, answer=events[0].hash))

    in_parallel(write, 8)
    assert {end.answer for end in ends} == {event_store.head(stream).hash}
    assert [end.repeated for end in ends].count(False) == 1


def test_one_key_used_for_two_requests_at_once_serves_one(event_store: PostgresStore) -> None:
    games = [start_game(event_store) for _ in range(2)]
    start = threading.Barrier(2)
    reused: list[KeyReused] = []

    def write(number: int) -> None:
        stream, head = games[number]
        start.wait()
        try:
            event_store.append(stream, 1, next_move(stream, head), key=request_key("p", "key-1", bytes([number])))
        except KeyReused as refusal:
            reused.append(refusal)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(2)]
    run(threads)
    assert len(reused) == 1
    assert sorted(event_store.head(stream).seq for stream, _ in games) == [1, 2]


def in_parallel(work: Any, times: int) -> None:
    run([threading.Thread(target=work) for _ in range(times)])


def run(threads: list[threading.Thread]) -> None:
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.fixture
def cut_wire(database: str) -> Iterator[tuple[Wire, ConnectionPool[Connection]]]:
    """Connections that lead over a wire which can be cut."""
    directories = tempfile.TemporaryDirectory(prefix="wire-")
    with directories as directory, wire(database, Path(directory)) as (between, url), open_pool(url, size=1) as pool:
        yield between, pool


def test_a_lost_acknowledgement_ends_in_exactly_one_event(
    event_store: PostgresStore, cut_wire: tuple[Wire, ConnectionPool[Connection]]
) -> None:
    """The server commits, the wire is cut before the client hears of it, the client asks again with its key."""
    between, pool = cut_wire
    remote = PostgresStore(pool)
    stream, head = start_game(remote)
    first = next_move(stream, head)
    remote.append(stream, 1, first, key=request_key("player-1", "key-0", b""))  # now the server knows the statement
    key, second = request_key("player-1", "key-1", b"pass"), next_move(stream, first[0].head)
    between.swallow_answers.set()
    with pytest.raises(OutcomeUnknown):
        remote.append(stream, 2, second, key=key, answer=b"done")
    assert between.swallowed.is_set()
    between.swallow_answers.clear()
    assert remote.append(stream, 2, second, key=key, answer=b"again") == Appended(b"done", repeated=True)
    assert event_store.head(stream) == second[0].head


def test_a_server_that_is_away_is_said_to_be_away() -> None:
    with open_pool("postgresql://postgres@/none?host=%2Fnowhere", limits=PoolLimits(wait=0.1)) as pool:
        event_store = PostgresStore(pool)
        with pytest.raises(StoreAway):
            event_store.head(a_stream())
        events = a_game(0)
        with pytest.raises(StoreAway):
            event_store.append(events[0].stream, 0, events)


def test_pool_replaces_connections_closed_by_the_server(event_store: PostgresStore, database: str) -> None:
    stream, head = start_game(event_store)
    with psycopg.connect(database, autocommit=True) as admin:
        admin.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
    event_store.append(stream, 1, next_move(stream, head))
    assert event_store.head(stream).seq == 2


def test_a_long_stream_is_read_through_a_cursor_of_the_server(event_store: PostgresStore, database: str) -> None:
    stream, head = start_game(event_store)
    for _ in range(3):
        events = link(stream, head, [move()] * 1_000)
        event_store.append(stream, head.seq, events)
        head = events[-1].head
    with closing(event_store.read(stream)) as reading, psycopg.connect(database) as admin:
        first = next(reading)
        assert count(admin, "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'FETCH%'") == 1
        rest = list(reading)
    assert [event.seq for event in (first, *rest)] == list(range(1, 3_002))
    assert check(event.body for event in (first, *rest))[-1].head == head


def test_a_reader_who_leaves_early_leaves_nothing_open(event_store: PostgresStore) -> None:
    stream, _ = start_game(event_store, moves=5)
    for _ in range(20):
        assert next(event_store.read(stream)).seq == 1
    assert event_store.head(stream).seq == 6


def test_stored_bytes_hash_to_the_stored_hash(event_store: PostgresStore, service: Connection) -> None:
    stream, _ = start_game(event_store, moves=3)
    rows = service.execute("SELECT seq, kind, at, body, hash FROM events WHERE stream = %s ORDER BY seq", (stream,))
    for seq, kind, at, packed, event_hash in rows.fetchall():
        body = unpack_body(packed)
        document = json.loads(body)
        assert (document["seq"], document["kind"], document["at"]) == (seq, kind, at)
        assert digest(body) == event_hash


def test_events_can_be_searched_as_documents(event_store: PostgresStore, service: Connection) -> None:
    start_game(event_store, moves=2)
    rows = service.execute(
        "SELECT seq, kind, extract(year FROM at)::integer, document #>> '{data,game}' FROM event_documents ORDER BY seq"
    ).fetchall()
    assert rows == [(1, "game_created", 2026, "puerto_rico"), (2, "moved", 2026, None), (3, "moved", 2026, None)]


HOT: dict[LiteralString, tuple[object, ...]] = {
    postgres.HEAD: (a_stream(),),
    postgres.PAGE: (a_stream(), 5, 100),
    postgres.ANSWER: (a_stream(), "player-1", "key-1"),
    log_entries.PAGE: (0, 100),
    lookups.FIND: ([a_stream()], [1]),
    leaves.SIZE: (),
    leaves.HASHES: (0, 100),
    leaves.PAGE: (0, 100),
    sequencer.OLDEST: (),
    sealer.STANDING: (),
}


def test_the_queries_of_every_request_and_of_the_keeper_never_scan_a_table(
    event_store: PostgresStore, service: Connection
) -> None:
    stream, head = start_game(event_store)
    for _ in range(5):
        events = link(stream, head, [move()] * 500)
        event_store.append(stream, head.seq, events, key=request_key("p", str(head.seq), b""))
        head = events[-1].head
    sequence_once(service, 10_000)
    service.execute("SET plan_cache_mode = force_generic_plan")
    service.execute("SET enable_seqscan = off")  # these tables are small; the planner only has to know an index scan
    plans = {
        query: "\n".join(row[0] for row in service.execute(b"EXPLAIN " + query.encode(), values))
        for query, values in HOT.items()
    }
    assert [query for query, plan in plans.items() if "Seq Scan" in plan or "Index" not in plan] == []
