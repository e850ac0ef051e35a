"""Commits that wait for a lost standby, and a read-only server: reads answer, writes are refused with a reason."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import psycopg
import pytest
from psycopg import sql

from deploy.local.stores import EmbeddedPostgres
from events.log.signing_gate import set_gate
from events.store.migrations import migrate
from service.operations.checks import database as database_checks
from tests.conftest import FAST, running
from tests.service.conftest import Environ, opened_app, variables
from tests.support.running_program import eventually
from tests.support.service.players import Person, problem

TABLE = {"game": "spice_road", "seats": ["me", "open"]}
END_OTHERS = """
SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""
SLOW_MACHINE = 30.0  # seconds


@pytest.fixture
def own_server(server_directory: Path, tmp_path: Path) -> Iterator[EmbeddedPostgres]:
    """A migrated server of this test alone."""
    server = EmbeddedPostgres(server_directory / tmp_path.name, FAST)
    with running(server.prepare(), server_directory):
        with psycopg.connect(server.url(), autocommit=True) as admin:
            migrate(admin)
            set_gate(admin, is_open=True, reason="a new database")
        yield server


@contextmanager
def lost_standby(server: EmbeddedPostgres) -> Iterator[None]:
    """The time in which every commit waits for a standby that is not there."""
    with psycopg.connect(server.url(), autocommit=True) as admin:
        waiting_for(admin, "nobody")
        try:
            yield
        finally:
            waiting_for(admin, "")


def waiting_for(admin: psycopg.Connection, standby: str) -> None:
    admin.execute(sql.SQL("ALTER SYSTEM SET synchronous_standby_names = {}").format(standby))
    admin.execute("SELECT pg_reload_conf()")
    assert eventually(lambda: admin.execute("SHOW synchronous_standby_names").fetchone() == (standby,))
    if standby:  # sessions begun before may not have read it yet
        admin.execute(END_OTHERS)


def test_a_hanging_commit_is_told_and_its_key_tells_its_outcome(
    own_server: EmbeddedPostgres, redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_checks, "LONGEST_COMMIT", 1.0)
    environ = variables(own_server.url(), redis_url, tmp_path)
    with opened_app(environ, CABILDO_ANSWER_SECONDS="3") as app:
        person = Person(app.test_client(), "Nina")
        before = person.post("/v1/games", TABLE)["id"]
        with lost_standby(own_server):
            begun = monotonic()
            overdue = person.ask("POST", "/v1/games", TABLE, Idempotency_Key="once")
            assert (overdue.status_code, problem(overdue.get_json())) == (503, "commit_overdue")
            assert monotonic() - begun < SLOW_MACHINE
            refused = person.ask("POST", "/v1/games", TABLE, Idempotency_Key="twice")
            assert (refused.status_code, problem(refused.get_json())) == (503, "commits_hang")
            assert person.ask("GET", f"/v1/games/{before}").status_code == 200
            assert eventually(lambda: state_of(person, "commits") == "failing")
        assert eventually(lambda: state_of(person, "commits") == "ok")
        stored = person.post("/v1/games", TABLE, Idempotency_Key="once")["id"]
        assert person.post("/v1/games", TABLE, Idempotency_Key="once")["id"] == stored
        assert games_of(own_server) == {before, stored}
        person.post("/v1/games", TABLE, Idempotency_Key="twice")
        assert len(games_of(own_server)) == 3


def test_writes_beside_streams_are_refused_while_commits_hang(
    own_server: EmbeddedPostgres, redis_url: str, tmp_path: Path
) -> None:
    with opened_app(variables(own_server.url(), redis_url, tmp_path), CABILDO_ANSWER_SECONDS="6") as app:
        person = Person(app.test_client(), "Nina")
        with lost_standby(own_server):
            overdue = person.ask("POST", "/v1/tokens", {"scopes": ["read"]})
            assert (overdue.status_code, problem(overdue.get_json())) == (503, "commit_overdue")
            for path, body in (("/v1/players", {"name": "Marta"}), ("/v1/games", TABLE), ("/login", None)):
                begun = monotonic()
                refused = person.ask("POST", path, body)
                assert refused.status_code == 503
                assert monotonic() - begun < 6  # no session of the server waits for it
            assert person.ask("GET", "/v1/me").status_code == 200
        assert eventually(lambda: person.ask("POST", "/v1/games", TABLE).status_code == 201)


def state_of(person: Person, name: str) -> str:
    """The state of a check in /readyz."""
    checks = person.ask("GET", "/readyz").get_json()["checks"]
    (state,) = [str(check["state"]) for check in checks if check["name"] == name]
    return state


def games_of(server: EmbeddedPostgres) -> set[str]:
    """The games that are stored."""
    with psycopg.connect(server.url()) as admin:
        return {str(id) for (id,) in admin.execute("SELECT id FROM games")}


def test_a_read_only_server_answers_reads_and_refuses_writes(environ: Environ, database: str) -> None:
    with opened_app(environ) as app:
        person, other = (Person(app.test_client(), name) for name in ("Nina", "Marta"))
        game = person.post("/v1/games", TABLE)["id"]
        with psycopg.connect(database, autocommit=True) as admin:
            name = sql.Identifier(admin.info.dbname)
            admin.execute(sql.SQL("ALTER DATABASE {} SET default_transaction_read_only = on").format(name))
            admin.execute(END_OTHERS)
        assert eventually(lambda: person.ask("GET", f"/v1/games/{game}").status_code == 200)
        for path, body in (
            ("/v1/games", TABLE),
            (f"/v1/games/{game}/seats", {}),
            ("/v1/studies", {"title": "x"}),
            ("/v1/tokens", {"scopes": ["read"]}),
            ("/v1/players", {"name": "Olga"}),
        ):
            refused = other.ask("POST", path, body)
            assert (path, refused.status_code, problem(refused.get_json())) == (path, 503, "store_read_only")
            assert int(refused.headers["Retry-After"]) > 0
        for path in ("/", f"/games/{game}", "/v1/games", f"/v1/games/{game}/replay", "/v1/me"):
            assert (path, person.ask("GET", path).status_code // 100 in (2, 3)) == (path, True)
