"""The master key that encrypts stored secrets, and the keys that only decrypt while one key replaces another."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

UNNAMED: Final = "1"  # the id in secrets of versions that knew one master key only
ID: Final = re.compile(rb"[0-9a-f]{8}")
_LABEL: Final = b"cabildo/key-id/v1\n"


def key_id(key: bytes) -> str:
    """Returns the id of a master key, which ciphertexts carry: 8 hexadecimal digits of a hash."""
    return sha256(_LABEL + key).hexdigest()[:8]


@dataclass(frozen=True, repr=False)
class MasterKeys:
    """The master keys of a process: it encrypts under the current one and decrypts under each."""

    current: bytes
    previous: bytes | None = None  # the key that the current one replaces
    next: bytes | None = None  # the key that will replace the current one, which other processes may use already

    @property
    def known(self) -> tuple[bytes, ...]:
        """The keys, the current one first, none twice."""
        given = (self.current, self.previous, self.next)
        return tuple(dict.fromkeys(key for key in given if key is not None))

    @property
    def by_id(self) -> Mapping[str, bytes]:
        """The keys by their ids."""
        return {key_id(key): key for key in self.known}

    @property
    def current_id(self) -> str:
        """The id of the key that encrypts."""
        return key_id(self.current)

    @property
    def is_replacing(self) -> bool:
        """Whether the current key replaces another."""
        return self.previous not in (None, self.current)

    @property
    def replaced(self) -> tuple[str, ...]:
        """The ids of ciphertexts that a rotation encrypts again."""
        return (UNNAMED, key_id(self.previous)) if self.previous and self.is_replacing else (UNNAMED,)

    def named(self, id: str) -> tuple[bytes, ...]:
        """Returns the keys that a ciphertext may need: the one of its id, or each for one that has no id."""
        if id == UNNAMED:
            return self.known
        key = self.by_id.get(id)
        return () if key is None else (key,)
