"""Stores second factors with sealed secrets, and uses their codes up."""

from typing import Final, NamedTuple
from uuid import UUID

import structlog
from psycopg import Connection

from events.sealing.vault import SealedSecretLost, Vault
from service.core.sealing.sealed_columns import SECOND_FACTORS
from service.players.recovery_codes import code_hash
from service.players.second_factor.totp import step_of

OF_PLAYER: Final = "SELECT id, sealed, confirmed FROM second_factors WHERE player = %s"
PUT: Final = """
INSERT INTO second_factors (id, player, sealed, created) VALUES (%s, %s, %s, %s)
ON CONFLICT (player) DO UPDATE SET id = excluded.id, sealed = excluded.sealed, created = excluded.created
WHERE second_factors.confirmed IS NULL
"""
CONFIRM: Final = "UPDATE second_factors SET confirmed = %s, last_step = %s WHERE id = %s AND confirmed IS NULL"
USE_STEP: Final = "UPDATE second_factors SET last_step = %s WHERE id = %s AND last_step < %s"
USE_RECOVERY_CODE: Final = "DELETE FROM recovery_codes WHERE hash = %s AND player = %s AND expires IS NULL"
REMOVE: Final = "DELETE FROM second_factors WHERE player = %s"
log = structlog.get_logger("service.players.second_factor")


class SecondFactor(NamedTuple):
    """A second factor with its sealed secret."""

    id: UUID
    player: UUID
    sealed: bytes
    confirmed: int | None  # None: not in force yet


def second_factor_of(connection: Connection, player: UUID) -> SecondFactor | None:
    """Returns the second factor of a player, also one that is not confirmed; None without one."""
    row = connection.execute(OF_PLAYER, (player,)).fetchone()
    return None if row is None else SecondFactor(row[0], player, bytes(row[1]), row[2])


def put_secret(connection: Connection, vault: Vault, at: int, id: UUID, player: UUID, secret: str) -> bool:
    """Stores a secret that is not confirmed yet, instead of another such one. Returns False when one is in force."""
    row = (id, player, vault.seal(SECOND_FACTORS, id, secret.encode()), at)
    return connection.execute(PUT, row).rowcount == 1


def confirm(connection: Connection, vault: Vault, at: int, factor: SecondFactor, code: str) -> bool:
    """Puts a second factor in force by a first code. Returns False for a wrong code."""
    step = _step(vault, factor, code, at)
    return step is not None and connection.execute(CONFIRM, (at, step, factor.id)).rowcount == 1


def use_code(connection: Connection, vault: Vault, at: int, factor: SecondFactor, code: str) -> bool:
    """Uses up a code of the second factor or a recovery code of the player's set. Returns False for a wrong one.

    A code that was sent by mail or given by the operator does not stand in for the second factor.
    """
    step = _step(vault, factor, code, at)
    if step is not None:
        return connection.execute(USE_STEP, (step, factor.id, step)).rowcount == 1
    return connection.execute(USE_RECOVERY_CODE, (code_hash(code), factor.player)).rowcount == 1


def remove_second_factor(connection: Connection, player: UUID) -> bool:
    """Removes the second factor of a player. Returns whether there was one."""
    return connection.execute(REMOVE, (player,)).rowcount == 1


def _step(vault: Vault, factor: SecondFactor, code: str, at: int) -> int | None:
    """Returns the step of a code; None for a wrong one. A secret that does not open has no codes."""
    try:
        secret = vault.open(SECOND_FACTORS, factor.id, factor.sealed).decode()
    except SealedSecretLost:
        log.warning("the secret of a second factor does not open", player=str(factor.player))
        return None
    return step_of(secret, code, at)
