"""Keys of notices: the one that signs pushes (VAPID), made by the keeper, and the one of links that end mails."""

import os
from typing import Final

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from psycopg import Connection

from events.sealing.vault import Vault
from service.core.sealing.made_keys import find_key, find_or_keep_key

VAPID_KEY: Final = "web push"
LINK_KEY: Final = "unsubscribe links"
BYTES: Final = 32


def vapid_key(connection: Connection, vault: Vault, at: int) -> ec.EllipticCurvePrivateKey:
    """Returns the key that signs what is sent to push services; makes it when there is none."""
    return _private_key(find_or_keep_key(connection, vault, at, VAPID_KEY, _new_scalar()))


def public_vapid_key(connection: Connection, vault: Vault) -> bytes | None:
    """Returns its public key, as browsers take it; None until the keeper has made the key."""
    scalar = find_key(connection, vault, VAPID_KEY)
    if scalar is None:
        return None
    form = serialization.PublicFormat.UncompressedPoint
    return _private_key(scalar).public_key().public_bytes(serialization.Encoding.X962, form)


def link_key(connection: Connection, vault: Vault, at: int) -> bytes:
    """Returns the key of the links that end mails; makes it when there is none."""
    return find_or_keep_key(connection, vault, at, LINK_KEY, os.urandom(BYTES))


def link_key_if_made(connection: Connection, vault: Vault) -> bytes | None:
    """Returns the key of the links that end mails; None while no link was made."""
    return find_key(connection, vault, LINK_KEY)


def _new_scalar() -> bytes:
    return ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value.to_bytes(BYTES)


def _private_key(scalar: bytes) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(scalar), ec.SECP256R1())
