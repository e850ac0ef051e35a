"""Commands of administrators on players: block, unblock, rename."""

import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.json_types import JsonObject
from service.container import Container
from service.core.clock import SECOND, iso_time
from service.core.errors import NotThere
from service.moderation.blocks import Block
from service.moderation.errors import BlockRefused
from service.moderation.record import AdministrativeAct, record_act
from service.moderation.stale import EndStaleGames, end_stale_games
from service.players.commands.accounts import rename_player
from service.players.commands.leaving import leave_open_tables
from service.players.lookalikes import refuse_service_name
from service.players.names import normalize_name
from service.players.queries import Player, get_player
from service.players.reserved_names import reserve_names

LONGEST_BLOCK: Final = 10 * 366 * 86_400 * SECOND
PUT: Final = """
INSERT INTO blocks (player, since, until, reason, by) VALUES (%s, %s, %s, %s, %s)
ON CONFLICT (player) DO UPDATE
SET since = excluded.since, until = excluded.until, reason = excluded.reason, by = excluded.by
"""
DELETE: Final = "DELETE FROM blocks WHERE player = %s AND until > %s"
FORGET: Final = "DELETE FROM blocks WHERE until < %s"
KEPT: Final = 180 * 86_400 * SECOND  # blocks that have ended
LOCK: Final = "SELECT FROM players WHERE id = %s AND forgotten IS NULL FOR NO KEY UPDATE"


class BlockPlayer(NamedTuple):
    """Blocks a player and the player's bots until a time; replaces an earlier block."""

    by: str  # the id of an administrator, or `operator`
    player: UUID
    until: int
    reason: str


class UnblockPlayer(NamedTuple):
    """Ends the block of a player before its time."""

    by: str
    player: UUID
    reason: str


class RenamePlayer(NamedTuple):
    """Gives a player another name."""

    by: str
    player: UUID
    reason: str
    name: str | None = None  # None: a generated one


def block_player(here: Container, command: BlockPlayer) -> Block:
    """Blocks a player, who then leaves open tables; running games go on.

    Raises NotThere, or BlockRefused for the administrator's own account, a bot, or a time that is not in the next ten
    years.
    """
    at = here.now()
    with here.stores.pool.connection() as connection, connection.transaction():
        _check_blockable(lock_player(connection, command.player), command, at)
        connection.execute(FORGET, (at - KEPT,))
        connection.execute(PUT, (command.player, at, command.until, command.reason, command.by))
        until = {"until": iso_time(command.until)}
        record_act(connection, at, _act(command, "player_blocked", until))
    leave_open_tables(here, command.player)
    return Block(command.player, at, command.until, command.reason, command.by)


def unblock_player(here: Container, command: UnblockPlayer) -> None:
    """Ends a block; raises NotThere for a player who is not blocked."""
    at = here.now()
    with here.stores.pool.connection() as connection, connection.transaction():
        if connection.execute(DELETE, (command.player, at)).rowcount == 0:
            raise NotThere("block", command.player)
        record_act(connection, at, _act(command, "player_unblocked"))


def rename_by_administrator(here: Container, command: RenamePlayer) -> Player:
    """Renames a player; nobody may take the old name for 90 days. Events hold ids and stay as they are.

    Raises NotThere, BadName, NameReserved, NameTaken or NameConfusable.
    """
    at, name = here.now(), command.name or f"Player {secrets.token_hex(4)}"
    refuse_service_name(name)
    with here.stores.pool.connection() as connection, connection.transaction():
        before = lock_player(connection, command.player)
        rename_player(connection, at, command.player, name)
        reserve_names(connection, at, {_folded(before.name or "")} - {_folded(name)})
        record_act(connection, at, _act(command, "player_renamed", {"generated": command.name is None}))
        return get_player(connection, command.player)


def lock_player(connection: Connection, id: UUID) -> Player:
    """Returns a player whose account exists, locked for this transaction; raises NotThere."""
    if connection.execute(LOCK, (id,)).rowcount == 0:
        raise NotThere("player", id)
    return get_player(connection, id)


def _check_blockable(player: Player, command: BlockPlayer, at: int) -> None:
    if str(player.id) == command.by:
        raise BlockRefused("own_account", "administrators do not block their own account")
    if player.owner is not None:
        raise BlockRefused(
            "bot",
            "this is a bot: block its owner {owner}, and all bots of the owner are blocked too",
            owner=player.owner,
        )
    if not at < command.until <= at + LONGEST_BLOCK:
        raise BlockRefused("time", "a block ends in the future, within ten years")


def _act(
    command: BlockPlayer | UnblockPlayer | RenamePlayer, act: str, details: JsonObject | None = None
) -> AdministrativeAct:
    return AdministrativeAct(command.by, act, str(command.player), command.reason, details or {})


def _folded(name: str) -> str:
    return normalize_name(name)[1]


COMMANDS: Final[Mapping[type, Callable[[Container, Any], object]]] = {
    BlockPlayer: block_player,
    UnblockPlayer: unblock_player,
    RenamePlayer: rename_by_administrator,
    EndStaleGames: end_stale_games,
}
