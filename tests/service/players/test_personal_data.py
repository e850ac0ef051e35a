"""The table of personal data against the database: exports and erasures forget no table and no column."""

from typing import Final

import pytest
from flask import Flask
from psycopg import Connection, sql

from events.store.connections import connect
from service.players.export.kinds import KINDS
from service.players.personal_data import TABLES
from tests.support.service.full_account import ADDRESS, FullAccount

COLUMNS: Final = """
SELECT c.table_name, array_agg(c.column_name::text) FROM information_schema.columns AS c
JOIN information_schema.tables AS t USING (table_schema, table_name)
LEFT JOIN pg_inherits ON inhrelid = format('%I.%I', table_schema, table_name)::regclass
WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND inhrelid IS NULL GROUP BY c.table_name
"""
REFERRING: Final = """
SELECT conrelid::regclass::text FROM pg_constraint WHERE contype = 'f' AND confrelid = 'players'::regclass
"""
NAMES_OF_COLUMNS: Final = {"player", "owner", "host", "maker", "asker", "actor", "aborted_by", "account", "reporter"}
HOLDING: Final = "SELECT count(*) FROM {table} AS stored WHERE stored::text ILIKE ANY (%s)"
FIELDS: Final = {kind.name: set(kind.fields) for kind in KINDS}
READ_BY_OTHER_MEANS: Final = {"quotas"}  # computed


@pytest.fixture
def columns(database: str, app: Flask) -> dict[str, list[str]]:
    """The columns of each table of the database."""
    with connect(database) as connection:
        return dict(connection.execute(COLUMNS).fetchall())


def test_every_table_has_a_rule(columns: dict[str, list[str]]) -> None:
    assert sorted(TABLES) == sorted(columns)


def test_every_rule_exports_or_gives_a_reason_and_erases_or_gives_one() -> None:
    assert [table for table, rule in TABLES.items() if not (rule.exported or rule.not_exported)] == []
    assert [table for table, rule in TABLES.items() if bool(rule.erased) == bool(rule.kept)] == []
    assert {file for rule in TABLES.values() for file in rule.exported} | READ_BY_OTHER_MEANS == set(FIELDS)


def test_tables_that_refer_to_players_have_rules_for_them(database: str, columns: dict[str, list[str]]) -> None:
    with connect(database) as connection:
        referring = {table for (table,) in connection.execute(REFERRING).fetchall()}
    naming = referring | {table for table, names in columns.items() if NAMES_OF_COLUMNS & set(names)}
    without = {table for table, rule in TABLES.items() if not rule.exported and rule.not_exported == rule.kept}
    assert sorted(naming & without) == []


@pytest.mark.parametrize("table", [table for table, rule in TABLES.items() if rule.exported])
def test_every_column_of_an_exported_table_is_a_field(columns: dict[str, list[str]], table: str) -> None:
    rule = TABLES[table]
    fields = set().union(*(FIELDS[file] for file in rule.exported))
    assert sorted(set(columns[table]) - fields) == sorted(rule.left_out.split())


def test_only_tables_with_a_rule_for_players_hold_the_id_of_one(app: Flask, database: str) -> None:
    anna = FullAccount(app).anna.id
    with connect(database) as connection:
        holding = tables_with(connection, anna, anna.replace("-", ""))
    unnamed = {table for table, rule in TABLES.items() if not rule.exported and rule.not_exported == rule.kept}
    assert sorted(holding & unnamed) == []


def test_an_erasure_leaves_no_name_address_or_browser(app: Flask, database: str) -> None:
    account = FullAccount(app)
    personal = (account.anna.name, ADDRESS, "annas-hook", "the laptop", "own 7")
    with connect(database) as connection:
        assert tables_with(connection, *personal) >= {"players", "sessions", "tokens", "webhooks"}
        assert account.client.delete("/v1/me", headers=account.csrf).status_code == 204
        assert sorted(tables_with(connection, *personal)) == []


def tables_with(connection: Connection, *texts: str) -> set[str]:
    """Returns the tables whose rows hold one of these texts, as text or as bytes."""
    searched = [f"%{form}%" for text in texts for form in (text, text.encode().hex())]
    tables = [table for table, _ in connection.execute(COLUMNS).fetchall()]
    return {table for table in tables if _holds(connection, table, searched)}


def _holds(connection: Connection, table: str, searched: list[str]) -> bool:
    found = connection.execute(sql.SQL(HOLDING).format(table=sql.Identifier(table)), (searched,)).fetchone()
    return found is not None and found[0] > 0
