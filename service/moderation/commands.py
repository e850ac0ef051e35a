"""Commands of administrators on players and games: block, unblock, rename, end stale games."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.errors import CabildoError
from events.json_types import JsonObject
from service.container import Container
from service.core.announce import LISTS_CHANGED
from service.core.clock import SECOND, iso_time
from service.core.command_handler import Request
from service.core.errors import NotThere
from service.games.commands.upkeep import EndGame, end_game_if
from service.moderation.blocks import Block
from service.moderation.errors import BlockRefused
from service.moderation.record import AdministrativeAct, record_act
from service.moderation.stale import StaleGamesEnded, Staleness, is_stale
from service.players.commands.accounts import rename_player
from service.players.commands.leaving import leave_open_tables
from service.players.lookalikes import refuse_service_name
from service.players.names import is_id, normalize_name
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


class EndStaleGames(NamedTuple):
    """Aborts games that are still stale, for a reason that their readers see."""

    by: str  # the id of an administrator, or `operator`
    games: Sequence[UUID]
    staleness: Staleness
    reason: str


def block_player(here: Container, command: BlockPlayer) -> Block:
    """Blocks a player, who then leaves open tables; running games go on.

    Raises NotThere, or BlockRefused for the administrator's own account, a bot, or a time that is not in the next ten
    years.
    """
    at = here.now()
    with here.stores.pool.connection() as connection, connection.transaction():
        player = lock_player(connection, command.player)
        if player.id in _accounts_of(connection, command.by):
            raise BlockRefused("own_account", "administrators do not block their own account")
        _check_blockable(player, command, at)
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
        renamed = get_player(connection, command.player)
    here.announcer.announce(LISTS_CHANGED)
    return renamed


def end_stale_games(here: Container, command: EndStaleGames) -> StaleGamesEnded:
    """Aborts each game for itself, if it is still stale; every abort is recorded with its reason."""
    ended = [game for game in command.games if _ends(here, command, game)]
    return StaleGamesEnded(ended, [game for game in command.games if game not in ended])


def lock_player(connection: Connection, id: UUID) -> Player:
    """Returns a player whose account exists, locked for this transaction; raises NotThere."""
    if connection.execute(LOCK, (id,)).rowcount == 0:
        raise NotThere("player", id)
    return get_player(connection, id)


def _ends(here: Container, command: EndStaleGames, game: UUID) -> bool:
    at = here.now()
    try:
        outcome = end_game_if(
            here,
            EndGame(game, command.reason),
            Request(command.by),
            lambda record: is_stale(record, at, command.staleness),
        )
    except CabildoError:  # it is over, or does not exist
        return False
    return outcome.written


def _accounts_of(connection: Connection, by: str) -> set[UUID | None]:
    """Returns the account of an administrator, of a bot also its owner; none for the operator."""
    return {UUID(by), get_player(connection, UUID(by)).owner} if is_id(by) else set()


def _check_blockable(player: Player, command: BlockPlayer, at: int) -> None:
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
