"""Limits are counted for all processes, told with every answer, and hold while Redis is away."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service import config
from service.app import create_app
from tests.service.people import problem, somebody


@contextmanager
def serving(environ: dict[str, str], **changes: str) -> Iterator[Flask]:
    """The application under other settings."""
    app = create_app(config.load({**environ, **changes}))
    yield app
    app.extensions["cabildo"].stores.close()


def asked(client: FlaskClient, times: int) -> list[int]:
    """The statuses of so many requests."""
    return [client.get("/v1/rules").status_code for _ in range(times)]


def test_who_asks_too_much_is_told_when_to_come_back(environ: dict[str, str]) -> None:
    with serving(environ, CABILDO_REQUESTS_PER_MINUTE="20") as app:
        client = app.test_client()
        while 429 not in asked(client, 21):
            continue  # a minute may end in between
        refused = client.get("/v1/rules")
        assert problem(refused.get_json()) == "too_many_requests"
        assert 1 <= int(refused.headers["Retry-After"]) <= 60
        assert refused.headers["RateLimit-Policy"] == '"minute";q=20;w=60'
        assert '"minute";r=0;t=' in refused.headers["RateLimit"]


def test_processes_count_together(environ: dict[str, str]) -> None:
    with serving(environ) as one, serving(environ) as other:
        asked(one.test_client(), 41)
        left = other.test_client().get("/v1/rules").headers["RateLimit"]
    assert int(left.split("r=")[1].split(";")[0]) <= 12_000 - 40


def test_limits_hold_while_redis_is_away(environ: dict[str, str]) -> None:
    with serving(environ, CABILDO_REQUESTS_PER_MINUTE="5", REDIS_URL="unix:///nowhere/redis.sock") as app:
        assert 429 in asked(app.test_client(), 12)


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_machines_that_look_after_the_service_are_not_limited(environ: dict[str, str], path: str) -> None:
    with serving(environ, CABILDO_REQUESTS_PER_MINUTE="1") as app:
        client = app.test_client()
        assert {client.get(path).status_code for _ in range(5)} == {200}


def test_a_token_has_a_limit_of_its_own(client: FlaskClient) -> None:
    anna = somebody(client)
    anna.ask("GET", "/v1/me")
    first, second = (anna.ask("GET", "/v1/me").headers["RateLimit"] for _ in range(2))
    assert first.startswith('"minute";r=119')
    assert second != client.get("/v1/rules").headers["RateLimit"]
