"""Routes of moderation, for administrators."""

from collections.abc import Sequence
from uuid import UUID

import structlog

from service.core.clock import SECOND
from service.moderation import commands, documents, queries, schemas
from service.moderation.blocks import Block, blocks_in_force
from service.moderation.stale import Staleness, stale_games
from service.players.documents import PlayerSummary, player_document
from service.players.identity import Identity
from service.players.queries import names_of
from service.players.schemas import PlayerDocument
from service.web.responses import request_language
from service.web.routing import Routes, container

log = structlog.get_logger("service.moderation")
routes = Routes("moderation", "Moderation: what administrators do, and the record of it")


@routes.on("GET", "/v1/admin/record", query=schemas.ActQuery, answers=schemas.ActPageDocument, scope="admin")
def record(query: schemas.LoadedRecordQuery, asker: Identity) -> documents.ActPage:
    """List administrative acts, newest first: who did what to what, when and why. Nobody can change or delete one."""
    limit, page = query["limit"], queries.RecordQuery(**query)
    with container().stores.pool.connection() as connection:
        acts = queries.recorded_acts(connection, page._replace(limit=limit + 1))
        names = names_of(connection, documents.players_in(acts))
    log.info("record of administrative acts read", by=asker.id)
    return documents.act_page(acts, limit, names, request_language())


PLAYER = "/v1/admin/players/<uuid:player>"


@routes.on("GET", "/v1/admin/blocks", query=schemas.BlockListQuery, answers=schemas.BlockList, scope="admin")
def blocks(query: schemas.LoadedBlockListQuery, asker: Identity) -> dict[str, list[documents.BlockSummary]]:
    """List the blocks in force, those that end first before others."""
    here = container()
    with here.stores.pool.connection() as connection:
        found = blocks_in_force(connection, here.now(), query["limit"])
    log.info("blocks read", by=asker.id)
    return {"blocks": _documents(found)}


@routes.on(
    "PUT",
    f"{PLAYER}/block",
    body=schemas.NewBlock,
    answers=schemas.BlockDocument,
    scope="admin",
    refuses=(404, 422),
)
def block(player: UUID, body: schemas.BlockRequest, asker: Identity) -> documents.BlockSummary:
    """Block a player and the player's bots until a time, for a reason that the player reads; replaces an earlier block.

    The account may read and finish its games and tournaments; it leaves open tables, and can begin nothing.
    """
    until = int(body["until"].timestamp()) * SECOND
    done = commands.block_player(container(), commands.BlockPlayer(asker.id, player, until, body["reason"]))
    return _documents([done])[0]


@routes.on("POST", f"{PLAYER}/unblocking", body=schemas.Unblocking, status=204, scope="admin", refuses=(404,))
def unblock(player: UUID, body: schemas.UnblockBody, asker: Identity) -> None:
    """End the block of a player before its time."""
    commands.unblock_player(container(), commands.UnblockPlayer(asker.id, player, body["reason"]))


@routes.on(
    "PUT",
    f"{PLAYER}/name",
    body=schemas.NewName,
    answers=PlayerDocument,
    scope="admin",
    refuses=(404, 409, 422),
)
def rename(player: UUID, body: schemas.NewNameBody, asker: Identity) -> PlayerSummary:
    """Give a player another name. Nobody can take the old one for 90 days; events hold ids and stay as they are."""
    command = commands.RenamePlayer(asker.id, player, body["reason"], body["name"])
    return player_document(commands.rename_by_administrator(container(), command))


@routes.on("GET", "/v1/admin/stale-games", query=schemas.StaleQuery, answers=schemas.StaleGameList, scope="admin")
def stale(query: schemas.LoadedStaleQuery, asker: Identity) -> dict[str, list[documents.StaleGameSummary]]:
    """List open tables older than `open_days`, and running games without an event for `idle_days`.

    Those that are idle longest come first; games of tournaments are left out.
    """
    here, staleness = container(), Staleness(query["open_days"], query["idle_days"])
    with here.stores.pool.connection() as connection:
        found = stale_games(connection, here.now(), staleness, query["limit"])
        names = names_of(connection, {game.host for game in found if game.host is not None})
    log.info("stale games read", by=asker.id)
    return {"games": [documents.stale_document(game, names) for game in found]}


@routes.on("POST", "/v1/admin/stale-games/end", body=schemas.EndStale, answers=schemas.EndedStaleGames, scope="admin")
def end_stale(body: schemas.EndStaleBody, asker: Identity) -> dict[str, Sequence[UUID]]:
    """End games that the list named, without a result, if they are still stale."""
    staleness = Staleness(body["open_days"], body["idle_days"])
    done = commands.end_stale_games(
        container(), commands.EndStaleGames(asker.id, body["games"], staleness, body["reason"])
    )
    return {"ended": done.ended, "left": done.left}


def _documents(found: list[Block]) -> list[documents.BlockSummary]:
    with container().stores.pool.connection() as connection:
        names = names_of(connection, documents.players_in_blocks(found))
    return [documents.block_document(block, names) for block in found]
