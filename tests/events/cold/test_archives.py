"""Archives of finished streams: verified before anything is removed, read as before, restored; no crash loses any."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import Connection
from psycopg_pool import ConnectionPool

from events.chain import link
from events.cold import catalogue, move_out, reader
from events.cold.archive_files import CannotArchive, WrittenArchive, verify_archive, write_archive
from events.cold.log_entries import stored_entries
from events.cold.stream_files import ColdFileDamaged, pack_streams, unpack_streams
from events.errors import StaleVersion, StreamArchived
from events.event import START, Event
from events.files import places
from events.log.bundle_builder import bundle_of
from events.log.follow import read_log
from events.log.leaves import log_size
from events.store.guards import missing_guards
from events.store.postgres import PostgresStore, head, read, read_following
from tests.support.events.filled_store import created, record, resigned
from tests.support.service.object_server import ACCESS_KEY, BUCKET, REGION, SECRET_KEY, object_server

LONG_AGO = 0x0190_0000_0000 << 80  # milliseconds in July 2024
FOLDER = "2024-07/1"
ROWS = "SELECT stream, seq, kind, at, hash, body FROM events ORDER BY stream, seq"


@pytest.fixture
def owner(database: str) -> Iterator[Connection]:
    """A connection with the rights of the owner of the tables."""
    reader._REMEMBERED.forget()
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("SET ROLE cabildo_owner")
        yield connection


@pytest.fixture
def games(service: Connection) -> list[list[Event]]:
    """The events of three games of one month."""
    return [record(service, UUID(int=LONG_AGO + number), 4 + number) for number in range(3)]


def written(owner: Connection, place: Path | str, games: Sequence[Sequence[Event]]) -> WrittenArchive:
    """A verified archive of games."""
    archive = write_archive(owner, str(place), FOLDER, "2024-07", [events[0].stream for events in games])
    verify_archive(owner, archive)
    return archive


def in_database(connection: Connection) -> set[UUID]:
    return {stream for (stream,) in connection.execute("SELECT DISTINCT stream FROM events")}


def test_archived_streams_are_read_as_before(
    owner: Connection, service: Connection, games: list[list[Event]], tmp_path: Path
) -> None:
    before = everything_read(service, games)
    number = move_out.move_out(owner, written(owner, tmp_path, games[:2]))
    assert in_database(owner) == {games[2][0].stream}
    assert everything_read(service, games) == before
    assert missing_guards(service) == ()
    assert [one.number for one in catalogue.archives(service)] == [number]


def everything_read(connection: Connection, games: list[list[Event]]) -> list[Any]:
    """All that readers get of these games."""
    streams = [events[0].stream for events in games]
    return [
        [[*read(connection, stream)] for stream in streams],
        [[*read(connection, stream, 2, 1)] for stream in streams],
        [head(connection, stream) for stream in streams],
        [read_following(connection, stream, START, 2) for stream in streams],
        [read_following(connection, events[0].stream, events[1].head, 9) for events in games],
        [read_following(connection, events[0].stream, events[1].head._replace(hash=bytes(32)), 9) for events in games],
        read_log(connection, 0),
        stored_entries(connection, 2, 9),
        [bundle_of(connection, stream, 3, None) for stream in streams],
    ]


def test_nothing_is_added_to_an_archived_stream(
    owner: Connection, pool: ConnectionPool[Connection], games: list[list[Event]], tmp_path: Path
) -> None:
    move_out.move_out(owner, written(owner, tmp_path, games[:1]))
    store, events, stream = PostgresStore(pool), games[0], games[0][0].stream
    with pytest.raises(StreamArchived):
        store.append(stream, len(events), link(stream, events[-1].head, [resigned()]))
    with pytest.raises(StaleVersion):
        store.append(stream, 2, link(stream, events[1].head, [resigned()]))
    with pytest.raises(StaleVersion):
        store.append(stream, 0, link(stream, START, [created()]))
    store.note(stream, events[-1].head, [])
    with pytest.raises(StaleVersion):
        store.note(stream, events[0].head, [])
    assert stream not in in_database(owner)


def test_a_restored_archive_is_in_the_database_byte_for_byte(
    owner: Connection, pool: ConnectionPool[Connection], games: list[list[Event]], tmp_path: Path
) -> None:
    rows = owner.execute(ROWS).fetchall()
    for _ in range(2):  # and may leave once more
        number = move_out.move_out(owner, written(owner, tmp_path, games))
        catalogue.restore(owner, catalogue.archive_numbered(owner, number))
        assert owner.execute(ROWS).fetchall() == rows
        assert catalogue.archives(owner) == []
    stream = games[0][0].stream
    PostgresStore(pool).append(stream, 4, link(stream, games[0][-1].head, [resigned()]))
    with pytest.raises(catalogue.NoSuchArchive):
        catalogue.archive_numbered(owner, number)


def test_an_event_that_comes_before_the_exchange_stops_it(
    owner: Connection, service: Connection, pool: ConnectionPool[Connection], games: list[list[Event]], tmp_path: Path
) -> None:
    archive = written(owner, tmp_path, games)
    stream = games[1][0].stream
    PostgresStore(pool).append(stream, 5, link(stream, games[1][-1].head, [resigned()]))
    with pytest.raises(CannotArchive, match="meanwhile"):
        move_out.move_out(owner, archive)
    assert len(in_database(owner)) == 3
    assert catalogue.archives(owner) == []
    with pytest.raises(CannotArchive, match="is not the one that the log names"):  # it has no place in the log yet
        write_archive(owner, str(tmp_path), "again", "2024-07", [stream])


def test_a_long_query_stops_the_exchange(
    owner: Connection, games: list[list[Event]], tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(move_out, "LOCK_TIMEOUT", "SET LOCAL lock_timeout = '20ms'")
    archive = written(owner, tmp_path, games)
    with psycopg.connect(database) as dump:
        dump.execute("SELECT count(*) FROM events")
        with pytest.raises(CannotArchive, match="long query"):
            move_out.move_out(owner, archive)
    assert catalogue.archives(owner) == []
    assert move_out.move_out(owner, archive) == 1


def test_late_events_of_streams_that_stay_are_kept(
    owner: Connection,
    pool: ConnectionPool[Connection],
    games: list[list[Event]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    archive, stream = written(owner, tmp_path, games[:2]), games[2][0].stream
    later = link(stream, games[2][-1].head, [resigned()])

    def lock_late(connection: Connection) -> None:
        PostgresStore(pool).append(stream, len(games[2]), later)
        connection.execute(move_out.LOCK)

    monkeypatch.setattr(move_out, "lock_events", lock_late)
    move_out.move_out(owner, archive)
    assert [*read(owner, stream)] == [*games[2], *later]


@pytest.mark.parametrize("place", ["before", "default", "hash"])
def test_streams_leave_every_kind_of_partition(
    owner: Connection, service: Connection, tmp_path: Path, place: str
) -> None:
    if place == "hash":
        owner.execute(HASHED.encode())
    first = 2**128 - 9 if place == "default" else LONG_AGO
    games = [record(service, UUID(int=first + number), 3) for number in range(3)]
    before = everything_read(service, games)
    move_out.move_out(owner, written(owner, tmp_path, games[1:]))
    assert in_database(owner) == {games[0][0].stream}
    assert everything_read(service, games) == before
    assert missing_guards(service) == ()
    assert owner.execute(move_out.DETACHED).fetchall() == []


# What an installation of an earlier version has: `events_before` is itself partitioned by a hash.
HASHED = """
SELECT set_config('cabildo.altering_acts', 'on', false);
DROP TABLE events_before;
CREATE TABLE events_before (LIKE events INCLUDING ALL) PARTITION BY HASH (stream);
CREATE TABLE events_0 PARTITION OF events_before FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE events_1 PARTITION OF events_before FOR VALUES WITH (MODULUS 2, REMAINDER 1);
ALTER TABLE events ATTACH PARTITION events_before
    FOR VALUES FROM (MINVALUE) TO ('01900100-0000-0000-0000-000000000000');
