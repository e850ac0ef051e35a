"""Behind a pooler in transaction mode: web and workers in their role, keepers at the server itself, or a refusal."""

import dataclasses
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql

from events.errors import DirectAddressNeeded, PoolerRefused
from events.store.connections import connect, connect_to_lead, open_pool
from service import settings as config
from service.core.stores import check_database
from tests.service.conftest import Environ, opened_app
from tests.support.events.transaction_pooler import transaction_pooler
from tests.support.service.players import Person

LOGIN = "CREATE ROLE {} LOGIN IN ROLE cabildo_service"
LIMITS = ("role = cabildo_service", "lock_timeout = '5s'", "statement_timeout = '9s'")
NOTED = "CREATE TABLE noted (session integer DEFAULT pg_backend_pid(), role text DEFAULT current_user, value text)"


@pytest.fixture
def login(database: str) -> Iterator[str]:
    """A role for web servers, with nothing set."""
    name = f"web_{uuid4().hex[:8]}"
    with psycopg.connect(database, autocommit=True) as admin:
        admin.execute(sql.SQL(LOGIN).format(sql.Identifier(name)))
        yield name
        admin.execute("SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE usename = %s", (name,))
        admin.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(name)))


@pytest.fixture
def pooled(database: str, login: str) -> Iterator[str]:
    """The address of a pooler whose login has the service's role for good."""
    with psycopg.connect(database, autocommit=True) as admin:
        for limit in LIMITS:
            admin.execute(sql.SQL("ALTER ROLE {} SET " + limit).format(sql.Identifier(login)))
    with transaction_pooler(database, login) as pooler:
        yield pooler.url


def test_a_pooler_whose_login_has_another_role_is_refused_by_name(database: str, login: str) -> None:
    with transaction_pooler(database, login) as pooler:
        with pytest.raises(PoolerRefused, match="ALTER ROLE"):
            connect(pooler.url)
        with pytest.raises(PoolerRefused, match=login):
            check_database(pooler.url)


def test_a_pooler_with_the_role_serves_a_web_server(pooled: str, environ: Environ) -> None:
    check_database(pooled)
    with opened_app(environ, DATABASE_URL=pooled) as app:
        people = [Person(app.test_client(), name) for name in ("Nina", "Marta", "Olga", "Pia")]

        def play(person: Person) -> int:
            for _ in range(5):
                game = person.create("me", "bot:random")["id"]
                person.post(f"/v1/games/{game}/resign")
            return len(person.ask("GET", f"/v1/games/{game}/replay").get_json()["steps"])

        with ThreadPoolExecutor(len(people)) as threads:
            assert all(threads.map(play, people))


def test_no_transaction_behind_a_pooler_has_another_role(pooled: str, database: str) -> None:
    with psycopg.connect(database, autocommit=True) as admin:
        admin.execute(NOTED)
        admin.execute("GRANT ALL ON noted TO cabildo_service")
        with open_pool(pooled, size=4) as pool, ThreadPoolExecutor(8) as threads:

            def note(value: int) -> None:
                with pool.connection() as connection, connection.pipeline():
                    for _ in range(3):
                        connection.execute("INSERT INTO noted (value) VALUES (%s)", (str(value),), prepare=True)

            list(threads.map(note, range(100)))
        rows = admin.execute("SELECT role, count(*), count(DISTINCT session) > 1 FROM noted GROUP BY role").fetchall()
    assert rows == [("cabildo_service", 300, True)]


def test_a_keeper_behind_a_pooler_is_refused_by_name(pooled: str) -> None:
    with pytest.raises(DirectAddressNeeded, match="CABILDO_DIRECT_DATABASE_URL"):
        connect_to_lead(pooled)
    with pytest.raises(DirectAddressNeeded):
        check_database(pooled, locks=True)


def test_keepers_and_commands_take_the_direct_address(pooled: str, database: str, environ: Environ) -> None:
    settings = config.load({**environ, "DATABASE_URL": pooled, "CABILDO_DIRECT_DATABASE_URL": database})
    assert settings.direct().database_url == database
    assert dataclasses.replace(settings, direct_database_url="").direct().database_url == pooled
