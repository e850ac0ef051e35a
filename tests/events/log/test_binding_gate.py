"""The gate binds every writer: the database itself refuses appends, sequencing and seals while it is shut."""

import shutil
from pathlib import Path

import psycopg
import pytest

from deploy.local.stores import EmbeddedPostgres
from events.chain import link
from events.errors import LogNotReconciled
from events.event import START
from events.log import signing_gate
from events.log.leaves import log_size
from events.log.reconciliation import SourceAnswers, reconcile
from events.log.sealer import SealingStopped, newest_seal, open_origin, seal
from events.log.sequencer import sequence_once
from events.log.signing_decision import Verdict
from events.merkle.notes import SigningKey
from events.store.connections import connect, open_pool
from events.store.migrations import migrate
from events.store.postgres import PostgresStore
from events.store.protocol import request_key
from events.store.statements import Statement
from tests.conftest import FAST, running
from tests.support.events.filled_store import created, record, resigned, stream_of

ORIGIN = "cabildo.example/log"
KEY = SigningKey.from_seed(ORIGIN, b"\x07" * 32)
NOTE = Statement("INSERT INTO outbox (stream, seq, hash) VALUES (%s, 1, '')", (stream_of(1),))
TABLES = ("events", "outbox", "log", "answers", "checkpoints")


def shut(url: str) -> None:
    with connect(url) as connection:
        signing_gate.set_gate(connection, is_open=False, reason="a test")


def rows(url: str) -> list[int]:
    """The number of rows of each table."""
    with psycopg.connect(url) as connection:
        found = [connection.execute(f"SELECT count(*) FROM {table}".encode()).fetchone() for table in TABLES]
    return [row[0] for row in found if row]


def test_a_shut_gate_refuses_appends_and_notes(database: str) -> None:
    shut(database)
    stream, key = stream_of(1), request_key("a player", "a key", b"a request")
    with open_pool(database) as pool:
        store = PostgresStore(pool)
        for used in (None, key):
            with pytest.raises(LogNotReconciled, match="cabildo log status"):
                store.append(stream, 0, link(stream, START, [created()]), key=used, answer=b"an answer")
        with pytest.raises(LogNotReconciled):
            store.append(stream, 0, link(stream, START, [created(), resigned()]))
        with pytest.raises(LogNotReconciled):
            store.note(
                stream, START, [Statement("INSERT INTO outbox (stream, seq, hash) VALUES (%s, 1, '')", (stream,))]
            )
    assert rows(database) == [0, 0, 0, 0, 0]


def test_a_gate_that_shuts_stops_a_sequencer_at_work(database: str) -> None:
    with connect(database) as connection, open_pool(database) as pool:
        for number in (1, 2):
            stream = stream_of(number)
            PostgresStore(pool).append(stream, 0, link(stream, START, [created()]))
        assert sequence_once(connection, 1) == 1
        shut(database)
        assert sequence_once(connection, 1) == 0
        assert log_size(connection) == 1


def test_a_gate_that_shuts_stops_a_sealer_at_work(database: str) -> None:
    with connect(database) as connection:
        open_origin(connection, ORIGIN, "the first")
        record(connection, stream_of(1), 2)
        assert seal(connection, ORIGIN, [KEY]).size == 2
        record(connection, stream_of(2), 2)
        shut(database)
        with pytest.raises(SealingStopped, match="the gate of this database is shut"):
            seal(connection, ORIGIN, [KEY])
        assert (found := newest_seal(connection, ORIGIN)) is not None
        assert found.size == 2


def test_a_gate_of_an_earlier_start_does_not_count(server_directory: Path) -> None:
    """A copied directory has the same system identifier and timeline, and so has a server that starts again."""
    first = EmbeddedPostgres(server_directory / "gate-a", FAST)
    copy = EmbeddedPostgres(server_directory / "gate-b", FAST)
    with running(first.prepare(), server_directory):
        with psycopg.connect(first.url(), autocommit=True) as administrator:
            migrate(administrator)
        with connect(first.url()) as connection:
            assert not signing_gate.is_open(connection)
            signing_gate.set_gate(connection, is_open=True, reason="reconciled")
            record(connection, stream_of(1), 2)
            assert signing_gate.is_open(connection)
    shutil.copytree(first.cluster, copy.cluster, symlinks=True, copy_function=shutil.copy2)
    own_like(first.cluster, copy.cluster)
    for server in (copy, first):
        with running(server.prepare(), server_directory), connect(server.url()) as connection:
            assert not signing_gate.is_open(connection)
            assert signing_gate.reason_shut(connection) == signing_gate.NOT_ASKED
            with pytest.raises(psycopg.Error, match="nothing is written"):
                record(connection, stream_of(2), 2)
            assert reconcile(connection, ORIGIN, SourceAnswers(())).verdict is Verdict.YES
            record(connection, stream_of(2), 2)


def own_like(directory: Path, copy: Path) -> None:
    """Gives a copied directory the owner and mode of the original."""
    for path in (directory, *directory.rglob("*")):
        there = copy / path.relative_to(directory)
        shutil.chown(there, path.stat().st_uid, path.stat().st_gid)
        shutil.copymode(path, there)
