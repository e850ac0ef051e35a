"""Files of the log in a store that several nodes share: a directory or a bucket; a node without them says so."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from events.files import places
from events.log.integrity import Audit
from events.merkle.notes import SigningKey
from events.merkle.policy import Policy
from events.store.connections import connect
from events.store.postgres import write
from projections.verify.bundle import verify
from service import settings as config
from service.app import create_app
from service.proof.public_log import archive_of, files_of, origin_of, shown_in
from tests.support.events.filled_store import ignoring_guards
from tests.support.projections.bundles import GAME
from tests.support.projections.played_games import played
from tests.support.service.object_server import ACCESS_KEY, BUCKET, REGION, SECRET_KEY, Objects, object_server
from tests.support.service.players import two_at_a_table
from workers.keeper.duty_context import KeeperContext
from workers.keeper.log import PublishLog, SealLog
from workers.keeper.log_duties import SequenceLog

SEED = bytes(range(32))
LOG_KEY = {"CABILDO_LOG_KEY": base64.b64encode(SEED).decode()}
LONG_AGO = "UPDATE checkpoints SET at = at - interval '1 hour'"


@pytest.fixture
def objects(monkeypatch: pytest.MonkeyPatch) -> Iterator[Objects]:
    with object_server() as (url, objects):
        for name, value in (("ENDPOINT_URL", url), ("ACCESS_KEY_ID", ACCESS_KEY), ("SECRET_ACCESS_KEY", SECRET_KEY)):
            monkeypatch.setenv(f"AWS_{name}", value)
        monkeypatch.setenv("AWS_REGION", REGION)
        places.open_bucket.cache_clear()  # clients keep the address that they began with
        yield objects


@pytest.fixture(params=["directory", "bucket"])
def shared(request: pytest.FixtureRequest, environ: dict[str, str], objects: Objects, tmp_path: Path) -> dict[str, str]:
    """The variables of a node that shares the store."""
    places = {"directory": str(tmp_path / "shared"), "bucket": f"s3://{BUCKET}/cabildo"}
    place = places[request.param]
    return environ | {"CABILDO_LOG_STORE": f"{place}/log", "CABILDO_ARCHIVE_STORE": f"{place}/archive"}


def keep(environ: dict[str, str]) -> None:
    """One turn of a keeper that has just started."""
    settings = config.load(environ)
    with connect(environ["DATABASE_URL"]) as connection:
        SequenceLog(KeeperContext(settings, environ))(connection)
        SealLog(settings, environ | LOG_KEY)(connection)
        PublishLog(settings, environ | LOG_KEY)(connection)


@contextmanager
def client_of(environ: dict[str, str], data_dir: Path) -> Iterator[FlaskClient]:
    app = create_app(config.load(environ | {"CABILDO_DATA_DIR": str(data_dir)}))
    yield app.test_client()
    app.extensions["cabildo"].close()


def test_a_node_with_an_empty_folder_serves_what_another_one_published(shared: dict[str, str], tmp_path: Path) -> None:
    with connect(shared["DATABASE_URL"]) as connection:
        write(connection, played(), None, b"", ())
    keep(shared)
    with client_of(shared, tmp_path / "another") as client:
        policy = Policy.parse(client.get("/log/policy").data)
        assert client.get("/log/checkpoint").status_code == 200
        assert client.get("/log/claim").status_code == 200
        bundle = client.get(f"/v1/games/{GAME}/bundle")
        assert bundle.get_json()["proof"]
        assert verify(bundle.data, policy).failure is None
    assert not (tmp_path / "another" / "public").exists()


def test_a_second_keeper_goes_on_in_the_store_and_the_audit_finds_no_fault(
    shared: dict[str, str], tmp_path: Path
) -> None:
    events = played()
    for number, batch in enumerate((events[:10], events[10:], [])):
        with connect(shared["DATABASE_URL"]) as connection:
            write(connection, batch, None, b"", ()) if batch else None
        keep(shared | {"CABILDO_DATA_DIR": str(tmp_path / f"node {number}")})
    settings = config.load(shared)
    with connect(shared["DATABASE_URL"]) as connection:
        origin = origin_of(connection, settings)
        files, key = files_of(settings, origin), SigningKey.from_seed(origin, SEED)
        assert shown_in(files) == len(events)
        assert [fault for step in Audit(connection, origin, files, [key.verifier]).run() for fault in step.faults] == []
        assert archive_of(settings)


def test_a_node_without_the_files_refuses_bundles_and_says_so(environ: dict[str, str], tmp_path: Path) -> None:
    with connect(environ["DATABASE_URL"]) as connection:
        write(connection, played(), None, b"", ())
    keep(environ)
    with client_of(environ, tmp_path / "another") as client:
        assert client.get(f"/v1/games/{GAME}/bundle").status_code == 200  # the keeper may just be publishing
        with ignoring_guards(environ["DATABASE_URL"]) as administrator:
            administrator.execute(LONG_AGO)
        refused = client.get(f"/v1/games/{GAME}/bundle")
        assert (refused.status_code, refused.get_json()["type"]) == (503, "/problems#log_files_missing")
        checks = {check["name"]: check for check in client.get("/readyz").get_json()["checks"]}
        assert checks["log files"]["found"] == "this node has no files of the log: it serves no bundle"
        assert "CABILDO_LOG_STORE" in checks["log files"]["advice"]


def refuse(request: BaseHTTPRequestHandler) -> bool:
    request.send_error(403)
    return True


def test_a_store_that_is_away_is_a_typed_refusal(environ: dict[str, str], objects: Objects, tmp_path: Path) -> None:
    shared = environ | {"CABILDO_LOG_STORE": f"s3://{BUCKET}/log"}
    keep(shared)
    with client_of(shared, tmp_path / "another") as client:
        objects.fault = refuse
        refused = client.get("/log/checkpoint")
        assert (refused.status_code, refused.get_json()["type"]) == (503, "/problems#files_away")
        checks = {check["name"]: check for check in client.get("/readyz").get_json()["checks"]}
        assert checks["log files"]["found"] == "the store of the log's files does not answer"


def test_a_store_that_is_away_stops_no_game(environ: dict[str, str], objects: Objects, tmp_path: Path) -> None:
    shared = environ | {"CABILDO_LOG_STORE": f"s3://{BUCKET}/log"}
    keep(shared)
    with client_of(shared, tmp_path / "another") as client:
        objects.fault = refuse
        game, first, second = two_at_a_table(client)
        moved = first.post(f"/v1/games/{game}/moves", {"move": "play create_2"})
        assert "receipt" in moved
        assert "type" not in second.post(f"/v1/games/{game}/resign")
