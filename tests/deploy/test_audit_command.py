"""`cabildo audit` as an operator meets it."""

import base64
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from deploy.cli import main
from events.connections import connect
from events.sequencer import sequence_once
from service import config
from tests.events.books import aborted, ignoring_guards, record, stream_of
from workers.sealing import Publishing, Sealing


@pytest.fixture
def environ(database: str, redis_url: str, tmp_path: Path) -> dict[str, str]:
    key = base64.b64encode(bytes(range(32))).decode()
    stores = {"DATABASE_URL": database, "REDIS_URL": redis_url, "CABILDO_DATA_DIR": str(tmp_path)}
    return stores | {"CABILDO_MASTER_KEY": key, "CABILDO_LOG_KEY": key}


@pytest.fixture
def published(environ: dict[str, str]) -> None:
    settings = config.load(environ)
    with connect(environ["DATABASE_URL"]) as connection:
        for number in range(3):
            record(connection, stream_of(number), 120, last=aborted())
            sequence_once(connection)
            Sealing(settings, environ)(connection)
            Publishing(settings, environ)(connection)


def run(environ: dict[str, str], *arguments: str) -> Result:
    return CliRunner(env=environ).invoke(main, ["--data-dir", environ["CABILDO_DATA_DIR"], "audit", *arguments])


@pytest.mark.usefixtures("published")
def test_nothing_wrong_ends_with_0(environ: dict[str, str]) -> None:
    done = run(environ)
    assert (done.exit_code, "nothing is wrong" in done.output) == (0, True), done.output


@pytest.mark.usefixtures("published")
def test_a_changed_event_is_named_and_ends_with_its_class(environ: dict[str, str]) -> None:
    with ignoring_guards(environ["DATABASE_URL"]) as administrator:
        administrator.execute("UPDATE events SET body = body || ' '::bytea WHERE seq = 2")
    done = run(environ)
    assert done.exit_code == 11
    assert f"event 2 of {stream_of(1)}" in done.output
    assert "3 faults" in done.output


@pytest.mark.usefixtures("published")
def test_an_audit_that_was_stopped_goes_on_and_keeps_what_it_found(environ: dict[str, str]) -> None:
    memory = Path(environ["CABILDO_DATA_DIR"]) / "audit.json"
    earlier = {"origin": "127.0.0.1:8080/log", "size": 0, "edge": [], "faults": [["log", "found before the stop"]]}
    memory.write_text(json.dumps(earlier))
    done = run(environ)
    assert (done.exit_code, "found before the stop" in done.output) == (12, True)
    assert not memory.exists()
    memory.write_text(json.dumps(earlier))
    assert run(environ, "--afresh").exit_code == 0
