"""Databases for tests: copies of a migrated template, used again once they are as empty as it is.

Copying and dropping a database costs more than most tests; taking out what a test wrote costs little. A database in
which a test changed more than rows is dropped. Each test sees a name of its own, so that whatever an earlier one left
running finds nothing.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg
from psycopg import sql

from deploy.local.stores import EmbeddedPostgres
from events.log.signing_gate import set_gate
from events.store.migrations import migrate

TEMPLATE = "template_of_tests"
FIRST = "first_of_tests"
CUT_OFF = """
SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
# Contents of a new database: its definitions, and the rows from migrations.
SHAPE = """
SELECT md5(string_agg(part, '')) FROM (
    SELECT string_agg((oid, relname, relnamespace, relkind, relowner, relacl, reloptions, relnatts, relchecks,
                       relhasrules, relhastriggers, relrowsecurity, relforcerowsecurity)::text, '' ORDER BY oid)
    FROM pg_class WHERE oid >= 16384
    UNION ALL SELECT string_agg(a::text, '' ORDER BY attrelid, attnum) FROM pg_attribute AS a WHERE attrelid >= 16384
    UNION ALL SELECT string_agg(p::text, '' ORDER BY oid) FROM pg_proc AS p WHERE oid >= 16384
    UNION ALL SELECT string_agg(t::text, '' ORDER BY oid) FROM pg_type AS t WHERE oid >= 16384
    UNION ALL SELECT string_agg(d::text, '' ORDER BY oid) FROM pg_attrdef AS d
    UNION ALL SELECT string_agg(t::text, '' ORDER BY oid) FROM pg_trigger AS t
    UNION ALL SELECT string_agg(c::text, '' ORDER BY oid) FROM pg_constraint AS c
    UNION ALL SELECT string_agg(r::text, '' ORDER BY oid) FROM pg_rewrite AS r WHERE oid >= 16384
    UNION ALL SELECT string_agg(p::text, '' ORDER BY oid) FROM pg_policy AS p
    UNION ALL SELECT string_agg(n::text, '' ORDER BY oid) FROM pg_namespace AS n WHERE nspname !~ '^pg_(toast_)?temp'
    UNION ALL SELECT string_agg(e::text, '' ORDER BY oid) FROM pg_event_trigger AS e
    UNION ALL SELECT string_agg(d::text, '' ORDER BY oid) FROM pg_default_acl AS d
    UNION ALL SELECT string_agg(e::text, '' ORDER BY oid) FROM pg_extension AS e
    UNION ALL SELECT string_agg(i::text, '' ORDER BY indexrelid) FROM pg_index AS i WHERE indexrelid >= 16384
    UNION ALL SELECT string_agg(s::text, '' ORDER BY seqrelid) FROM pg_sequence AS s
    UNION ALL SELECT datacl::text FROM pg_database WHERE datname = current_database()
    UNION ALL SELECT string_agg(setconfig::text, '') FROM pg_db_role_setting
    WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
    UNION ALL SELECT string_agg(m::text, '' ORDER BY m::text) FROM migrations AS m
    UNION ALL SELECT string_agg(p::text, '' ORDER BY p::text) FROM projection_tables AS p
) AS parts (part)
"""
KEPT = ("migrations", "projection_tables")  # tables with rows from migrations
TABLES = """
SELECT oid::regclass::text FROM pg_class
WHERE relkind = 'r' AND oid >= 16384 AND relnamespace NOT IN (SELECT oid FROM pg_namespace WHERE nspname LIKE 'pg\\_%')
"""
GUARDED = "SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname = 'no_change'"
NUMBERED = "SELECT format('%I.%I', schemaname, sequencename) FROM pg_sequences WHERE last_value IS NOT NULL"
numbers = count(1)


class Databases:
    """The databases that a server keeps for tests."""

    def __init__(self, server: EmbeddedPostgres) -> None:
        self._server = server
        self._free = [FIRST]
        self._administer("CREATE DATABASE {}", TEMPLATE)
        with psycopg.connect(server.url(TEMPLATE), autocommit=True) as template:
            migrate(template)
            tables = [name for (name,) in template.execute(TABLES) if name not in KEPT]
            self._guarded = {name for (name,) in template.execute(GUARDED)}
        self._administer("CREATE DATABASE {} TEMPLATE {}", FIRST, TEMPLATE)
        with psycopg.connect(server.url(FIRST)) as first:
            self._shape = first.execute(SHAPE).fetchone()
        self._written = " UNION ALL ".join(f"SELECT '{name}' WHERE EXISTS (SELECT FROM {name})" for name in tables)

    @contextmanager
    def migrated(self) -> Iterator[str]:
        """The address of a migrated database in which nothing has happened."""
        name = f"test_{next(numbers)}"
        if self._free:
            self._administer("ALTER DATABASE {} RENAME TO {}", self._free.pop(), name)
        else:
            self._administer("CREATE DATABASE {} TEMPLATE {}", name, TEMPLATE)
        try:
            yield self._opened(name)
        finally:
            if self._empty(name):
                self._free.append(name)
            else:
                self._administer("DROP DATABASE {} WITH (FORCE)", name)

    def _opened(self, name: str) -> str:
        """Opens the gate of the log, as a keeper does with a new database. Returns the address."""
        with psycopg.connect(self._server.url(name), autocommit=True) as admin:
            set_gate(admin, is_open=True, reason="a new database")
        return self._server.url(name)

    @contextmanager
    def bare(self) -> Iterator[str]:
        """The address of a database without any migration."""
        name = f"test_{next(numbers)}"
        self._administer("CREATE DATABASE {} TEMPLATE {}", name, "template0")
        try:
            yield self._server.url(name)
        finally:
            self._administer("DROP DATABASE {} WITH (FORCE)", name)

    def _administer(self, command: str, *names: str) -> None:
        with psycopg.connect(self._server.url(), autocommit=True) as admin:
            admin.execute(sql.SQL(command).format(*map(sql.Identifier, names)))

    def _empty(self, name: str) -> bool:
        """Deletes the written rows. Returns False when more than rows changed."""
        with psycopg.connect(self._server.url(name)) as admin:
            admin.execute(CUT_OFF)
            if admin.execute(SHAPE).fetchone() != self._shape:
                return False
            written = {table for (table,) in admin.execute(self._written.encode())}
            admin.execute("SET LOCAL session_replication_role = replica")  # no foreign key is asked
            admin.execute("SET LOCAL cabildo.altering_acts = 'on'")
            for table in written & self._guarded:
                admin.execute(f"ALTER TABLE {table} DISABLE TRIGGER no_change".encode())
            for table in written:
                admin.execute(f"DELETE FROM {table}".encode())
            for table in written & self._guarded:
                admin.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER no_change".encode())
            for (sequence,) in admin.execute(NUMBERED).fetchall():
                admin.execute(f"ALTER SEQUENCE {sequence} RESTART".encode())
        return True


def updates_of(migration: str) -> list[sql.SQL]:
    """Returns the earlier rows after a migration, named by its file."""
    text = (Path(__file__).parents[2] / migration).read_text()
    return [sql.SQL(one) for one in text.split(";\n") if one.strip().startswith("UPDATE")]
