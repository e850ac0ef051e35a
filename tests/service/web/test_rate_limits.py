"""Limits are counted for all processes, told with every answer, and hold while Redis is away."""

import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest
import redis
from flask import Flask, Response
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.web import rate_counters
from service.web.blueprints import ROUTES
from service.web.rate_counters import RateCounters
from service.web.request_costs import BY_METHOD, COSTS, FREE, LOGINS, OTHER_METHODS, request_cost
from tests.service.conftest import Environ, opened_app
from tests.support.service.players import problem, running, somebody

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
        limit = {**environ, "CABILDO_REQUESTS_PER_MINUTE": "12000"}
        with opened_app(limit) as one, opened_app(limit) as other:
            asked(one.test_client(), 241)
            return remaining(other.test_client(), "/v1/rules")

    assert in_one_minute(left_for_the_other) <= 12_000 - 240  # they tell one another of each hundredth of the limit


def test_what_is_asked_of_one_operation_is_not_left_for_another(client: FlaskClient) -> None:
    first, second = in_one_minute(lambda: [remaining(client, path) for path in ("/v1/ratings", "/v1/rules")])
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
        counts = RateCounters(client)
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


def test_five_accounts_at_one_address_gain_nothing(environ: Environ) -> None:
    with opened_app(environ, CABILDO_REQUESTS_PER_MINUTE="60") as app:
        people = [somebody(app.test_client()) for _ in range(5)]

        def asked_by_all() -> list[int]:
            return [one.ask("GET", "/v1/me").status_code for _ in range(13) for one in people]

        told = in_one_minute(asked_by_all)
        assert told.count(429) >= 5
        assert set(told[:5]) == {200}


def test_one_account_at_many_addresses_gains_nothing(environ: Environ) -> None:
    with opened_app(environ, CABILDO_REQUESTS_PER_MINUTE="30") as app:
        client = app.test_client()
        token = somebody(client).token
        authorised = {"Authorization": f"Bearer {token}"}

        def asked_from_everywhere() -> list[int]:
            return [
                client.get("/v1/me", headers=authorised, environ_base={"REMOTE_ADDR": f"198.51.100.{one}"}).status_code
                for one in range(35)
            ]

        assert in_one_minute(asked_from_everywhere).count(429) >= 3


def test_addresses_of_one_ipv6_network_are_counted_together(environ: Environ) -> None:
    with opened_app(environ, CABILDO_REQUESTS_PER_MINUTE="10") as app:
        client = app.test_client()

        def asked_by(*addresses: str) -> list[int]:
            return [client.get("/v1/rules", environ_base={"REMOTE_ADDR": one}).status_code for one in addresses]

        told = in_one_minute(lambda: asked_by(*(f"2001:db8::{one}" for one in range(1, 13)), "2001:db8:0:1::1"))
        assert told[10:] == [429, 429, 200]


def cost(response: TestResponse) -> int:
    """What a request cost."""
    return int(response.headers["RateLimit-Cost"])


def test_costs_tell_heavy_requests_from_light_ones(app: Flask, client: FlaskClient) -> None:
    game, (anna, birgir) = running(client)
    anna.move(game, "play create_2")
    birgir.move(game, "play create_2")
    paths = (f"/v1/games/{game}", f"/v1/games/{game}/position?at=5", f"/v1/games/{game}/replay?positions=false")
    light = [cost(client.get(path)) for path in paths]
    assert light == [1, 5, 10]
    assert [cost(client.get(f"/games/{game}{query}")) for query in ("", "?at=5")] == [1, 5]  # a position, too
    assert cost(client.get(f"/v1/games/{game}/replay")) == 40
    assert cost(client.get("/v1/games?fact=card_bought")) == 20
    assert cost(client.get(f"/v1/games/{game}/bundle")) == 10
    assert cost(client.post("/v1/verify", data=b"{}", content_type="application/json")) == 100
    assert cost(anna.ask("POST", "/v1/analysis", {"game": "spice_road"})) == 10


def test_a_large_answer_costs_by_its_size(environ: Environ) -> None:
    with opened_app(environ, CABILDO_REQUESTS_PER_MINUTE="12000") as app:
        client = app.test_client()

        @app.get("/large")
        def large() -> Response:
            return Response("x" * 8 * 2**20, content_type="text/plain")

        def spent() -> tuple[int, int]:
            before = remaining(client, "/v1/rules")
            answer = client.get("/large", headers={"Accept-Encoding": "gzip"})
            assert answer.headers["RateLimit"].split("r=")[1].split(";")[0] == str(before - cost(answer))
            return cost(answer), before - remaining(client, "/v1/rules")

        assert in_one_minute(spent) == (129, 130)


def test_a_replay_costs_by_the_events_of_the_game(client: FlaskClient) -> None:
    game, people = running(client, start_player=0)
    for number in range(60):
        people[number % 2].move(game, "play upgrade_2" if number // 2 % 2 == 0 else "rest")
    first = client.get(f"/v1/games/{game}/replay")
    assert cost(first) == 40 + 6
    again = client.get(f"/v1/games/{game}/replay", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, cost(again)) == (304, 40)
    assert cost(client.get(f"/v1/games/{game}/replay?after=50")) == 40 + 1
    assert cost(client.get(f"/v1/games/{game}/replay?after=100000")) == 40  # and gives nothing back


def test_the_table_of_costs_names_every_heavy_route_and_no_other(app: Flask) -> None:
    endpoints = {rule.endpoint for rule in app.url_map.iter_rules()}
    assert COSTS.keys() | LOGINS | FREE <= endpoints
    heavy = {
        "analysis.analysis", "analyses.ask", "bundles.verify", "bundles.bundle", "reading.replay", "reading.position",
        "lists.games", "lobby.lobby", "records.enter", "records.go_on", "study_copies.clone", "study_copies.bring_in",
        "study_copies.export", "study_copies.reported", "tournament reading.archive", "players.register",
    }  # fmt: skip
    assert heavy <= COSTS.keys()
    for rule in app.url_map.iter_rules():
        for method in rule.methods or ():
            asked = request_cost(rule.endpoint, method, {})
            assert asked >= 1 or rule.endpoint in FREE
            assert rule.endpoint in COSTS or rule.endpoint in FREE or asked == BY_METHOD.get(method, OTHER_METHODS)


def test_parameters_in_the_table_of_costs_exist(app: Flask) -> None:
    known = {f"{routes.name}.{one.view.__name__}": one.parameters for routes in ROUTES for one in routes.operations}
    for endpoint, row in COSTS.items():
        if endpoint in known:
            assert {*row.by_query, *row.unless_off} <= known[endpoint].keys(), endpoint


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
