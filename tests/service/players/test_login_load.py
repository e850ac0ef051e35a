"""Logins and registrations under attack: hashing holds no connection, guessing is slow, owners get in."""

import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Final

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.container import Container
from service.players import login_delays
from service.players.login_delays import FREE_OF_ACCOUNT, FREE_OF_ADDRESS, MOST_DELAY
from tests.service.conftest import Environ, opened_app
from tests.support.running_program import PATIENCE, eventually
from tests.support.service.players import answer, problem

PASSWORD: Final = "over the hills"
NUMBERS: Final = count()


def log_in(client: FlaskClient, name: str, password: str, address: str = "192.0.2.1") -> TestResponse:
    """A login from an address."""
    return client.post("/v1/session", json={"name": name, "password": password}, environ_base={"REMOTE_ADDR": address})


def owner(client: FlaskClient) -> str:
    """The name of a new account with the password."""
    name = f"owner {next(NUMBERS)}"
    answer(client.post("/v1/players", json={"name": name, "password": PASSWORD}), 201)
    return name


def guess(client: FlaskClient, name: str, times: int, address: str = "192.0.2.66") -> list[int]:
    """The statuses of wrong passwords, one after the other."""
    return [log_in(client, name, f"guess {number}", address).status_code for number in range(times)]


def test_hashing_holds_no_connection(app: Flask, client: FlaskClient) -> None:
    name, container = owner(client), app.extensions["cabildo"]
    pool = container.stores.pool
    pool.resize(1, 1)
    hasher = container.passwords.gate
    with ThreadPoolExecutor(1) as thread, hasher.passed(), hasher.passed():  # both places are taken: the login waits
        waiting = thread.submit(log_in, app.test_client(), name, PASSWORD)
        assert eventually(lambda: hasher.waiting() == 1)
        with pool.connection(PATIENCE) as connection:
            connection.execute("SELECT 1")
        assert not waiting.done()
    assert waiting.result().status_code == 201


@pytest.mark.parametrize(
    ("method", "path"), [("POST", "/v1/players"), ("PATCH", "/v1/me"), ("POST", "/v1/session"), ("POST", "/register")]
)
def test_no_place_that_hashes_holds_a_connection(app: Flask, client: FlaskClient, method: str, path: str) -> None:
    name, container = owner(client), app.extensions["cabildo"]
    token = client.post("/v1/players", json={"name": f"token {next(NUMBERS)}"}).get_json()["token"]
    visitor = app.test_client()
    visitor.get("/register")
    cookie = visitor.get_cookie("cabildo_form")
    assert cookie is not None
    form = {"csrf": cookie.value, "name": f"new {next(NUMBERS)}", "password": PASSWORD}
    bodies = {
        "/v1/players": {"name": f"new {next(NUMBERS)}", "password": PASSWORD},
        "/v1/me": {"password": PASSWORD},
        "/v1/session": {"name": name, "password": PASSWORD},
    }
    pool, gate = container.stores.pool, container.passwords.gate
    pool.resize(1, 1)

    def ask() -> TestResponse:
        if path == "/register":
            return visitor.post(path, data=form)
        return visitor.open(path, method=method, json=bodies[path], headers={"Authorization": f"Bearer {token}"})

    with ThreadPoolExecutor(1) as thread, gate.passed(), gate.passed():
        waiting = thread.submit(ask)
        assert eventually(lambda: gate.waiting() == 1 or waiting.done())
        assert not waiting.done(), waiting.result().text
        with pool.connection(PATIENCE) as connection:
            connection.execute("SELECT 1")
    assert waiting.result().status_code in (200, 201, 303)


def test_a_full_queue_of_logins_is_told_to_come_back(app: Flask, client: FlaskClient) -> None:
    name, gate = owner(client), app.extensions["cabildo"].passwords.gate
    names = [owner(client) for _ in range(gate.capacity.waiting)]
    with ThreadPoolExecutor(len(names)) as threads, gate.passed(), gate.passed():
        waiting = [
            threads.submit(log_in, app.test_client(), one, PASSWORD, f"198.51.100.{number}")
            for number, one in enumerate(names)
        ]
        assert eventually(lambda: gate.waiting() == len(names))
        refused = log_in(client, name, PASSWORD)
        assert (refused.status_code, problem(refused.get_json())) == (503, "service_busy")
        assert int(refused.headers["Retry-After"]) >= 1
    assert {one.result().status_code for one in waiting} == {201}
    assert log_in(client, name, PASSWORD).status_code == 201


