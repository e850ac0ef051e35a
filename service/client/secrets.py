"""What a client keeps to itself: a secret from which its seats' entropies and hash chains come, and its receipts."""

import hashlib
import hmac
import json
import secrets
import threading
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from projections.games import chance

CHAIN: Final = 2_000  # links: more than a seat has moves
ENTROPY, LAST_LINK, SIGNING = b"entropy", b"last link", b"signing key"


class ClientSecrets:
    """A directory of the client's own; without one, the secret lasts as long as the process and no receipt is kept.

    Everything a seat brings to a deal follows from the secret and the game, so that a restarted client plays on.
    """

    def __init__(self, directory: Path | None = None) -> None:
        self._receipts = None if directory is None else directory / "receipts.ndjson"
        self._lock = threading.Lock()
        self._chains: dict[tuple[UUID, int], list[bytes]] = {}
        self._secret = secrets.token_bytes(chance.SECRET) if directory is None else _kept_secret(directory)

    def entropy(self, game: UUID, chair: int) -> bytes:
        """What a seat adds to the seed of its game."""
        return self._derived(ENTROPY, game, chair)

    def chain(self, game: UUID, chair: int) -> list[bytes]:
        """The links of a seat's hash chain; the first is what it commits to, each move shows the next."""
        found = self._chains.get((game, chair))
        if found is None:
            last = self._derived(LAST_LINK, game, chair)
            found = self._chains[game, chair] = chance.chain(game, chair, last, CHAIN)
        return found

    def sign(self, statement: bytes) -> bytes:
        """The player's signature over a statement."""
        return self._key().sign(statement)

    def public_key(self) -> bytes:
        """The key that belongs to the player's signatures."""
        return self._key().public_key().public_bytes_raw()

    def _key(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(hmac.digest(self._secret, SIGNING, hashlib.sha256))

    def keep(self, receipt: dict[str, Any]) -> None:
        """Write a receipt down, a line each."""
        if self._receipts is not None:
            with self._lock, self._receipts.open("a", encoding="utf-8") as lines:
                lines.write(f"{json.dumps(receipt)}\n")

    def _derived(self, what: bytes, game: UUID, chair: int) -> bytes:
        return hmac.digest(self._secret, what + game.bytes + chair.to_bytes(1, "big"), hashlib.sha256)


def _kept_secret(directory: Path) -> bytes:
    """The secret of a directory, made when there is none."""
    directory.mkdir(parents=True, exist_ok=True)
    kept = directory / "secret"
    if not kept.exists():
        fresh = directory / "secret.new"
        fresh.touch(mode=0o600)
        fresh.write_bytes(secrets.token_bytes(chance.SECRET))
        fresh.replace(kept)
    return kept.read_bytes()
