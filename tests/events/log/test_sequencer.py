"""The log's index: dense, each event once, order kept inside every stream, whoever commits late or dies."""

import threading
from uuid import UUID

import psycopg
from psycopg import Connection

from deploy.local.stores import EmbeddedPostgres
from events.event import leaf_entry
from events.log.follow import read_log
from events.log.leaves import log_size
from events.log.sequencer import sequence_once
from events.merkle.tree import leaf_hash
from events.store.connections import connect
from events.store.postgres import PostgresStore, write
from tests.support.events.examples import a_game, next_move, start_game

LOG = "SELECT idx, stream, seq, hash, leaf FROM log ORDER BY idx"


def places(connection: Connection) -> list[tuple[UUID, int]]:
    """Which event stands at each number."""
    return [(entry.event.stream, entry.event.seq) for entry in read_log(connection, 0)]


def test_waiting_events_get_the_next_numbers_in_the_order_of_their_stream(
    event_store: PostgresStore, service: Connection
) -> None:
    first, _ = start_game(event_store, moves=2)
    second, _ = start_game(event_store, moves=1)
    assert log_size(service) == 0
    assert sequence_once(service) == 5
    assert sequence_once(service) == 0
    assert places(service) == [(first, 1), (first, 2), (first, 3), (second, 1), (second, 2)]
    assert log_size(service) == 5


def test_a_batch_leaves_the_rest_for_the_next(event_store: PostgresStore, service: Connection) -> None:
    stream, _ = start_game(event_store, moves=6)
    assert [sequence_once(service, most=3) for _ in range(4)] == [3, 3, 1, 0]
    assert places(service) == [(stream, seq) for seq in range(1, 8)]


def test_every_leaf_is_the_merkle_hash_of_its_entry(event_store: PostgresStore, service: Connection) -> None:
    start_game(event_store, moves=3)
    sequence_once(service)
    rows = service.execute(LOG).fetchall()
    assert [idx for idx, *_ in rows] == [0, 1, 2, 3]
    for _, stream, seq, event_hash, leaf in rows:
        assert leaf == leaf_hash(leaf_entry(stream, seq, event_hash))


def test_who_commits_late_is_numbered_late_and_never_lost(
    event_store: PostgresStore, service: Connection, database: str
) -> None:
    """Three connections: one holds its append open, one commits a later one, one sequences and follows."""
    early, late = a_game(0), a_game(0)
    with connect(database) as slow:
        slow.execute("BEGIN")
        write(slow, early, None, b"", ())
        event_store.append(late[0].stream, 0, late)
        assert sequence_once(service) == 1
        assert places(service) == [(late[0].stream, 1)]
        next_idx = log_size(service)
        slow.execute("COMMIT")
    assert sequence_once(service) == 1
    assert [entry.event.stream for entry in read_log(service, next_idx)] == [early[0].stream]


def test_an_append_rolled_back_leaves_no_gap(event_store: PostgresStore, service: Connection, database: str) -> None:
    with connect(database) as doomed:
        doomed.execute("BEGIN")
        write(doomed, a_game(3), None, b"", ())
        doomed.execute("ROLLBACK")
    stream, _ = start_game(event_store, moves=1)
    assert sequence_once(service) == 2
    assert [(entry.idx, entry.event.stream) for entry in read_log(service, 0)] == [(0, stream), (1, stream)]


def test_while_one_sequences_another_waits_for_nothing(
    event_store: PostgresStore, service: Connection, database: str
) -> None:
    start_game(event_store, moves=1)
    with connect(database) as leader:
        leader.execute("BEGIN")
        assert leader.execute("SELECT sequence(1)").fetchone() == (1,)
        assert sequence_once(service) == 0
        leader.execute("COMMIT")
    assert sequence_once(service) == 1
    assert [entry.idx for entry in read_log(service, 0)] == [0, 1]


def test_a_sequencer_that_dies_at_work_leaves_everything_to_the_next(
    event_store: PostgresStore, service: Connection, database: str
) -> None:
    stream, _ = start_game(event_store, moves=1)
    with connect(database) as leader:
        leader.execute("BEGIN")
        leader.execute("SELECT sequence(1000)")
        leader.close()
    while sequence_once(service) == 0:  # until the server has noticed
        assert places(service) == []
    assert places(service) == [(stream, 1), (stream, 2)]


def test_an_open_transaction_in_another_database_hides_nothing(
    event_store: PostgresStore, service: Connection, postgres_server: EmbeddedPostgres
) -> None:
    with psycopg.connect(postgres_server.url()) as elsewhere:
        elsewhere.execute("SELECT pg_current_xact_id()")
        start_game(event_store, moves=1)
        assert sequence_once(service) == 2


def test_the_service_takes_nothing_out_of_the_outbox_but_into_the_log(service: Connection) -> None:
    for statement in ("DELETE FROM outbox", "UPDATE outbox SET seq = 1", "INSERT INTO log VALUES (0, NULL, 1, '', '')"):
        try:
            service.execute(statement.encode())
        except psycopg.errors.InsufficientPrivilege:
            continue
        raise AssertionError(f"the service may: {statement}")


def test_two_running_sequencers_number_what_several_threads_write(event_store: PostgresStore, database: str) -> None:
    stop = threading.Event()

    def sequence() -> None:
        with connect(database) as connection:
            while not stop.is_set():
                sequence_once(connection, most=10)
                stop.wait(0.002)

    sequencers = [threading.Thread(target=sequence) for _ in range(2)]

    def play() -> None:
        stream, head = start_game(event_store)
        for _ in range(20):
            events = next_move(stream, head)
            event_store.append(stream, head.seq, events)
            head = events[-1].head

    writers = [threading.Thread(target=play) for _ in range(4)]
    for thread in sequencers + writers:
        thread.start()
    for thread in writers:
        thread.join()
    with connect(database) as reader:
        while log_size(reader) < 4 * 21:
            stop.wait(0.01)
        stop.set()
        entries = read_log(reader, 0)
    for thread in sequencers:
        thread.join()
    assert [entry.idx for entry in entries] == list(range(84))
    for stream in {entry.event.stream for entry in entries}:
        assert [entry.event.seq for entry in entries if entry.event.stream == stream] == list(range(1, 22))
