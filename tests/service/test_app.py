"""The web application: health, request ids, metrics, the API document and its page."""

import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from deploy.stores import EmbeddedPostgres
from service import config, logs
from service.app import create_app
from tests.conftest import running


def without(environ: dict[str, str], variable: str, address: str) -> FlaskClient:
    """A client of an application one of whose stores is not there."""
    app = create_app(config.load({**environ, variable: address}))
    return app.test_client()


def test_a_process_lives_without_any_store(environ: dict[str, str], tmp_path: Path) -> None:
    client = without(environ, "DATABASE_URL", f"postgresql:///?host={tmp_path}")
    assert client.get("/healthz").json == {"status": "ok"}


def test_ready_when_both_stores_answer(client: FlaskClient) -> None:
    response = client.get("/readyz")
    assert (response.status_code, response.json) == (200, {"status": "ready", "missing": []})


def test_not_ready_without_postgresql_which_is_named(environ: dict[str, str], tmp_path: Path) -> None:
    response = without(environ, "DATABASE_URL", f"postgresql:///?host={tmp_path}").get("/readyz")
    assert response.status_code == 503
    assert response.get_json()["store"] == "postgresql"
    assert response.headers["Retry-After"] == "2"


def test_degraded_without_redis_which_is_named(environ: dict[str, str], tmp_path: Path) -> None:
    response = without(environ, "REDIS_URL", f"unix://{tmp_path}/none.sock").get("/readyz")
    assert (response.status_code, response.json) == (200, {"status": "degraded", "missing": ["redis"]})


def test_a_store_that_goes_away_is_named_until_it_is_back(environ: dict[str, str], server_directory: Path) -> None:
    server = EmbeddedPostgres(server_directory / "away")
    client = without(environ, "DATABASE_URL", server.url())
    answers = []
    for _ in range(2):
        with running(server.prepare(), server_directory):
            answers.append(client.get("/readyz").status_code)
        answers.append(client.get("/readyz").status_code)
    assert answers == [200, 503, 200, 503]


def test_a_request_id_is_taken_over_when_it_is_harmless(client: FlaskClient) -> None:
    assert client.get("/healthz", headers={"X-Request-Id": "bot-7.1"}).headers["X-Request-Id"] == "bot-7.1"
    made = client.get("/healthz", headers={"X-Request-Id": "a b<script>"}).headers["X-Request-Id"]
    assert re.fullmatch("[0-9a-f]{32}", made)


def test_metrics_count_requests_by_route_and_name_the_stores(client: FlaskClient) -> None:
    client.get("/healthz")
    client.get("/some/unknown/path")
    text = client.get("/metrics").text
    assert re.search(r'cabildo_requests_total\{method="GET",route="/healthz",status="200"\} [1-9]', text)
    assert re.search(r'cabildo_requests_total\{method="GET",route="unmatched",status="404"\} [1-9]', text)
    assert 'cabildo_store_up{store="postgresql"} 1.0' in text
    assert 'cabildo_store_up{store="redis"} 1.0' in text


def test_openapi_describes_every_route_of_the_api(client: FlaskClient, app: Flask) -> None:
    document = client.get("/openapi.json").get_json()
    assert document["openapi"] == "3.1.0"
    assert {"/healthz", "/readyz", "/metrics"} <= document["paths"].keys()
    refused = document["paths"]["/readyz"]["get"]["responses"]["503"]
    told = document["components"]["responses"][refused["$ref"].rsplit("/", 1)[1]]
    assert list(told["content"]) == ["application/problem+json"]


def test_the_api_page_offers_every_operation_and_fetches_nothing_from_elsewhere(client: FlaskClient) -> None:
    page = client.get("/docs").text
    for path, operations in client.get("/openapi.json").get_json()["paths"].items():
        for method in operations.keys() - {"parameters"}:  # those that all methods of a path share
            assert f'data-method="{method.upper()}" data-path="{path}"' in page
    assert not re.search(r'(src|href)="(https?:)?//', page)
    for asset in re.findall(r'(?:src|href)="(/static/[^"]+)"', page):
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
