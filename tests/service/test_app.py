"""The web application: health, request ids, metrics, the API document and its page."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient

from deploy.local.stores import EmbeddedPostgres, EmbeddedRedis
from events.store.connections import connect
from events.store.migrations import migrate
from projections.read_models.registry import READ_MODELS, advance_all
from service import settings
from service.app import create_app
from service.core import logs
from service.core.clock import SECOND, now
from service.core.outages import note_work
from service.core.stuck_streams import put_off
from tests.conftest import running
from tests.support.running_program import PROJECT, eventually
from tests.support.service.scrape import scraped


@contextmanager
def another(environ: dict[str, str], variable: str, address: str) -> Iterator[FlaskClient]:
    """A client of an application that looks for a store elsewhere."""
    app = create_app(settings.load({**environ, variable: address}))
    yield app.test_client()
    app.extensions["cabildo"].close()


def test_a_process_lives_without_any_store(environ: dict[str, str], tmp_path: Path) -> None:
    with another(environ, "DATABASE_URL", f"postgresql:///?host={tmp_path}") as client:
        assert client.get("/healthz").json == {"status": "ok"}


def test_ready_when_both_stores_answer(client: FlaskClient) -> None:
    response = client.get("/readyz")
    ready = response.get_json()
    assert (response.status_code, ready["status"], ready["missing"]) == (200, "ready", [])


def test_not_ready_while_postgresql_is_away_which_is_named(environ: dict[str, str], server_directory: Path) -> None:
    server = EmbeddedPostgres(server_directory / "away")
    with running(server.prepare(), server_directory), psycopg.connect(server.url(), autocommit=True) as admin:
        migrate(admin)
    with another(environ, "DATABASE_URL", server.url()) as client:
        away = client.get("/readyz")
        assert (away.status_code, away.get_json()["store"]) == (503, "postgresql")
        assert away.headers["Retry-After"] == "2"
        with running(server.prepare(), server_directory):
            assert eventually(lambda: client.get("/readyz").status_code == 200)
        assert client.get("/readyz").status_code == 503


def test_degraded_while_redis_is_away_which_is_named(environ: dict[str, str], server_directory: Path) -> None:
    server = EmbeddedRedis(server_directory / "away-redis")
    with another(environ, "REDIS_URL", server.url()) as client:
        for _ in range(2):
            away = client.get("/readyz")
            degraded = away.get_json()
            assert (away.status_code, degraded["status"], degraded["missing"]) == (200, "degraded", ["redis"])
            with running(server.prepare(), server_directory):
                assert client.get("/readyz").get_json()["status"] == "ready"


def test_a_request_id_is_taken_over_when_it_is_harmless(client: FlaskClient) -> None:
    assert client.get("/healthz", headers={"X-Request-Id": "bot-7.1"}).headers["X-Request-Id"] == "bot-7.1"
    made = client.get("/healthz", headers={"X-Request-Id": "a b<script>"}).headers["X-Request-Id"]
    assert re.fullmatch("[0-9a-f]{32}", made)


def test_metrics_count_requests_by_route_and_name_the_stores(client: FlaskClient) -> None:
    client.get("/healthz")
    client.get("/some/unknown/path")
    text = scraped(client.application)
    assert re.search(r'cabildo_requests_total\{method="GET",route="/healthz",status="200"\} [1-9]', text)
    assert re.search(r'cabildo_requests_total\{method="GET",route="unmatched",status="404"\} [1-9]', text)
    assert 'cabildo_store_up{store="postgresql"} 1.0' in text
    assert 'cabildo_store_up{store="redis"} 1.0' in text


def test_metrics_tell_how_far_each_read_model_lags(client: FlaskClient, database: str) -> None:
    with connect(database) as connection:
        advance_all(connection)
    text = scraped(client.application)
    for name in READ_MODELS:
        assert f'cabildo_read_model_entries_behind{{read_model="{name}"}} 0.0' in text
        assert f'cabildo_read_model_seconds_behind{{read_model="{name}"}} 0.0' in text
        assert f'cabildo_read_model_parked{{read_model="{name}"}} 0.0' in text


def test_alert_rules_and_metrics_name_streams_that_are_stuck(client: FlaskClient, database: str) -> None:
    with connect(database) as connection:
        for stream in (1, 2):
            put_off(connection, "time", UUID(int=stream), 0, "a test")
        note_work(connection, now() - 90 * SECOND, 15 * SECOND)
    text = scraped(client.application)
    assert 'cabildo_stuck_streams{duty="time"} 2.0' in text
    (absence,) = re.findall(r"^cabildo_keeper_seconds (\S+)$", text, re.MULTILINE)
    assert float(absence) >= 90
    rules = (PROJECT / "deploy" / "examples" / "alerts.yml").read_text()
    assert set(re.findall(r"expr: (?:rate\()?(\w+)", rules)) <= set(re.findall(r"# TYPE (\w+)", text))


def test_the_address_that_is_printed_leads_to_a_page(client: FlaskClient) -> None:
    page = client.get("/", follow_redirects=True)
    assert (page.status_code, page.mimetype) == (200, "text/html")


def test_openapi_describes_every_route_of_the_api(client: FlaskClient, app: Flask) -> None:
    document = client.get("/openapi.json").get_json()
    assert document["openapi"] == "3.1.0"
    assert {"/healthz", "/readyz"} <= document["paths"].keys()
    refused = document["paths"]["/readyz"]["get"]["responses"]["503"]
    told = document["components"]["responses"][refused["$ref"].rsplit("/", 1)[1]]
    assert list(told["content"]) == ["application/problem+json"]


def test_the_reference_offers_every_operation_and_fetches_nothing(client: FlaskClient) -> None:
    listed = client.get("/docs/reference").text
    page = "".join(client.get(path).text for path in sorted({*re.findall(r'"(/docs/reference/[\w-]+)"', listed)}))
    for path, operations in client.get("/openapi.json").get_json()["paths"].items():
        for method in operations.keys() - {"parameters"}:  # those that all methods of a path share
            assert f'data-method="{method.upper()}" data-path="{path}"' in page
    assert not re.search(r'(src|href)="(https?:)?//', page)
    for asset in {*re.findall(r'(?:src|href)="(/static/[^"]+)"', page)}:
        with client.get(asset) as response:
            assert response.status_code == 200


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ({"event": "e", "password": "hunter2"}, {"event": "e", "password": "***"}),
        ({"event": "e", "authorization": "Bearer cab_x"}, {"event": "e", "authorization": "***"}),
        ({"event": "got cab_0123456789abcdef"}, {"event": "got ***"}),
        ({"event": "connect postgresql://me:pw@host/db"}, {"event": "connect postgresql://***@host/db"}),
    ],
)
def test_secrets_never_reach_the_log(line: dict[str, str], shown: dict[str, str]) -> None:
    assert logs.without_secrets(None, "info", dict(line)) == shown
