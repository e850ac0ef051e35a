"""Rebuilds: into the shadow, compared, switched at one stroke, while moves go on and the live one serves."""

import threading
from collections.abc import Iterator, Sequence

import psycopg
import pytest
from psycopg import Connection

from events.log.follow import LoggedEvent
from events.log.sequencer import sequence_once
from events.store.connections import connect, open_pool
from events.store.postgres import PostgresStore
from projections.read_models.errors import LeaseLost, ProjectionDiffers, ProjectionParked
from projections.read_models.projector import advance, statuses
from projections.read_models.rebuild import content, rebuild
from projections.read_models.streams import Streams
from tests.support.events.examples import next_move, start_game
from tests.support.projections.kind_counter import TABLE, Tally, tallies


@pytest.fixture
def event_store(database: str) -> Iterator[PostgresStore]:
    """An empty event store, and the table of the tally."""
    with psycopg.connect(database, autocommit=True) as admin:
        admin.execute(TABLE.encode())
    with open_pool(database) as pool:
        yield PostgresStore(pool)


@pytest.fixture
def service(database: str, event_store: PostgresStore) -> Iterator[Connection]:
    """A connection in the service's role, three games in."""
    with connect(database) as connection:
        for moves in (2, 0, 5):
            start_game(event_store, moves)
        sequence_once(connection)
        yield connection


def quietly(_done: int, _total: int) -> None:
    """Ignores the progress."""


def test_a_rebuild_of_what_is_right_gives_the_same_and_serves_on(service: Connection) -> None:
    advance(service, Tally())
    seen: list[tuple[int, int]] = []
    done = rebuild(service, Tally(), lambda *progress: seen.append(progress))
    assert (done.entries, done.compared, seen) == (10, True, [(10, 10)])
    assert done.content == content(service, "tally", "public")
    assert tallies(service) == {"game_created": 3, "moved": 7}
    assert [(status.name, status.shadow, status.next_idx) for status in statuses(service)] == [("tally", False, 10)]


def test_a_rebuilt_projection_follows_on(event_store: PostgresStore, service: Connection) -> None:
    for _ in range(2):
        rebuild(service, Tally(), quietly)
        start_game(event_store)
        sequence_once(service)
        assert advance(service, Tally()) == 1
    assert tallies(service) == {"game_created": 5, "moved": 7}


def test_a_live_one_that_lags_is_brought_level_before_it_is_compared(service: Connection) -> None:
    advance(service, Tally(), most=4)
    assert rebuild(service, Tally(), quietly).compared


def test_a_difference_is_refused_until_it_is_accepted(service: Connection) -> None:
    advance(service, Tally())
    service.execute("UPDATE tallies SET times = 99 WHERE kind = 'moved'")
    with pytest.raises(ProjectionDiffers) as refusal:
        rebuild(service, Tally(), quietly)
    assert refusal.value.live == content(service, "tally", "public") != refusal.value.rebuilt
    assert tallies(service)["moved"] == 99
    assert not rebuild(service, Tally(), quietly, accept=True).compared
    assert tallies(service)["moved"] == 7


def test_a_new_version_replaces_the_old_one(service: Connection) -> None:
    class Twice(Tally):
        def apply(self, connection: Connection, entries: Sequence[LoggedEvent]) -> None:
            super().apply(connection, entries)
            super().apply(connection, entries)

    advance(service, Tally(version=1))
    assert not rebuild(service, Twice(version=2), quietly).compared
    assert tallies(service) == {"game_created": 6, "moved": 14}
    assert [status.version for status in statuses(service)] == [2]


def test_a_parked_projection_is_replaced_by_a_rebuild(service: Connection) -> None:
    advance(service, Tally(poison=3))
    rebuild(service, Tally(), quietly)
    assert [status.poison for status in statuses(service)] == [None]
    assert sum(tallies(service).values()) == 10


def test_poison_during_a_rebuild_leaves_the_live_one_alone(service: Connection) -> None:
    advance(service, Tally())
    with pytest.raises(ProjectionParked, match="entry 6: ValueError") as refusal:
        rebuild(service, Tally(poison=6), quietly)
    assert refusal.value.idx == 6
    assert tallies(service) == {"game_created": 3, "moved": 7}
    assert [(status.shadow, status.poison is None) for status in statuses(service)] == [(False, True), (True, False)]


def test_of_two_rebuilds_the_older_stops(service: Connection, database: str) -> None:
    def begin_another(_done: int, _total: int) -> None:
        with connect(database) as other:
            rebuild(other, Tally(), quietly)

    with pytest.raises(LeaseLost):
        rebuild(service, Tally(), begin_another)
    assert sum(tallies(service).values()) == 10


def test_a_rebuild_that_died_is_simply_begun_again(service: Connection, database: str) -> None:
    class Died(Exception):
        pass

    def die(_done: int, _total: int) -> None:
        raise Died

    with connect(database) as doomed, pytest.raises(Died):
        rebuild(doomed, Tally(), die)
    rebuild(service, Tally(), quietly)
    assert sum(tallies(service).values()) == 10


def test_moves_are_accepted_and_the_live_one_serves_during_a_rebuild(
    event_store: PostgresStore, service: Connection, database: str
) -> None:
    stop = threading.Event()
    advance(service, Streams())

    def play() -> None:
        stream, head = start_game(event_store)
        with connect(database) as connection:
            while not stop.is_set():
                events = next_move(stream, head)
                event_store.append(stream, head.seq, events)
                head = events[-1].head
                sequence_once(connection)
                advance(connection, Streams())

    player = threading.Thread(target=play)
    player.start()
    try:
        for _ in range(5):
            served = service.execute("SELECT sum(version) FROM streams").fetchone()
            done = rebuild(service, Streams(), quietly)
            assert done.compared
            assert served is not None
            assert served[0] <= done.entries
    finally:
        stop.set()
        player.join()
    while advance(service, Streams()):
        pass
    versions = service.execute("SELECT sum(version) FROM streams").fetchone()
    assert versions == service.execute("SELECT count(*) FROM events").fetchone()


def test_the_service_switches_nothing_but_projections(service: Connection) -> None:
    service.execute("SELECT begin_shadow('events'), switch_to_shadow('events')")
    assert service.execute("SELECT to_regclass('events') IS NOT NULL, to_regclass('shadow.events')").fetchone() == (
        True,
        None,
    )
    for statement in ("DROP TABLE tallies", "INSERT INTO projection_tables VALUES ('x', 'events')"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            service.execute(statement.encode())