CALL guard('events');
"""


class Crash(Exception):
    """The process ends here."""


@pytest.mark.parametrize("point", ["before_commit", "before_drop"])
def test_a_crash_loses_nothing_and_the_next_run_goes_on(
    owner: Connection,
    service: Connection,
    games: list[list[Event]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    point: str,
) -> None:
    def crash() -> None:
        raise Crash

    before = everything_read(service, games)
    archive = written(owner, tmp_path, games[:2])
    with monkeypatch.context() as patched:
        patched.setattr(move_out, point, crash)
        with pytest.raises(Crash):
            move_out.move_out(owner, archive)
    assert everything_read(service, games) == before
    gone = point == "before_drop"
    assert len(catalogue.archives(owner)) == gone
    assert len(owner.execute(move_out.DETACHED).fetchall()) == gone
    move_out.drop_detached(owner)
    if not gone:  # the files of the first run are not in the way
        again = write_archive(owner, str(tmp_path), "another", "2024-07", [events[0].stream for events in games[:2]])
        move_out.move_out(owner, again)
    assert everything_read(service, games) == before
    assert owner.execute(move_out.DETACHED).fetchall() == []


@pytest.mark.parametrize("damage", ["flipped", "cut", "missing", "another"])
def test_a_damaged_file_is_named_and_never_served(
    owner: Connection, service: Connection, games: list[list[Event]], tmp_path: Path, damage: str
) -> None:
    archive = write_archive(owner, str(tmp_path), FOLDER, "2024-07", [events[0].stream for events in games])
    file = tmp_path / FOLDER / "000000.streams"
    whole = file.read_bytes()
    spoiled = {"flipped": whole[:99] + bytes([whole[99] ^ 1]) + whole[100:], "cut": whole[:-9], "another": b""}
    if damage == "missing":
        file.unlink()
    else:
        file.write_bytes(spoiled[damage])
    with pytest.raises(ColdFileDamaged, match=r"000000\.streams"):
        verify_archive(owner, archive)
    move_out.move_out(owner, archive)  # damaged after it was verified
    stream = games[0][0].stream
    with pytest.raises(ColdFileDamaged):
        [*read(service, stream)]
    with pytest.raises(ColdFileDamaged):
        read_log(service, 0)
    (found,) = catalogue.archives(owner)
    with pytest.raises(ColdFileDamaged):
        catalogue.restore(owner, found)
    assert catalogue.archives(owner) == [found]
    file.write_bytes(whole)
    assert catalogue.verify(owner, found) == sum(map(len, games)) == log_size(service)
    assert [*read(service, stream)] == games[0]


def test_files_may_be_in_a_bucket_and_move(
    owner: Connection, service: Connection, games: list[list[Event]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with object_server() as (url, _):
        for name, value in (("ENDPOINT_URL", url), ("ACCESS_KEY_ID", ACCESS_KEY), ("SECRET_ACCESS_KEY", SECRET_KEY)):
            monkeypatch.setenv(f"AWS_{name}", value)
        monkeypatch.setenv("AWS_REGION", REGION)
        places.open_bucket.cache_clear()
        number = move_out.move_out(owner, written(owner, f"s3://{BUCKET}/months", games))
        assert [*read(service, games[0][0].stream)] == games[0]
        one = catalogue.archive_numbered(owner, number)
        with pytest.raises(ColdFileDamaged):
            catalogue.move_place(owner, one, str(tmp_path))
        files = places.open_place(one.place)
        places.open_place(str(tmp_path)).keep_all((path, files.read(path) or b"") for path in files.paths(one.folder))
        catalogue.move_place(owner, one, str(tmp_path))
    reader._REMEMBERED.forget()
    assert [*read(service, games[1][0].stream)] == games[1]


def test_files_hold_streams_without_what_follows_from_the_rest(games: list[list[Event]]) -> None:
    streams = {events[0].stream: [event.body for event in events] for events in games}
    data = pack_streams(streams)
    opened = unpack_streams(data, "a file")
    assert {stream: [event.body for event in events] for stream, events in opened.items()} == streams
    assert [event.hash for event in opened[games[0][0].stream]] == [event.hash for event in games[0]]
    for wrong in (b"", data[:-1], b"x" + data, data[:40]):
        with pytest.raises(ColdFileDamaged):
            unpack_streams(wrong, "a file")


def test_what_is_remembered_is_bounded(
    owner: Connection, service: Connection, games: list[list[Event]], tmp_path: Path
) -> None:
    for number, events in enumerate(games):
        archive = write_archive(owner, str(tmp_path), str(number), "2024-07", [events[0].stream])
        move_out.move_out(owner, archive)
    files = [cold.file for cold in reader.find_cold(service, [events[0].stream for events in games]).values()]
    largest = max(sum(len(event.body) for event in events) for events in games)
    kept = reader.RememberedFiles(most=largest)
    for file in files:
        kept.streams(file)
        assert kept.size <= largest
    assert kept.streams(files[0]) is kept.streams(files[0])
