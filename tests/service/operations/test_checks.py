"""Health checks: `/readyz` and `cabildo status` tell what is wrong, and what the operator must do."""

import json
import os
import threading
import time
from pathlib import Path
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient
from psycopg import sql

from deploy.cli import main
from events.log import signing_gate
from events.log.sequencer import sequence_once
from events.store.connections import connect, open_pool
from events.store.postgres import PostgresStore
from projections.read_models.registry import READ_MODELS, advance_all
from service import settings as config
from service.core.clock import SECOND, now
from service.core.keeper_heartbeats import LOCK_NAME
from service.core.outages import note_work
from service.operations.checks import keepers, public_log, read_models
from service.operations.checks.table import CHECKS
from tests.service.conftest import Environ, opened_app
from tests.support.databases import CUT_OFF
from tests.support.events.examples import start_game
from tests.support.running_program import PATIENCE, eventually
from tests.support.service.running_service import LOG_KEY
from workers.keeper.keeper import LEAD, Duty, Keeper, Work
from workers.keeper.log import PublishLog, SealLog


def check(client: FlaskClient, name: str) -> Any:
    """Returns a check of /readyz by its name; without a state while the stores do not answer."""
    answer = client.get("/readyz").get_json()
    return {found["name"]: found for found in answer.get("checks", ())}.get(name, {"state": "", **answer})


def settled(client: FlaskClient, name: str, state: str) -> Any:
    """Waits until a check has a state; returns it."""
    assert eventually(lambda: check(client, name)["state"] == state), check(client, name)
    return check(client, name)


def test_every_check_has_a_row_with_state_and_advice(client: FlaskClient, database: str) -> None:
    with connect(database) as connection:
        advance_all(connection)
    answer = client.get("/readyz").get_json()
    names = [found["name"] for found in answer["checks"]]
    assert names[:2] == ["postgresql", "redis"]
    assert {name for name, _ in CHECKS} - set(names) == {"read models"}
    assert {f"read model {name}" for name in READ_MODELS} <= set(names)
    assert not [found for found in answer["checks"] if "cannot be checked" in found["found"]]


