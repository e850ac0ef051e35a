"""The table of sealed columns is complete: the rotation of the master key leaves no column out."""

from psycopg import Connection
from psycopg.sql import SQL, Literal

from events.store.connections import connect
from service.core.sealing.sealed_columns import SEALED_COLUMNS
from tests.support.source_tree import place, product

BINARY = """
SELECT attrelid::regclass || '.' || attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
    AND atttypid = 'bytea'::regtype AND attnum > 0 AND NOT attisdropped
"""
INDEXED = """
SELECT count(*) FROM pg_index WHERE indrelid = {table}::regclass
    AND pg_get_indexdef(indexrelid) LIKE '%(sealed_under(' || {column} || '), ' || {id} || ')'
"""
MAY_UPDATE = "SELECT has_column_privilege('cabildo_service', {table}, {column}, 'UPDATE')"
NOT_SEALED = {  # names of columns
    *(
        "answer",
        "body",
        "code",
        "edge",
        "family",
        "hash",
        "head",
        "leaf",
        "looked_up",
        "manifest",
        "refresh",
        "request",
        "root",
        "salt",
        "title",
    ),
}
PUBLIC_KEYS = {"players.key", "talk_messages.key"}  # the second is the hash of a key that a client chose


def binary_columns(connection: Connection) -> set[str]:
    return {str(name) for (name,) in connection.execute(BINARY).fetchall()}


def test_every_binary_column_is_sealed_or_known_not_to_be(database: str) -> None:
    with connect(database) as connection:
        found = binary_columns(connection)
    known = {str(column) for column in SEALED_COLUMNS} | PUBLIC_KEYS
    doubtful = {name for name in found if name.partition(".")[2] not in NOT_SEALED}
    assert doubtful == known, "add a row to SEALED_COLUMNS for a secret; else its name to NOT_SEALED"


def test_every_sealed_column_is_found_by_key_and_may_be_changed(database: str) -> None:
    with connect(database) as connection:
        for column in SEALED_COLUMNS:
            for question, expected in ((INDEXED, 1), (MAY_UPDATE, True)):
                names = {name: Literal(value) for name, value in column._asdict().items()}
                query = SQL(question).format(**names)
                assert connection.execute(query).fetchone() == (expected,), (column, question)


def test_sealed_columns_are_named_in_their_table_alone() -> None:
    makers = {place(module) for module in product() if "SealedColumn(" in module.read_text()}
    assert makers == {"events/sealing/vault.py", "service/core/sealing/sealed_columns.py"}
