"""The client's secret, from which the entropies, hash chains and the signing key of its seats follow; its receipts."""

import hashlib
import hmac
import json
import secrets
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Final
from uuid import UUID

from cabildo_client.commitments import SECRET_BYTES, link_chain
from cabildo_client.errors import MissingExtra
from cabildo_client.json_values import JsonObject

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

CHAIN_LENGTH: Final = 2_000  # links: more than a seat has moves
MOST_CHAINS: Final = 100  # kept computed
ENTROPY, LAST_LINK, SIGNING = b"entropy", b"last link", b"signing key"


class ClientSecrets:
    """A directory of the client; without one, the secret lasts as long as the process and receipts are not kept.

    Everything that a seat brings to a deal follows from the secret and the game, so that a restarted client plays on.
    """

    def __init__(self, directory: Path | None = None) -> None:
        self._receipts = None if directory is None else directory / "receipts.ndjson"
        self._lock = threading.Lock()
        self._chains: dict[tuple[UUID, int], list[bytes]] = {}
        self._secret = secrets.token_bytes(SECRET_BYTES) if directory is None else _kept_secret(directory)

    def entropy(self, game: UUID, chair: int) -> bytes:
        """Returns the entropy that a seat adds to the seed of its game."""
        return self._derived(ENTROPY, game, chair)

    def chain(self, game: UUID, chair: int) -> list[bytes]:
        """Returns the links of a seat's hash chain; the seat commits to the first, each move reveals the next."""
        found = self._chains.get((game, chair))
        if found is None:
            if len(self._chains) >= MOST_CHAINS:
                self._chains.clear()  # the links follow from the secret again
            last = self._derived(LAST_LINK, game, chair)
            found = self._chains[game, chair] = link_chain(game, chair, last, CHAIN_LENGTH)
        return found

    def sign(self, statement: bytes) -> bytes:
        """Returns the player's signature over a statement. Raises MissingExtra without the extra `verify`."""
        return self._key().sign(statement)

    def public_key(self) -> bytes:
        """Returns the key that belongs to the player's signatures. Raises MissingExtra."""
        return self._key().public_key().public_bytes_raw()

    def keep(self, receipt: JsonObject) -> None:
        """Appends a receipt to the file of receipts, one JSON object a line."""
        if self._receipts is not None:
            with self._lock, self._receipts.open("a", encoding="utf-8") as lines:
                lines.write(f"{json.dumps(receipt)}\n")

    def _key(self) -> "Ed25519PrivateKey":
        try:
            from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey as PrivateKey
        except ImportError as missing:
            raise MissingExtra("verify") from missing
        return PrivateKey.from_private_bytes(hmac.digest(self._secret, SIGNING, hashlib.sha256))

    def _derived(self, use: bytes, game: UUID, chair: int) -> bytes:
        return hmac.digest(self._secret, use + game.bytes + chair.to_bytes(1, "big"), hashlib.sha256)


def _kept_secret(directory: Path) -> bytes:
    """Returns the secret of a directory; makes one of mode 600 when there is none."""
    directory.mkdir(parents=True, exist_ok=True)
    kept = directory / "secret"
    if not kept.exists():
        fresh = directory / "secret.new"
        fresh.touch(mode=0o600)
        fresh.write_bytes(secrets.token_bytes(SECRET_BYTES))
        fresh.replace(kept)
    return kept.read_bytes()