def test_wrong_passwords_slow_down_an_account(client: FlaskClient) -> None:
    name = owner(client)
    assert guess(client, name, FREE_OF_ACCOUNT) == [401] * FREE_OF_ACCOUNT
    refused = log_in(client, name, "guess", "192.0.2.67")  # from another address, too
    assert (refused.status_code, problem(refused.get_json())) == (429, "too_many_attempts")
    assert 1 <= int(refused.headers["Retry-After"]) <= MOST_DELAY
    assert log_in(client, name, PASSWORD, "192.0.2.67").status_code == 429  # nothing is learnt by asking on
    assert eventually(lambda: log_in(client, name, "guess", "192.0.2.67").status_code == 401)


def test_an_account_that_does_not_exist_is_slowed_down_alike(client: FlaskClient) -> None:
    name = owner(client)
    for known in (name, "nobody of this name"):
        told = [log_in(client, known, "guess", "192.0.2.80") for _ in range(FREE_OF_ACCOUNT + 1)]
        assert [one.status_code for one in told] == [401] * FREE_OF_ACCOUNT + [429]
        assert told[-1].headers["Retry-After"] == "2"


def test_wrong_passwords_slow_down_an_address(client: FlaskClient) -> None:
    names = [owner(client) for _ in range(FREE_OF_ADDRESS + 1)]
    told = [log_in(client, name, "guess", "2001:db8::1").status_code for name in names]
    assert told == [401] * FREE_OF_ADDRESS + [429]
    assert log_in(client, owner(client), "guess", "2001:db8::2").status_code == 429  # its whole /64
    assert log_in(client, owner(client), PASSWORD, "2001:db8:0:1::1").status_code == 201


def test_own_logins_between_guesses_do_not_free_an_address(client: FlaskClient) -> None:
    own, names = owner(client), [owner(client) for _ in range(FREE_OF_ADDRESS + 1)]
    assert log_in(client, own, PASSWORD, "192.0.2.90").status_code == 201
    told = list[int]()
    for name in names:
        told.append(log_in(client, name, "guess", "192.0.2.90").status_code)
        assert log_in(client, own, PASSWORD, "192.0.2.90").status_code == 201
    assert told == [401] * FREE_OF_ADDRESS + [429]


def test_the_owner_gets_in_from_a_known_address_during_an_attack(client: FlaskClient) -> None:
    name = owner(client)
    assert log_in(client, name, PASSWORD, "192.0.2.5").status_code == 201
    guess(client, name, 3 * FREE_OF_ACCOUNT)
    assert log_in(client, name, PASSWORD, "192.0.2.5").status_code == 201


def test_the_owner_gets_in_from_a_new_address_within_the_delay(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(login_delays, "MOST_DELAY", 2)
    name = owner(client)
    guess(client, name, 3 * FREE_OF_ACCOUNT)
    end = threading.Event()

    def attack() -> None:
        while not end.is_set():
            guess(client.application.test_client(), name, 1)

    with ThreadPoolExecutor(1) as thread:
        thread.submit(attack)
        try:
            assert eventually(lambda: log_in(client, name, PASSWORD, "192.0.2.6").status_code == 201)
        finally:
            end.set()


def test_registration_is_slow_from_one_address(environ: Environ) -> None:
    with opened_app(environ, CABILDO_REGISTRATIONS_PER_HOUR="3") as app:
        client = app.test_client()

        def register(address: str) -> TestResponse:
            body = {"name": f"new {next(NUMBERS)}"}
            return client.post("/v1/players", json=body, environ_base={"REMOTE_ADDR": address})

        told = [register("192.0.2.1") for _ in range(4)]
        assert [one.status_code for one in told] == [201, 201, 201, 429]
        assert problem(told[-1].get_json()) == "too_many_attempts"
        assert register("192.0.2.2").status_code == 201
        assert eventually(lambda: register("192.0.2.1").status_code == 201)


def test_guessing_is_slow_while_redis_is_away(environ: Environ) -> None:
    with opened_app({**environ, "REDIS_URL": "unix:///nowhere/redis.sock"}) as app:
        container: Container = app.extensions["cabildo"]
        client = app.test_client()
        told = guess(client, owner(client), FREE_OF_ACCOUNT + 1)
        assert told == [401] * FREE_OF_ACCOUNT + [429]
        assert container.stores.missing() == ["redis"]
