"""Migrations: in order, once, one node at a time; an older or edited program refuses."""

import threading
from importlib.resources import files

import psycopg
import pytest
from psycopg import Connection

from events.errors import NotAllowedToMigrate, SchemaMismatch
from events.store.guards import check_guards
from events.store.migrations import Migration, check_schema, migrate, migrations, pending
from tests.support.databases import Databases

ONE = Migration("events", 1, "0001_one.sql", "CREATE TABLE one (id integer)")
TWO = Migration("events", 2, "0002_two.sql", "CREATE TABLE two (id integer)")
BROKEN = Migration("projections", 1, "0001_broken.sql", "CREATE TABLE three (id integer); SELECT 1/0")
FIRST = migrations()[0]  # it makes the roles


def admin(database: str) -> Connection:
    return psycopg.connect(database, autocommit=True)


def tables(connection: Connection) -> set[str]:
    return {
        name for (name,) in connection.execute("SELECT relname FROM pg_class WHERE relname IN ('one', 'two', 'three')")
    }


def test_an_empty_database_gets_everything_in_order_and_only_once(empty_database: str) -> None:
    with admin(empty_database) as connection:
        assert migrate(connection) == migrations() == pending(connection) + migrations()
        assert migrate(connection) == ()
        check_schema(connection)


def test_events_come_before_what_builds_on_them() -> None:
    components = [step.component for step in migrations()]
    assert components == sorted(components, key=("events", "projections", "service").index)
    assert [step.number for step in migrations() if step.component == "events"] == list(
        range(1, components.count("events") + 1)
    )


def test_every_migration_file_is_a_migration() -> None:
    names = {step.name for step in migrations() if step.component == "events"}
    assert names == {entry.name for entry in (files("events") / "schema").iterdir()}


def test_only_what_is_missing_runs(empty_database: str) -> None:
    with admin(empty_database) as connection:
        first, one, two = FIRST, ONE._replace(number=2), TWO._replace(number=3)
        assert migrate(connection, [first, one]) == (first, one)
        assert pending(connection, [first, one, two]) == (two,)
        assert migrate(connection, [first, one, two]) == (two,)
        assert tables(connection) == {"one", "two"}


def test_a_failing_step_undoes_all_of_them(empty_database: str) -> None:
    with admin(empty_database) as connection:
        with pytest.raises(psycopg.errors.DivisionByZero):
            migrate(connection, [FIRST, ONE._replace(number=2), BROKEN])
        assert tables(connection) == set()
        assert pending(connection, [FIRST]) == (FIRST,)


def test_a_database_newer_than_this_program_is_refused(empty_database: str) -> None:
    with admin(empty_database) as connection:
        migrate(connection, [FIRST, ONE._replace(number=2)])
        for refuse in (migrate, pending):
            with pytest.raises(SchemaMismatch, match="newer") as refusal:
                refuse(connection, [FIRST])
            assert (refusal.value.component, refusal.value.number) == ("events", 2)


def test_a_migration_edited_after_it_ran_is_refused(empty_database: str) -> None:
    with admin(empty_database) as connection:
        migrate(connection, [FIRST, ONE._replace(number=2)])
        with pytest.raises(SchemaMismatch, match="not the file that was run"):
            migrate(connection, [FIRST, ONE._replace(number=2, sql="CREATE TABLE other (id integer)")])


def test_a_database_that_was_not_migrated_is_refused_at_start(empty_database: str) -> None:
    with admin(empty_database) as connection, pytest.raises(SchemaMismatch, match="cabildo migrate"):
        check_schema(connection)


def test_nodes_that_start_together_migrate_once(empty_database: str) -> None:
    done: list[int] = []
    start = threading.Barrier(4)

    def node() -> None:
        with admin(empty_database) as connection:
            start.wait()
            done.append(len(migrate(connection)))

    threads = [threading.Thread(target=node) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == [0, 0, 0, len(migrations())]


def test_databases_of_one_server_are_migrated_at_the_same_time(databases: Databases) -> None:
    with databases.bare() as one, databases.bare() as two:
        start = threading.Barrier(2)
        guarded: list[str] = []

        def node(database: str) -> None:
            with admin(database) as connection:
                start.wait()
                migrate(connection)
                connection.execute("SET ROLE cabildo_service")
                check_guards(connection)
                guarded.append(database)

        threads = [threading.Thread(target=node, args=(database,)) for database in (one, two)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(guarded) == sorted([one, two])


def test_who_may_not_create_roles_is_told_who_may(database: str, empty_database: str) -> None:
    with admin(empty_database) as connection:
        connection.execute("SET ROLE cabildo_service")
        with pytest.raises(NotAllowedToMigrate, match="cabildo_service may not migrate: it is no superuser"):
            migrate(connection)


def test_the_service_may_look_at_the_history_of_migrations(service: Connection) -> None:
    check_schema(service)
