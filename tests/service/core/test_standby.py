"""Reads from a standby: no client reads behind its own write; a read-only service on a standby alone."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from flask import Flask

from events.log.signing_gate import set_gate
from events.store.connections import connect
from service import settings as config
from service.core.clock import SECOND, now
from service.core.outages import note_work
from service.core.standby import own_writes, read_pool
from service.core.stores import check_start
from service.web.standby.routing import ENDPOINTS
from tests.service.conftest import Environ, opened_app, variables
from tests.support.replication import Replicated, frozen, replicated
from tests.support.running_program import eventually
from tests.support.service.players import Person, problem

TABLE = {"game": "spice_road", "seats": ["me", "open"], "visibility": "public"}
ELSEWHERE = {"REMOTE_ADDR": "192.0.2.7"}


@pytest.fixture(scope="module")
def pair(module_directory: Path) -> Iterator[Replicated]:
    """A primary with a standby, shared by these tests."""
    with replicated(module_directory / "standby-reads") as pair:
        with psycopg.connect(pair.primary.url(), autocommit=True) as admin:
            set_gate(admin, is_open=True, reason="a new database")
        yield pair


@pytest.fixture
def environ(pair: Replicated, redis_url: str, tmp_path: Path) -> Environ:
    """The variables of a web server that reads from the standby."""
    same_key = {"CABILDO_MASTER_KEY": base64.b64encode(bytes(32)).decode()}  # for all tests of the database
    standby = {"CABILDO_READ_DATABASE_URL": pair.standby.url()}
    return variables(pair.primary.url(), redis_url, tmp_path) | standby | same_key


@pytest.fixture
def app(environ: Environ, pair: Replicated) -> Iterator[Flask]:
    """A web server that reads from a standby, beside a keeper that works."""
    with connect(pair.primary.url()) as connection:
        note_work(connection, now(), 15 * SECOND)
    pair.wait_until_level()
    with opened_app(environ) as app:
        yield app


@contextmanager
def paused(pair: Replicated) -> Iterator[None]:
    """The time in which the standby replays nothing."""
    with psycopg.connect(pair.standby.url(), autocommit=True) as admin:
        admin.execute("SELECT pg_wal_replay_pause()")
        assert eventually(lambda: admin.execute("SELECT pg_get_wal_replay_pause_state()").fetchone() == ("paused",))
        try:
            yield
        finally:
            admin.execute("SELECT pg_wal_replay_resume()")


def listed(app: Flask, game: str) -> bool:
    """Whether a guest at another address finds a game in the list."""
    answer: dict[str, Any] = app.test_client().get("/v1/games", environ_base=ELSEWHERE).get_json()
    return game in [found["id"] for found in answer["games"]]


def state_of(person: Person, name: str) -> str:
    """The state of a check in /readyz."""
    checks = person.ask("GET", "/readyz").get_json()["checks"]
    (state,) = [str(check["state"]) for check in checks if check["name"] == name]
    return state


def sees(person: Person, game: str) -> bool:
    """Whether a player finds a game in the list, and its replay."""
    found = [found["id"] for found in person.ask("GET", "/v1/games").get_json()["games"]]
    return game in found and person.ask("GET", f"/v1/games/{game}/replay").status_code == 200


def test_the_writer_sees_a_write_that_the_standby_lacks(
    app: Flask, pair: Replicated, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_pool, "MOST_LAG", 3600.0)
    monkeypatch.setattr(own_writes, "LONGEST_WAIT", 0.2)
    person = Person(app.test_client(), "Nina")
    pair.wait_until_level()
    with paused(pair):
        game = person.post("/v1/games", TABLE)["id"]
        assert sees(person, game)
        assert not listed(app, game)  # the guest reads from the standby
        replay = app.test_client().get(f"/v1/games/{game}/replay", environ_base=ELSEWHERE)
        assert replay.status_code == 200  # which does not know the game: the primary answers
    assert eventually(lambda: listed(app, game))


def test_a_read_waits_for_a_standby_that_is_almost_level(
    app: Flask, pair: Replicated, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_pool, "MOST_LAG", 3600.0)
    monkeypatch.setattr(own_writes, "LONGEST_WAIT", 120.0)
    person = Person(app.test_client(), "Marta")
    standby = app.extensions["cabildo"].stores.standby
    game = person.post("/v1/games", TABLE)["id"]
    used = standby.pool.get_stats().get("requests_num", 0)
    assert sees(person, game)
    assert standby.pool.get_stats()["requests_num"] > used


def test_a_standby_that_is_far_behind_is_not_read(
    app: Flask, pair: Replicated, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_pool, "MOST_LAG", 0.0)
    person = Person(app.test_client(), "Olga")
    with paused(pair):
        assert listed(app, person.post("/v1/games", TABLE)["id"])


def test_a_frozen_standby_holds_up_no_read(app: Flask, pair: Replicated, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_pool, "MOST_LAG", 3600.0)
    person = Person(app.test_client(), "Pia")
    game = person.post("/v1/games", TABLE)["id"]
    assert eventually(lambda: listed(app, game))
    assert state_of(person, "standby") == "ok"
    with frozen(pair.standby):
        assert eventually(lambda: state_of(person, "standby") == "failing")
        assert listed(app, game)
        assert sees(person, game)


def test_a_service_on_a_standby_alone_reads_and_refuses_writes(app: Flask, environ: Environ, pair: Replicated) -> None:
    person = Person(app.test_client(), "Quinn")
    game = person.post("/v1/games", TABLE)["id"]
    pair.wait_until_level()
    alone = {name: value for name, value in environ.items() if name != "CABILDO_READ_DATABASE_URL"}
    check_start(config.load({**alone, "DATABASE_URL": pair.standby.url()}))
    with opened_app(alone, DATABASE_URL=pair.standby.url()) as reader:
        person.client = reader.test_client()
        with psycopg.connect(pair.primary.url(), autocommit=True) as admin:
            admin.execute("UPDATE tokens SET used = NULL")  # a read would store the use of the token
        pair.wait_until_level()
        assert sees(person, game)
        assert person.ask("GET", f"/games/{game}").status_code == 200
        refused = person.ask("POST", "/v1/games", TABLE)
        assert (refused.status_code, problem(refused.get_json())) == (503, "store_read_only")
        ready = person.ask("GET", "/readyz").get_json()
        (writes,) = [check for check in ready["checks"] if check["name"] == "writes"]
        assert (ready["status"], writes["state"]) == ("degraded", "failing")
        assert not [check for check in ready["checks"] if "cannot be checked" in check["found"]]


def test_every_read_of_a_standby_is_a_get(app: Flask) -> None:
    methods = {rule.endpoint: rule.methods or set() for rule in app.url_map.iter_rules()}
    assert {endpoint for endpoint in ENDPOINTS if methods.get(endpoint) != {"GET", "HEAD", "OPTIONS"}} == set()
