"""Old checkpoints are thinned out to one an hour; what a bundle or a witness names stays."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from psycopg import Connection, errors

from events.event import EventDraft
from events.json_types import JsonObject
from events.log.bundle import DATED
from events.log.integrity import Audit
from events.log.old_checkpoints import Thinned, thin_checkpoints
from events.log.publisher import Publisher
from events.log.sealer import newest_seal, open_origin, seal
from events.log.tile_files import TileFiles
from events.merkle.notes import SigningKey
from events.merkle.tree import consistency_proof
from events.store.connections import connect
from tests.support.events.filled_store import aborted, ignoring_guards, record, resigned, stream_of

ORIGIN = "cabildo.example/log"
KEY = SigningKey.from_seed(ORIGIN, b"\x07" * 32)
EACH_HOUR, HOURS = 4, 30
NEWEST = EACH_HOUR * HOURS


def sizes(connection: Connection) -> list[int]:
    return [size for (size,) in connection.execute("SELECT size FROM checkpoints ORDER BY size")]


def grow(connection: Connection, files: TileFiles, number: int, last: EventDraft | None = None) -> None:
    """Seals and publishes one more event, or two with a given last one."""
    record(connection, stream_of(number), 1 if last is None else 2, last=last)
    seal(connection, ORIGIN, [KEY])
    Publisher(ORIGIN, files).publish(connection)


def age(url: str) -> None:
    """Dates the checkpoints back: four in each of the last thirty hours."""
    hour = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    with ignoring_guards(url) as administrator:
        for size in range(NEWEST + 1):
            place, quarter = divmod(max(size - 1, 0), EACH_HOUR)
            at = hour - timedelta(hours=HOURS - place) + timedelta(minutes=10 * quarter)
            administrator.execute("UPDATE checkpoints SET at = %s WHERE size = %s", (at, size))


@pytest.fixture
def files(tmp_path: Path) -> TileFiles:
    return TileFiles(tmp_path / "log")


@pytest.fixture
def connection(database: str, files: TileFiles) -> Iterator[Connection]:
    with connect(database) as connection:
        open_origin(connection, ORIGIN, "the first")
        seal(connection, ORIGIN, [KEY])
        yield connection


def test_one_checkpoint_an_hour_stays_and_all_of_the_last_day(
    connection: Connection, files: TileFiles, database: str
) -> None:
    for number in range(NEWEST):
        grow(connection, files, number)
    age(database)
    passed = thin_checkpoints(connection, ORIGIN, NEWEST, -1)
    left = sizes(connection)
    thinned = [size for size in left if size <= 5 * EACH_HOUR]  # certainly older than a day
    assert thinned == [0, *range(EACH_HOUR, 5 * EACH_HOUR + 1, EACH_HOUR)]
    assert left[-23 * EACH_HOUR :] == [*range(NEWEST - 23 * EACH_HOUR + 1, NEWEST + 1)]
    assert passed.removed == NEWEST + 1 - len(left)
    assert thin_checkpoints(connection, ORIGIN, NEWEST, passed.examined or 0) == Thinned(None, 0)
    tree = Publisher(ORIGIN, files).tree(NEWEST)
    assert consistency_proof(2, NEWEST, tree.node)  # of a size whose checkpoint is gone
    audit = Audit(connection, ORIGIN, files, [KEY.verifier])
    assert [fault for step in audit.run() for fault in step.faults] == []


def test_checkpoints_that_bundles_and_witnesses_name_stay(
    connection: Connection, files: TileFiles, database: str
) -> None:
    for number in range(NEWEST - 2):
        newest = newest_seal(connection, ORIGIN)
        assert newest is not None
        grow(connection, files, number, {6: flagged(newest.size, newest.root), 8: aborted()}.get(number))
    connection.execute("INSERT INTO cosignatures (origin, size, witness, line) VALUES (%s, 14, 'w', 'w')", (ORIGIN,))
    age(database)
    thin_checkpoints(connection, ORIGIN, NEWEST, -1)
    assert {6, 11, 14} <= set(sizes(connection))  # the tree of an event, the end of a game, a witness
    assert not {5, 9, 13, 15} & set(sizes(connection))


def flagged(size: int, root: bytes) -> EventDraft:
    """An event that names the newest public tree."""
    fallen = resigned()
    data: JsonObject = {"seat": 0, "deadline": 1, "consequence": "bot", "after": {"size": size, "root": root.hex()}}
    return EventDraft("flag_fell", data, fallen.actor, fallen.at, fallen.rules)


def test_batches_and_one_pass_remove_the_same(connection: Connection, files: TileFiles, database: str) -> None:
    for number in range(NEWEST):
        grow(connection, files, number)
    age(database)
    after: int | None = -1
    while after is not None:
        before, (after, _) = after, thin_checkpoints(connection, ORIGIN, NEWEST, after, most=3)
        assert after is None or after > before
    assert [size for size in sizes(connection) if size <= 5 * EACH_HOUR] == [0, 4, 8, 12, 16, 20]


def test_nothing_that_was_not_public_for_long_is_removed(
    connection: Connection, files: TileFiles, database: str
) -> None:
    for number in range(NEWEST):
        grow(connection, files, number)
    age(database)
    assert thin_checkpoints(connection, ORIGIN, 0, -1) == Thinned(None, 0)
    assert len(sizes(connection)) == NEWEST + 1


def test_checkpoints_are_deleted_in_no_other_way(connection: Connection, database: str) -> None:
    with pytest.raises(errors.InsufficientPrivilege):
        connection.execute("DELETE FROM checkpoints")
    with psycopg.connect(database) as superuser, pytest.raises(psycopg.Error, match="append-only"):
        superuser.execute("DELETE FROM checkpoints")


def test_every_dated_kind_is_known_to_the_function(connection: Connection) -> None:
    row = connection.execute("SELECT prosrc FROM pg_proc WHERE proname = 'thin_checkpoints'").fetchone()
    assert row is not None
    assert [kind for kind in DATED if f"'{kind}'" not in row[0]] == []
