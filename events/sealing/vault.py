"""Encrypts secrets in the database under the master key.

Sealed bytes are: the length of the key's id, the id, a nonce (12), the AES-GCM ciphertext with its tag. The column and
the row's id are authenticated with them, so that a secret cannot be moved to another row or column.
"""

import os
from typing import Final, NamedTuple
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from events.errors import CabildoError
from events.sealing.master_keys import UNNAMED, MasterKeys

NONCE: Final = 12
_LABEL: Final = b"cabildo/sealed/v2\n"
_FIRST_LABEL: Final = b"cabildo/seed-box/v1"  # of secrets under an unnamed key: sealed under the master key itself


class SealedColumn(NamedTuple):
    """A column of secrets under the master key, in a table with a uuid as its primary key."""

    table: str
    id: str
    column: str

    def __str__(self) -> str:
        return f"{self.table}.{self.column}"


class SealedSecretLost(CabildoError):
    """A stored secret cannot be opened: its master key is not here, or the bytes were changed."""


class Vault:
    """Encrypts under the current master key and decrypts under any known one."""

    def __init__(self, keys: MasterKeys) -> None:
        self._keys = keys
        self._named = {id: AESGCM(_derived(key)) for id, key in keys.by_id.items()}
        self._unnamed = [AESGCM(key) for key in keys.known]

    @property
    def key_id(self) -> str:
        """The id of the key that encrypts."""
        return self._keys.current_id

    @property
    def is_replacing(self) -> bool:
        """Whether the key that encrypts replaces another."""
        return self._keys.is_replacing

    @property
    def replaced(self) -> tuple[str, ...]:
        """The ids of secrets that a rotation encrypts again."""
        return self._keys.replaced

    def knows(self, id: str) -> bool:
        """Returns whether secrets under the key of this id open."""
        return id in self._named

    def seal(self, column: SealedColumn, row: UUID, secret: bytes) -> bytes:
        """Returns the encrypted secret of a row."""
        head, nonce = _head(self.key_id), os.urandom(NONCE)
        return head + nonce + self._named[self.key_id].encrypt(nonce, secret, _bound(column, head, row))

    def open(self, column: SealedColumn, row: UUID, sealed: bytes) -> bytes:
        """Returns the decrypted secret of a row. Raises SealedSecretLost."""
        id = sealed_under(sealed)
        head = _head(id)
        nonce, ciphertext = sealed[len(head) : len(head) + NONCE], sealed[len(head) + NONCE :]
        if id == UNNAMED:
            ciphers, label = self._unnamed, _FIRST_LABEL + head + row.bytes
        else:
            ciphers, label = [self._named[id]] if id in self._named else [], _bound(column, head, row)
        if not ciphers:
            raise SealedSecretLost(f"there is no master key {id!r}")
        for cipher in ciphers:
            try:
                return cipher.decrypt(nonce, ciphertext, label)
            except (InvalidTag, ValueError):
                continue
        raise SealedSecretLost(f"the secret {column} of {row} does not open")

    def reseal(self, column: SealedColumn, row: UUID, sealed: bytes) -> bytes:
        """Returns a row's secret, encrypted under the current key. Raises SealedSecretLost."""
        return self.seal(column, row, self.open(column, row, sealed))


def sealed_under(sealed: bytes) -> str:
    """Returns the id of the master key of a ciphertext."""
    return sealed[1 : 1 + sealed[0]].decode("utf-8", "replace") if sealed else ""


def _derived(key: bytes) -> bytes:
    return HKDF(SHA256(), 32, salt=None, info=_LABEL).derive(key)


def _head(id: str) -> bytes:
    encoded = id.encode()
    return bytes([len(encoded) & 0xFF]) + encoded


def _bound(column: SealedColumn, head: bytes, row: UUID) -> bytes:
    return _LABEL + str(column).encode() + b"\n" + head + row.bytes
