"""Replacing the master key in the database: the check at the start, batches that go on where they were stopped."""

from collections.abc import Iterator, Sequence
from itertools import islice
from uuid import UUID

import pytest
from psycopg import Connection

from events.sealing.master_keys import UNNAMED, MasterKeys, key_id
from events.sealing.vault import Vault
from events.store.connections import connect
from service.core.sealing.key_rotation import BATCH, MasterKeyMissing, check_master_keys, count_by_key, reseal_all
from service.core.sealing.sealed_columns import SEALED_SEEDS
from tests.events.sealing.test_vault import BEFORE_KEY_IDS, ROW, SECRET

OLD, NEW = b"o" * 32, b"n" * 32
MANY = 2 * BATCH + 50
PUT = "INSERT INTO seeds (id, sealed) VALUES (%s, %s)"


@pytest.fixture
def connection(database: str) -> Iterator[Connection]:
    with connect(database) as connection:
        yield connection


def fill(connection: Connection, vault: Vault, rows: Sequence[int]) -> None:
    for number in rows:
        row = UUID(int=number)
        connection.execute(PUT, (row, vault.seal(SEALED_SEEDS, row, number.to_bytes(32))))


def opened(connection: Connection, vault: Vault) -> list[int]:
    rows = connection.execute("SELECT id, sealed FROM seeds ORDER BY id").fetchall()
    return [int.from_bytes(vault.open(SEALED_SEEDS, row, bytes(sealed))) for row, sealed in rows]


def test_a_rotation_that_was_stopped_goes_on(connection: Connection) -> None:
    fill(connection, Vault(MasterKeys(OLD)), range(1, MANY + 1))
    rotating = Vault(MasterKeys(NEW, previous=OLD))
    assert [batch.changed for batch in islice(reseal_all(connection, rotating), 1)] == [BATCH]
    assert count_by_key(connection, SEALED_SEEDS) == {key_id(OLD): MANY - BATCH, key_id(NEW): BATCH}
    assert opened(connection, rotating) == [*range(1, MANY + 1)]
    assert sum(batch.changed for batch in reseal_all(connection, rotating)) == MANY - BATCH
    assert count_by_key(connection, SEALED_SEEDS) == {key_id(NEW): MANY}
    assert opened(connection, Vault(MasterKeys(NEW))) == [*range(1, MANY + 1)]
    assert [*reseal_all(connection, rotating)] == []


def test_a_secret_that_does_not_open_holds_up_no_other(connection: Connection) -> None:
    fill(connection, Vault(MasterKeys(OLD)), range(1, MANY + 1))
    connection.execute("UPDATE seeds SET sealed = sealed || '\\x00' WHERE id = %s", (UUID(int=2),))
    batches = [*reseal_all(connection, Vault(MasterKeys(NEW, previous=OLD)))]
    assert [row for batch in batches for row in batch.lost] == [UUID(int=2)]
    assert count_by_key(connection, SEALED_SEEDS) == {key_id(OLD): 1, key_id(NEW): MANY - 1}


def test_a_secret_written_meanwhile_is_kept(connection: Connection) -> None:
    old, new = Vault(MasterKeys(OLD, next=NEW)), Vault(MasterKeys(NEW, previous=OLD))
    fill(connection, old, range(1, BATCH + 2))
    batches = reseal_all(connection, new)
    next(batches)
    fresh = new.seal(SEALED_SEEDS, UUID(int=BATCH + 1), (7).to_bytes(32))
    connection.execute("UPDATE seeds SET sealed = %s WHERE id = %s", (fresh, UUID(int=BATCH + 1)))
    assert [*batches] == []
    assert opened(connection, new) == [*range(1, BATCH + 1), 7]


def test_a_process_without_a_key_that_secrets_need_is_refused(connection: Connection) -> None:
    fill(connection, Vault(MasterKeys(OLD)), [1])
    with pytest.raises(MasterKeyMissing, match=f"^seeds.sealed needs the master key {key_id(OLD)}") as refused:
        check_master_keys(connection, Vault(MasterKeys(NEW)))
    assert "CABILDO_MASTER_KEY_PREVIOUS" in str(refused.value)
    check_master_keys(connection, Vault(MasterKeys(NEW, previous=OLD)))
    check_master_keys(connection, Vault(MasterKeys(NEW, next=OLD)))


def test_secrets_of_earlier_versions_need_a_key_that_opens_them(connection: Connection) -> None:
    connection.execute(PUT, (ROW, BEFORE_KEY_IDS))
    check_master_keys(connection, Vault(MasterKeys(NEW)))  # one may be damaged, and stops no process
    for number in (2, 3):
        connection.execute(PUT, (UUID(int=number), BEFORE_KEY_IDS))
    with pytest.raises(MasterKeyMissing, match="needs another master key"):
        check_master_keys(connection, Vault(MasterKeys(NEW)))
    check_master_keys(connection, Vault(MasterKeys(NEW, previous=OLD)))


def test_secrets_of_earlier_versions_are_encrypted_under_the_new_key(connection: Connection) -> None:
    connection.execute(PUT, (ROW, BEFORE_KEY_IDS))
    assert count_by_key(connection, SEALED_SEEDS) == {UNNAMED: 1}
    assert [batch.changed for batch in reseal_all(connection, Vault(MasterKeys(NEW, previous=OLD)))] == [1]
    assert opened(connection, Vault(MasterKeys(NEW))) == [int.from_bytes(SECRET)]


def test_secrets_under_the_next_key_stay_under_it(connection: Connection) -> None:
    fill(connection, Vault(MasterKeys(NEW, previous=OLD)), [1])
    assert [*reseal_all(connection, Vault(MasterKeys(OLD, next=NEW)))] == []
