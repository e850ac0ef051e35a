"""`cabildo distribute` refuses other servers; schema and statements keep to what a Citus cluster takes."""

import re
from collections.abc import Iterator, Mapping

import psycopg
import pytest
from click.testing import CliRunner

from deploy.cli import main
from deploy.local.distribution import COLUMNS, COPIED
from tests.support.source_tree import place, product
from tests.support.sql_shapes import Select, selects, statements_of

UNIQUE = """
WITH spread AS (
    SELECT relid AS oid, root FROM unnest(%s::text[]) AS root CROSS JOIN LATERAL pg_partition_tree(root::regclass)
    UNION SELECT root::regclass, root FROM unnest(%s::text[]) AS root
)
SELECT root, indexrelid::regclass::text, ARRAY(
    SELECT attname::text FROM pg_attribute WHERE attrelid = indrelid AND attnum = ANY (indkey)
) FROM pg_index JOIN spread ON indrelid = spread.oid WHERE indisunique
"""
FOREIGN_KEYS = """
SELECT conrelid::regclass::text, confrelid::regclass::text FROM pg_constraint
WHERE contype = 'f' AND (conrelid::regclass::text = ANY (%(tables)s) OR confrelid::regclass::text = ANY (%(tables)s))
"""
FUNCTIONS = """
SELECT proname, prosrc, lanname, prosecdef, pg_get_userbyid(proowner) FROM pg_proc
JOIN pg_language ON pg_language.oid = prolang WHERE pronamespace = 'public'::regnamespace
"""
LOCAL_TABLES = """
SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v')
"""
VIEWS = ("streams_begun", "event_documents")  # of distributed tables
MAY_LOG_IN_ON_WORKERS = ("cabildo_owner",)
SWITCHES = ("guard", "make_months")  # of partitions, which the coordinator's catalog knows
NOT_ON_A_CLUSTER = ("deploy/bench/", "events/cold/move_out.py", "service/operations/finished_months.py")
CATALOGUE = """
SET allow_system_table_mods = on;
CREATE TABLE pg_catalog.pg_dist_partition (logicalrelid regclass);
GRANT SELECT ON pg_dist_partition TO PUBLIC;
INSERT INTO pg_dist_partition VALUES ('events');
"""
ADDRESSES = re.compile(r"\bctid\b|\bxmin\b")
JUDGED_BY_NAME = re.compile(r"diag\.(table_name|constraint_name)|UniqueViolation")
ON_ACCOUNTS = ("service/players/commands/accounts.py",)  # tables that stay on the coordinator
LIMITED = re.compile(r"\bLIMIT\b")
RECURSIVE = re.compile(r"\bWITH RECURSIVE\b|\bFOR (UPDATE|SHARE)\b")


def spread(name: str) -> bool:
    """Whether a table lies on several servers."""
    return name in COLUMNS or name in VIEWS or re.fullmatch(r"events_\w+", name) is not None


@pytest.fixture(scope="module")
def local_tables(module_database: str) -> frozenset[str]:
    """The tables and views that stay on the coordinator."""
    with psycopg.connect(module_database) as connection:
        names = {name for (name,) in connection.execute(LOCAL_TABLES)}
    return frozenset(name for name in names if not spread(name) and name not in COPIED)


@pytest.fixture(scope="module")
def functions(module_database: str) -> Mapping[str, tuple[str, str, bool, str]]:
    """The functions of the schema by name: text, language, whether the rights are the owner's, who that is."""
    with psycopg.connect(module_database) as connection:
        return {
            name: (text, language, definer, owner)
            for name, text, language, definer, owner in connection.execute(FUNCTIONS)
        }


def texts(functions: Mapping[str, tuple[str, str, bool, str]]) -> Iterator[tuple[str, str]]:
    """Yields all statements of the product with where they stand."""
    for module in product():
        if not place(module).startswith(NOT_ON_A_CLUSTER):
            for statement in statements_of(module):
                yield place(module), statement
    for name, (text, *_) in functions.items():
        if name not in SWITCHES:
            yield f"{name}()", text


def reads_spread(select: Select) -> bool:
    return any(map(spread, select.tables.values()))