def test_status_shows_the_checks_and_fails_with_them(environ: Environ, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert CliRunner().invoke(main, ["status"]).exit_code == 0
    monkeypatch.setenv("CABILDO_BACKUP_STAMP", "/nowhere/backup")
    shown = CliRunner().invoke(main, ["status", "--json"])
    (backup,) = [found for found in json.loads(shown.output)["checks"] if found["name"] == "backup"]
    assert (shown.exit_code, backup["state"]) == (1, "failing")


def test_a_read_only_server_is_told(client: FlaskClient, database: str) -> None:
    with psycopg.connect(database, autocommit=True) as admin:
        name = sql.Identifier(admin.info.dbname)
        admin.execute(sql.SQL("ALTER DATABASE {} SET default_transaction_read_only = on").format(name))
        admin.execute(CUT_OFF)
    assert "read-only" in settled(client, "writes", "failing")["found"]
    assert client.get("/readyz").get_json()["status"] == "degraded"


def test_signing_that_is_off_is_told_with_its_reason(client: FlaskClient, database: str) -> None:
    assert check(client, "signing")["state"] == "unknown"
    with connect(database) as connection:
        signing_gate.set_gate(connection, is_open=False, reason="a witness shows another history")
    found = settled(client, "signing", "failing")
    assert "a witness shows another history" in found["found"]
    assert "cabildo log" in found["advice"]


def test_events_without_number_or_seal_are_told(
    client: FlaskClient, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_log, "LATE", 0.0)
    with open_pool(database, size=1) as pool:
        start_game(PostgresStore(pool))
    settled(client, "log index", "failing")
    with connect(database) as connection:
        signing_gate.set_gate(connection, is_open=True, reason="a test")
        sequence_once(connection)
    settled(client, "log index", "ok")
    assert "waits for a seal" in settled(client, "signing", "failing")["found"]


def test_a_node_without_the_files_of_the_log_is_told(
    environ: Environ, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = config.load(environ)
    with open_pool(database, size=1) as pool:
        start_game(PostgresStore(pool))
    with connect(database) as connection:
        SealLog(settings, environ | LOG_KEY)(connection)
        sequence_once(connection)
        assert eventually(lambda: sealed(connection, settings, environ) > 0)
        PublishLog(settings, environ | LOG_KEY)(connection)
    monkeypatch.setattr(public_log, "LATE", 0.0)
    with opened_app(environ) as app:
        settled(app.test_client(), "log files", "ok")
    with opened_app(environ, CABILDO_DATA_DIR=str(tmp_path / "other")) as app:
        found = settled(app.test_client(), "log files", "failing")
    assert "no files of the log" in found["found"]


def sealed(connection: psycopg.Connection, settings: config.Settings, environ: Environ) -> int:
    """Seals what is due; returns the number of sealed events."""
    SealLog(settings, environ | LOG_KEY)(connection)
    row = connection.execute("SELECT coalesce(max(size), 0) FROM checkpoints").fetchone()
    return int(row[0]) if row else 0


def test_a_read_model_that_lags_is_told(client: FlaskClient, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_models, "LATE", 0.0)
    with connect(database) as connection:
        advance_all(connection)
        with open_pool(database, size=1) as pool:
            start_game(PostgresStore(pool))
        sequence_once(connection)
        assert settled(client, "read model streams", "failing")["advice"]
        while advance_all(connection):
            pass
    settled(client, "read model streams", "ok")


def test_no_keeper_since_a_while_is_told(client: FlaskClient, database: str) -> None:
    assert check(client, "keepers")["state"] == "unknown"
    with connect(database) as connection:
        note_work(connection, now() - 90 * SECOND, 15 * SECOND)
    assert "no keeper works" in settled(client, "keepers", "failing")["found"]


def test_a_keeper_that_holds_a_duty_and_does_nothing_is_told(
    environ: Environ, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keepers, "IDLE", 1.0)
    monkeypatch.setattr("workers.keeper.keeper.EVERY", 0.1)
    hangs, goes_on = threading.Event(), threading.Event()

    def prepare(_context: object) -> Work:
        return lambda _connection: hangs.is_set() and not goes_on.wait(PATIENCE)

    keeper = Keeper(config.load(environ), {}, [Duty("tidy", 0.01, prepare)])
    thread = threading.Thread(target=keeper.run, args=("first",))
    thread.start()
    try:
        assert "each duty is led" in settled(client, "keepers", "ok")["found"]
        hangs.set()
        found = settled(client, "keepers", "failing")
        assert "keeper first holds the duty tidy and does nothing" in found["found"]
        goes_on.set()
        settled(client, "keepers", "ok")
    finally:
        goes_on.set()
        keeper.stopping.set()
        thread.join(PATIENCE)


def test_a_frozen_keeper_that_keeps_a_lock_is_told(
    environ: Environ, client: FlaskClient, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keepers, "UNLED", 1.0)
    monkeypatch.setattr("workers.keeper.keeper.EVERY", 0.1)

    def prepare(_context: object) -> Work:
        return lambda _connection: False

    with connect(database) as frozen:
        frozen.execute(LEAD, (LOCK_NAME, "tidy"))
        keeper = Keeper(config.load(environ), {}, [Duty("tidy", 0.01, prepare)])
        thread = threading.Thread(target=keeper.run, args=("second",))
        thread.start()
        try:
            found = settled(client, "keepers", "failing")
            assert "tidy: a keeper that does nothing holds it" in found["found"]
            frozen.close()
            settled(client, "keepers", "ok")
        finally:
            keeper.stopping.set()
            thread.join(PATIENCE)


def test_a_backup_is_told_by_the_age_of_its_stamp(environ: Environ, tmp_path: Path) -> None:
    stamp = tmp_path / "backup"
    with opened_app(environ, CABILDO_BACKUP_STAMP=str(stamp)) as app:
        client = app.test_client()
        assert settled(client, "backup", "failing")["found"] == "no backup was ever made"
        stamp.touch()
        settled(client, "backup", "ok")
        old = time.time() - 3 * 24 * 3600
        os.utime(stamp, (old, old))
        assert "72 hours" in settled(client, "backup", "failing")["found"]
