"""Secrets at rest: each opens under the key whose id it carries, in its own row and column only."""

from uuid import UUID

import pytest

from events.sealing.master_keys import MasterKeys, key_id
from events.sealing.vault import SealedColumn, SealedSecretLost, Vault, sealed_under
from service.core.sealing.sealed_columns import SEALED_SEEDS, WEBHOOK_SECRETS

ROW = UUID(int=1)
SECRET = bytes(range(32))
OLD, NEW = b"o" * 32, b"n" * 32
BEFORE_KEY_IDS = bytes.fromhex(  # SECRET in ROW under OLD, as versions with one master key sealed it
    "0131b4392a104394da55227cec17a7916f3da6146cdd868a12c0859fd607539ef5f2e19e677726467c366f945f200e788a885c529574a0"
    "96288ec758d888"
)
FIRST_WITH_KEY_ID = bytes.fromhex(  # the same, as the first version with ids of keys sealed it as a seed
    "083939636433313432c8355db2a2598df7e84006c22c6198251077e2eb24d7e9136dc7795444d4d3afd2b2fa2bb567ad1aa54b47baf6a52f9e"
    "8ed6ce9445417c937af9eb11"
)


def test_a_sealed_secret_opens_under_its_key_after_a_rotation() -> None:
    sealed = Vault(MasterKeys(OLD)).seal(SEALED_SEEDS, ROW, SECRET)
    rotated = Vault(MasterKeys(NEW, previous=OLD))
    fresh = rotated.reseal(SEALED_SEEDS, ROW, sealed)
    assert rotated.open(SEALED_SEEDS, ROW, sealed) == rotated.open(SEALED_SEEDS, ROW, fresh) == SECRET
    assert (sealed_under(sealed), sealed_under(fresh)) == (key_id(OLD), key_id(NEW))
    assert SECRET not in sealed


def test_a_process_that_knows_the_next_key_encrypts_under_its_own() -> None:
    before, after = Vault(MasterKeys(OLD, next=NEW)), Vault(MasterKeys(NEW, previous=OLD))
    assert before.open(SEALED_SEEDS, ROW, after.seal(SEALED_SEEDS, ROW, SECRET)) == SECRET
    assert after.open(SEALED_SEEDS, ROW, before.seal(SEALED_SEEDS, ROW, SECRET)) == SECRET
    assert sealed_under(before.seal(SEALED_SEEDS, ROW, SECRET)) == key_id(OLD)


@pytest.mark.parametrize("column", [SEALED_SEEDS, WEBHOOK_SECRETS])
@pytest.mark.parametrize("keys", [MasterKeys(OLD), MasterKeys(NEW, previous=OLD), MasterKeys(NEW, next=OLD)])
def test_a_secret_of_an_earlier_version_opens(column: SealedColumn, keys: MasterKeys) -> None:
    assert Vault(keys).open(column, ROW, BEFORE_KEY_IDS) == SECRET


def test_a_secret_of_the_first_version_with_key_ids_opens() -> None:
    assert Vault(MasterKeys(NEW, previous=OLD)).open(SEALED_SEEDS, ROW, FIRST_WITH_KEY_ID) == SECRET


def test_a_secret_without_its_key_is_lost() -> None:
    sealed = Vault(MasterKeys(OLD)).seal(SEALED_SEEDS, ROW, SECRET)
    with pytest.raises(SealedSecretLost, match=f"there is no master key '{key_id(OLD)}'"):
        Vault(MasterKeys(NEW)).open(SEALED_SEEDS, ROW, sealed)
    with pytest.raises(SealedSecretLost, match="does not open"):
        Vault(MasterKeys(NEW)).open(SEALED_SEEDS, ROW, BEFORE_KEY_IDS)


def test_a_secret_opens_in_its_own_row_and_column_only() -> None:
    vault = Vault(MasterKeys(OLD))
    sealed = vault.seal(SEALED_SEEDS, ROW, SECRET)
    with pytest.raises(SealedSecretLost):
        vault.open(SEALED_SEEDS, UUID(int=2), sealed)
    with pytest.raises(SealedSecretLost):
        vault.open(WEBHOOK_SECRETS, ROW, sealed)


@pytest.mark.parametrize(
    "sealed", [Vault(MasterKeys(OLD)).seal(SEALED_SEEDS, ROW, SECRET), BEFORE_KEY_IDS], ids=["now", "before key ids"]
)
def test_changed_bytes_never_open(sealed: bytes) -> None:
    vault = Vault(MasterKeys(OLD))
    for at in range(len(sealed)):
        with pytest.raises(SealedSecretLost):
            vault.open(SEALED_SEEDS, ROW, sealed[:at] + bytes([sealed[at] ^ 1]) + sealed[at + 1 :])
        with pytest.raises(SealedSecretLost):
            vault.open(SEALED_SEEDS, ROW, sealed[:at])


def test_keys_are_not_shown() -> None:
    keys = MasterKeys(OLD, previous=NEW)
    assert "ooo" not in f"{keys} {keys!r}"
    assert "nnn" not in f"{keys} {keys!r}"


def test_a_key_that_is_given_twice_counts_once() -> None:
    assert MasterKeys(OLD, previous=OLD, next=OLD).known == (OLD,)
