"""Stores e-mail addresses of accounts: sealed, with a keyed hash by which equal addresses are found."""

import hmac
import os
from typing import Final, NamedTuple
from uuid import UUID

import structlog
from psycopg import Connection

from events.event import new_stream
from events.sealing.vault import SealedSecretLost, Vault
from service.core.sealing.made_keys import find_or_keep_key
from service.core.sealing.sealed_columns import EMAIL_ADDRESSES

LOOKUP_KEY: Final = "email lookup"
KEY_BYTES: Final = 32
OF_PLAYER: Final = """
SELECT id, sealed, language, created, confirmed FROM email_addresses
WHERE player = %s AND (confirmed IS NOT NULL OR expires > %s) ORDER BY confirmed NULLS LAST
"""
DROP_WAITING: Final = "DELETE FROM email_addresses WHERE player = %s AND confirmed IS NULL"
DROP_EXPIRED: Final = "DELETE FROM email_addresses WHERE confirmed IS NULL AND expires <= %s"
DROP_CONFIRMED: Final = "DELETE FROM email_addresses WHERE player = %s AND confirmed IS NOT NULL"
PUT: Final = """
INSERT INTO email_addresses (id, player, sealed, looked_up, language, created, code, expires)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
"""
FITS: Final = """
SELECT id FROM email_addresses WHERE player = %s AND confirmed IS NULL AND code = %s AND expires > %s FOR UPDATE
"""
CONFIRM: Final = "UPDATE email_addresses SET confirmed = %s, code = NULL, expires = NULL WHERE id = %s"
WITH_ADDRESS: Final = """
SELECT player FROM email_addresses WHERE looked_up = %s AND confirmed IS NOT NULL ORDER BY confirmed DESC LIMIT %s
"""
log = structlog.get_logger("service.players.email")


class StoredAddress(NamedTuple):
    """An address as it is stored."""

    id: UUID
    address: str
    language: str  # of mails to it
    created: int
    confirmed: int | None  # None: waits for its code


class NewAddress(NamedTuple):
    """An address that a player wants to store."""

    player: UUID
    address: str
    language: str
    code: bytes  # the hash of the code that confirms it
    expires: int  # of the code


class AccountEmail(NamedTuple):
    """The addresses of an account."""

    confirmed: StoredAddress | None = None
    waiting: StoredAddress | None = None


def email_of(connection: Connection, vault: Vault, at: int, player: UUID) -> AccountEmail:
    """Returns the confirmed address of a player, and the one that waits for its code."""
    rows = connection.execute(OF_PLAYER, (player, at)).fetchall()
    stored = [one for one in (_opened(vault, *row) for row in rows) if one is not None]
    return AccountEmail(
        next((one for one in stored if one.confirmed is not None), None),
        next((one for one in stored if one.confirmed is None), None),
    )


def _opened(
    vault: Vault, id: UUID, sealed: bytes, language: str, created: int, confirmed: int | None
) -> StoredAddress | None:
    """Returns a stored address; None for one that does not open, so that another one may be stored in its place."""
    try:
        address = vault.open(EMAIL_ADDRESSES, id, bytes(sealed)).decode()
    except SealedSecretLost:
        log.warning("an e-mail address does not open", row=str(id))
        return None
    return StoredAddress(id, address, language, created, confirmed)


def put_waiting(connection: Connection, vault: Vault, at: int, new: NewAddress) -> bytes:
    """Stores an address that waits for its code, instead of another such one. Returns its keyed hash."""
    id, hashed = new_stream(at), address_hash(connection, vault, at, new.address)
    sealed = vault.seal(EMAIL_ADDRESSES, id, new.address.encode())
    connection.execute(DROP_WAITING, (new.player,))
    connection.execute(PUT, (id, new.player, sealed, hashed, new.language, at, new.code, new.expires))
    return hashed


def confirm_waiting(connection: Connection, at: int, player: UUID, code: bytes) -> bool:
    """Lets the waiting address replace the confirmed one. Returns False for a wrong code."""
    row = connection.execute(FITS, (player, code, at)).fetchone()
    if row is None:
        return False
    connection.execute(DROP_CONFIRMED, (player,))
    connection.execute(CONFIRM, (at, row[0]))
    return True


def drop_waiting(connection: Connection, player: UUID) -> None:
    """Removes the address of a player that waits for its code."""
    connection.execute(DROP_WAITING, (player,))


def drop_expired(connection: Connection, at: int) -> None:
    """Removes all addresses whose codes were not entered in time."""
    connection.execute(DROP_EXPIRED, (at,))


def drop_confirmed(connection: Connection, player: UUID) -> None:
    """Removes the confirmed address of a player."""
    connection.execute(DROP_CONFIRMED, (player,))


def players_with_address(connection: Connection, vault: Vault, at: int, address: str, most: int) -> list[UUID]:
    """Returns the players who confirmed an address, newest first."""
    hashed = address_hash(connection, vault, at, address)
    return [player for (player,) in connection.execute(WITH_ADDRESS, (hashed, most)).fetchall()]


def address_hash(connection: Connection, vault: Vault, at: int, address: str) -> bytes:
    """Returns the keyed hash of an address, without regard to case; makes the key when there is none."""
    key = find_or_keep_key(connection, vault, at, LOOKUP_KEY, os.urandom(KEY_BYTES))
    return hmac.digest(key, address.casefold().encode(), "sha256")
