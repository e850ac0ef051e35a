"""Encrypts server seeds in the database until their game reveals them; supports rotation of master keys."""

import os
from collections.abc import Mapping
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from projections.games.errors import SealedSeedLost

_NONCE = 12
_LABEL = b"cabildo/seed-box/v1"


class SeedVault:
    """Encrypts with the current master key and decrypts with any known one.

    Sealed bytes are: length of the key's id, the id, nonce (12), AES-GCM ciphertext with its tag. The game's id is
    authenticated with them, so that a seed cannot be moved to another game.
    """

    def __init__(self, keys: Mapping[str, bytes], current: str) -> None:
        self._ciphers = {key_id: AESGCM(key) for key_id, key in keys.items()}
        self._current = current
        if current not in keys:
            raise SealedSeedLost(f"there is no master key {current!r}")

    def seal(self, game: UUID, seed: bytes) -> bytes:
        """Returns the encrypted seed."""
        head = _head(self._current)
        nonce = os.urandom(_NONCE)
        return head + nonce + self._ciphers[self._current].encrypt(nonce, seed, _LABEL + head + game.bytes)

    def open(self, game: UUID, sealed: bytes) -> bytes:
        """Returns the decrypted seed of this game."""
        key_id = self.key_id(sealed)
        if key_id not in self._ciphers:
            raise SealedSeedLost(f"there is no master key {key_id!r}")
        head = _head(key_id)
        nonce, ciphertext = sealed[len(head) : len(head) + _NONCE], sealed[len(head) + _NONCE :]
        try:
            return self._ciphers[key_id].decrypt(nonce, ciphertext, _LABEL + head + game.bytes)
        except (InvalidTag, ValueError) as error:
            raise SealedSeedLost(f"the seed of game {game} does not open") from error

    @staticmethod
    def key_id(sealed: bytes) -> str:
        """Returns the id of the master key; after a rotation, seeds under old keys are encrypted again."""
        return sealed[1 : 1 + sealed[0]].decode("utf-8", "replace") if sealed else ""


def _head(key_id: str) -> bytes:
    encoded = key_id.encode()
    return bytes([len(encoded)]) + encoded
