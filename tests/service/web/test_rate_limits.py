"""Limits are counted for all processes, told with every answer, and hold while Redis is away."""

import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest
import redis
from flask import Flask
from flask.testing import FlaskClient

from service.web import rate_counters
from service.web.rate_counters import RateCounters
from tests.service.conftest import opened_app
from tests.support.service.players import problem, somebody

Asked = TypeVar("Asked")


def asked(client: FlaskClient, times: int) -> list[int]:
    """The statuses of so many requests."""
    return [client.get("/v1/rules").status_code for _ in range(times)]


def in_one_minute(ask: Callable[[], Asked]) -> Asked:
    """Sends requests within one window of the limits; windows begin with the minute."""
    while True:
        begun, asked = time.time() // 60, ask()
        if time.time() // 60 == begun:
            return asked


def remaining(client: FlaskClient, path: str, **headers: str) -> int:
    """How much may still be asked for after one more request."""
    return int(client.get(path, headers=headers).headers["RateLimit"].split("r=")[1].split(";")[0])


def test_who_asks_too_much_is_told_when_to_come_back(environ: dict[str, str]) -> None:
    with opened_app(environ, CABILDO_REQUESTS_PER_MINUTE="20") as app:
        client = app.test_client()
        refused = in_one_minute(lambda: [client.get("/v1/rules") for _ in range(21)])[-1]
        assert problem(refused.get_json()) == "too_many_requests"
        assert 1 <= int(refused.headers["Retry-After"]) <= 60
        assert refused.headers["RateLimit-Policy"] == '"minute";q=20;w=60'
        assert '"minute";r=0;t=' in refused.headers["RateLimit"]


def test_processes_count_together(environ: dict[str, str]) -> None:
    def left_for_the_other() -> int:
        with opened_app(environ) as one, opened_app(environ) as other:
            asked(one.test_client(), 241)
            return remaining(other.test_client(), "/v1/rules")

    assert in_one_minute(left_for_the_other) <= 12_000 - 240  # they tell one another of each hundredth of the limit


def test_what_is_asked_of_one_operation_is_not_left_for_another(client: FlaskClient) -> None:
    first, second = in_one_minute(lambda: [remaining(client, path) for path in ("/v1/games", "/v1/rules")])
    assert second == first - 1


def test_limits_hold_while_redis_is_away(environ: dict[str, str]) -> None:
    with opened_app(environ, CABILDO_REQUESTS_PER_MINUTE="5", REDIS_URL="unix:///nowhere/redis.sock") as app:
        assert 429 in asked(app.test_client(), 12)


def test_a_hanging_redis_delays_one_request_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_counters, "ASK_AGAIN", 1.0)
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(tmp_path / "redis.sock"))
        silent.listen()
        silent.setblocking(False)
        client = redis.Redis.from_url(f"unix://{tmp_path}/redis.sock", socket_timeout=1.0, retry=None)
        counts = RateCounters("leased://", client=client)
        with ThreadPoolExecutor(8) as threads:
            asked = [threads.submit(counts.count, "somebody", 60) for _ in range(8)]
        assert max(one.result() for one in asked) <= 8
        counts.count("somebody else", 60)  # a second after the first question, but not after its end
        silent.accept()[0].close()
        with pytest.raises(BlockingIOError):
            silent.accept()


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_machines_that_look_after_the_service_are_not_limited(environ: dict[str, str], path: str) -> None:
    with opened_app(environ, CABILDO_REQUESTS_PER_MINUTE="1") as app:
        client = app.test_client()
        assert {client.get(path).status_code for _ in range(5)} == {200}


def test_a_token_has_a_limit_of_its_own(client: FlaskClient) -> None:
    anna = somebody(client)
    anna.ask("GET", "/v1/me")  # unknown so far, she is counted by her address

    def hers_and_the_address() -> tuple[int, int]:
        hers = [remaining(client, "/v1/me", Authorization=f"Bearer {anna.token}") for _ in range(5)]
        return hers[0] - hers[-1], remaining(client, "/v1/rules") - remaining(client, "/v1/rules")

    assert in_one_minute(hers_and_the_address) == (4, 1)


def shares_a_budget(app: Flask, first: str, second: str) -> bool:
    """Whether requests said to come from two addresses are counted together."""
    client = app.test_client()
    one, other = in_one_minute(
        lambda: [remaining(client, "/v1/rules", **{"X-Forwarded-For": told}) for told in (first, second)]
    )
    return other == one - 1


def test_what_a_stranger_says_of_addresses_is_not_believed(app: Flask) -> None:
    assert shares_a_budget(app, "192.0.2.1", "192.0.2.2")


def test_trusted_proxies_pass_on_the_address_the_outermost_saw(environ: dict[str, str]) -> None:
    with opened_app(environ, CABILDO_TRUSTED_PROXIES="2") as app:
        assert not shares_a_budget(app, "192.0.2.1, 10.0.0.1", "192.0.2.2, 10.0.0.1")
        assert shares_a_budget(app, "198.51.100.1, 192.0.2.3, 10.0.0.1", "198.51.100.2, 192.0.2.3, 10.0.0.1")  # made up
        assert shares_a_budget(app, "192.0.2.4", "192.0.2.5")  # not through both: no trusted proxy says so
