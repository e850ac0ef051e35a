"""Blocks: who may only read and finish what the account is in, until when and why.

The database is asked anew by every request that a block refuses, so a block takes effect at once in every process, and
ends by itself.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection
from psycopg.rows import class_row

from service.core.clock import iso_time
from service.moderation.errors import AccountBlocked

TEXTS_FOR_OTHERS: Final = ("name", "reason")  # fields that other players read, in requests that a block allows
CURRENT: Final = """
SELECT player, since, until, reason, by FROM blocks
WHERE player = (SELECT coalesce(owner, id) FROM players WHERE id = %s) AND until > %s
"""
ALL: Final = """
SELECT player, since, until, reason, by FROM blocks WHERE until > %s ORDER BY until, player LIMIT %s
"""


class Block(NamedTuple):
    """A block of a player and the player's bots."""

    player: UUID
    since: int
    until: int
    reason: str
    by: str  # the id of an administrator, or `operator`


def current_block(connection: Connection, at: int, player: UUID) -> Block | None:
    """Returns the block of a player, or of the owner of a bot; None when there is none at this time."""
    with connection.cursor(row_factory=class_row(Block)) as cursor:
        return cursor.execute(CURRENT, (player, at)).fetchone()


def blocks_in_force(connection: Connection, at: int, limit: int) -> list[Block]:
    """Returns the blocks at this time, those that end first before others."""
    with connection.cursor(row_factory=class_row(Block)) as cursor:
        return cursor.execute(ALL, (at, limit)).fetchall()


def refuse_blocked(connection: Connection, at: int, player: UUID) -> None:
    """Raises AccountBlocked for a player who is blocked."""
    block = current_block(connection, at, player)
    if block is not None:
        raise AccountBlocked(iso_time(block.until) or "", block.reason)


def has_text_for_others(given: Mapping[str, object]) -> bool:
    """Returns whether a request carries a text that other players read."""
    return any(given.get(name) for name in TEXTS_FOR_OTHERS)