def test_a_server_without_citus_is_refused_by_name(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", database)
    done = CliRunner().invoke(main, ["distribute"])
    assert done.exit_code == 1
    assert "this database has no extension citus" in done.output


def test_no_month_is_archived_where_events_lie_on_several_servers(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with psycopg.connect(database, autocommit=True) as admin:
        admin.execute(CATALOGUE)
    monkeypatch.setenv("DATABASE_URL", database)
    done = CliRunner().invoke(main, ["months", "archive", "2026-01"])
    assert done.exit_code == 1
    assert "months are not archived on a Citus cluster" in done.output


def test_unique_keys_contain_the_column_of_the_stream(module_database: str) -> None:
    with psycopg.connect(module_database) as connection:
        tables = [*COLUMNS]
        keys = connection.execute(UNIQUE, (["events"], tables)).fetchall()
    assert {root for root, *_ in keys} == {*COLUMNS}
    assert [(key, columns) for root, key, columns in keys if COLUMNS[root] not in columns] == []


def test_no_foreign_key_leads_to_or_from_a_distributed_table(module_database: str) -> None:
    with psycopg.connect(module_database) as connection:
        found = connection.execute(FOREIGN_KEYS, {"tables": [*COLUMNS]}).fetchall()
    assert [(table, other) for table, other in found if other not in COPIED] == []


def test_functions_that_read_distributed_tables_are_no_sql_functions(
    functions: Mapping[str, tuple[str, str, bool, str]],
) -> None:
    found = [
        name
        for name, (text, language, *_) in functions.items()
        if language == "sql" and any(map(reads_spread, selects(text)))
    ]
    assert found == []


def test_functions_with_own_rights_belong_to_a_role_of_the_workers(
    functions: Mapping[str, tuple[str, str, bool, str]],
) -> None:
    owners = {
        name: owner
        for name, (text, _, definer, owner) in functions.items()
        if definer and any(map(reads_spread, selects(text)))
    }
    assert {"sequence", "adopt"} <= {*owners}
    assert {*owners.values()} <= {*MAY_LOG_IN_ON_WORKERS}


def test_no_statement_names_rows_by_their_address(functions: Mapping[str, tuple[str, str, bool, str]]) -> None:
    assert [where for where, text in texts(functions) if ADDRESSES.search(text)] == []


def test_lost_races_are_judged_by_an_sqlstate_of_their_own() -> None:
    found = [place(module) for module in product() if JUDGED_BY_NAME.search(module.read_text())]
    assert [where for where in found if where not in ON_ACCOUNTS] == []


def test_recursion_and_locks_of_rows_stay_on_the_coordinator(
    functions: Mapping[str, tuple[str, str, bool, str]],
) -> None:
    found = [
        where for where, text in texts(functions) if RECURSIVE.search(text) and any(map(reads_spread, selects(text)))
    ]
    assert found == []


def test_no_subquery_of_one_side_runs_for_each_row_of_the_other(
    functions: Mapping[str, tuple[str, str, bool, str]], local_tables: frozenset[str]
) -> None:
    found = [
        (where, " ".join(select.words.split()))
        for where, text in texts(functions)
        for select in selects(text)
        if is_correlated(select) and mixes(select, local_tables)
    ]
    assert found == []


def test_no_outer_join_fetches_a_distributed_table_whole(
    functions: Mapping[str, tuple[str, str, bool, str]], local_tables: frozenset[str]
) -> None:
    found = [
        (where, " ".join(select.words.split()))
        for where, text in texts(functions)
        for select in selects(text)
        if any(map(spread, select.left_joined)) and local_tables & {*select.tables.values()}
    ]
    assert found == []


def test_newest_rows_are_of_streams_that_a_distributed_table_names(
    functions: Mapping[str, tuple[str, str, bool, str]],
) -> None:
    found = [
        (where, " ".join(select.words.split()))
        for where, text in texts(functions)
        for select in selects(text)
        if select.before.endswith("LATERAL") and LIMITED.search(select.words) and reads_spread(select)
        if not any(map(spread, named_around(select)))
    ]
    assert found == []


def is_correlated(select: Select) -> bool:
    """Whether a SELECT runs for each row around it: it tests for rows, or names tables around it."""
    return bool(named_around(select)) or select.before.endswith(("EXISTS", "LATERAL"))


def named_around(select: Select) -> set[str]:
    """Returns the tables around a SELECT that it names."""
    around = {alias: table for outer in select.enclosing() for alias, table in outer.tables.items()}
    return {
        table
        for alias, table in around.items()
        if alias not in select.tables and re.search(rf"\b{alias}\.", select.words)
    }


def mixes(select: Select, local_tables: frozenset[str]) -> bool:
    """Whether a SELECT and the tables around it that it names, or may name, are of both sides."""
    inner = {*select.tables.values()}
    around = named_around(select) or {name for outer in select.enclosing() for name in outer.tables.values()}
    is_spread, is_local = any(map(spread, inner)), bool(local_tables & inner)
    return (is_spread and bool(local_tables & around)) or (is_local and any(map(spread, around)))
