"""Rotation of the master key in the database: which keys its secrets need, the start-up check, re-encryption."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple
from uuid import UUID

import structlog
from psycopg import Connection
from psycopg.sql import SQL, Composed, Identifier

from events.errors import CabildoError
from events.sealing.master_keys import UNNAMED
from events.sealing.vault import SealedColumn, SealedSecretLost, Vault
from service.core.sealing.sealed_columns import SEALED_COLUMNS
from service.moderation.record import OPERATOR, AdministrativeAct, record_act

BATCH: Final = 100
SAMPLE: Final = 3  # secrets without a key id that are tried at the start; one may be damaged
FIRST: Final = UUID(int=0)
FIRST_KEY: Final = "SELECT min(sealed_under({column})) FROM {table}"
NEXT_KEY: Final = "SELECT min(sealed_under({column})) FROM {table} WHERE sealed_under({column}) > %s"
COUNT: Final = "SELECT count(*) FROM {table} WHERE sealed_under({column}) = %s"
SOME: Final = """
SELECT {id}, {column} FROM {table} WHERE sealed_under({column}) = %s AND {id} > %s ORDER BY {id} LIMIT %s
"""
REPLACE: Final = """
UPDATE {table} SET {column} = fresh.sealed
FROM unnest(%s::uuid[], %s::bytea[], %s::bytea[]) AS fresh (id, before, sealed)
WHERE {table}.{id} = fresh.id AND {table}.{column} = fresh.before
"""
NOTE: Final = "INSERT INTO master_keys (id, since) VALUES (%s, %s) ON CONFLICT DO NOTHING RETURNING id"
log = structlog.get_logger("service.core.sealing.key_rotation")


class MasterKeyMissing(CabildoError):
    """Stored secrets need a master key that this process was not given."""

    def __init__(self, what: str, key: str) -> None:
        named = f"the master key {key}" if key != UNNAMED else "another master key"
        super().__init__(
            f"{what} needs {named}, which this process was not given: while one key replaces another, set "
            "CABILDO_MASTER_KEY_PREVIOUS or CABILDO_MASTER_KEY_NEXT to it"
        )
        self.what = what
        self.key = key


class Resealed(NamedTuple):
    """A batch of a rotation."""

    after: UUID  # its last row
    changed: int  # secrets that are under the current key now
    lost: Sequence[UUID]  # rows whose secrets do not open


def key_ids(connection: Connection, column: SealedColumn) -> list[str]:
    """Returns the ids of the master keys that the secrets of a column need."""
    found = list[str]()
    row = connection.execute(_filled(FIRST_KEY, column)).fetchone()
    while row is not None and row[0] is not None:
        found.append(row[0])
        row = connection.execute(_filled(NEXT_KEY, column), (row[0],)).fetchone()
    return found


def count_by_key(connection: Connection, column: SealedColumn) -> Mapping[str, int]:
    """Returns the number of a column's secrets under each master key."""
    return {id: _count(connection, column, id) for id in key_ids(connection, column)}


def check_master_keys(connection: Connection, vault: Vault) -> None:
    """Raises MasterKeyMissing when a stored secret needs a key that the vault lacks."""
    for column in SEALED_COLUMNS:
        for id in key_ids(connection, column):
            if id != UNNAMED and not vault.knows(id):
                raise MasterKeyMissing(str(column), id)
        if not _unnamed_open(connection, vault, column):
            raise MasterKeyMissing(str(column), UNNAMED)


def begin_rotation(connection: Connection, vault: Vault, at: int) -> None:
    """Stores since when the current master key is used, and records the act, once for each key."""
    with connection.transaction():
        if vault.is_replacing and connection.execute(NOTE, (vault.key_id, at)).fetchone() is not None:
            record_act(connection, at, AdministrativeAct(OPERATOR, "key_rotated", vault.key_id))


def reseal_all(connection: Connection, vault: Vault) -> Iterator[Resealed]:
    """Encrypts all secrets under the current key that are under a replaced one; yields after each batch."""
    for column in SEALED_COLUMNS:
        for id in vault.replaced:
            after = FIRST
            while (batch := _reseal_some(connection, vault, column, id, after)) is not None:
                after = batch.after
                yield batch


def _reseal_some(connection: Connection, vault: Vault, column: SealedColumn, id: str, after: UUID) -> Resealed | None:
    """Encrypts some secrets of a column that are under another key; those that do not open stay as they are.

    Returns None behind the last one. A secret that changes meanwhile keeps its new value.
    """
    rows = connection.execute(_filled(SOME, column), (id, after, BATCH)).fetchall()
    if not rows:
        return None
    fresh: list[tuple[UUID, bytes, bytes]] = []
    lost: list[UUID] = []
    for row, sealed in rows:
        try:
            fresh.append((row, bytes(sealed), vault.reseal(column, row, bytes(sealed))))
        except SealedSecretLost as problem:
            log.warning("secret does not open", column=str(column), row=str(row), reason=str(problem))
            lost.append(row)
    values = tuple(list(each) for each in zip(*fresh, strict=True)) or ([], [], [])
    done = connection.execute(_filled(REPLACE, column), values)
    return Resealed(rows[-1][0], done.rowcount, lost)


def _unnamed_open(connection: Connection, vault: Vault, column: SealedColumn) -> bool:
    """Returns whether a secret without a key id opens under a known key; a single one may be damaged."""
    rows = connection.execute(_filled(SOME, column), (UNNAMED, FIRST, SAMPLE)).fetchall()
    for row, sealed in rows:
        try:
            vault.open(column, row, bytes(sealed))
        except SealedSecretLost:
            continue
        return True
    return len(rows) < SAMPLE


def _count(connection: Connection, column: SealedColumn, id: str) -> int:
    row = connection.execute(_filled(COUNT, column), (id,)).fetchone()
    return int(row[0]) if row else 0


def _filled(statement: str, column: SealedColumn) -> Composed:
    names = {"table": column.table, "id": column.id, "column": column.column}
    return SQL(statement).format(**{place: Identifier(name) for place, name in names.items()})
