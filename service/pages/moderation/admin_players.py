"""The administrators' page of one player: state, block, name."""

from contextlib import suppress
from typing import Final, NamedTuple
from uuid import UUID

from flask import Blueprint, Response, request
from psycopg import Connection

from events.errors import CabildoError
from service.core.clock import SECOND, iso_time
from service.core.errors import NotThere
from service.moderation.administrators import is_administrator
from service.moderation.blocks import Block, current_block
from service.moderation.commands import (
    BlockPlayer,
    RenamePlayer,
    UnblockPlayer,
    block_player,
    rename_by_administrator,
    unblock_player,
)
from service.moderation.documents import ActDocument, act_page, players_in
from service.moderation.queries import RecordQuery, recorded_acts
from service.moderation.schemas import NewName, NewNameBody, Unblocking
from service.pages.moderation.admin_site import PAGE, acting, address, administrator, answer, show
from service.players.identity import Identity
from service.players.names import LONGEST_NAME
from service.players.queries import Player, find_by_name, get_player, names_of
from service.web.responses import request_language
from service.web.routing import container, load_form

DAYS: Final = (1, 3, 7, 30, 90, 365)
DAY: Final = 86_400 * SECOND
MOST_ACTS: Final = 20
COUNTS: Final = """
SELECT
    (SELECT count(*) FROM places JOIN games USING (id) WHERE places.player = %(id)s::text AND status = 'running'),
    (SELECT count(*) FROM games WHERE host = %(id)s::text AND status = 'open'),
    (SELECT count(*) FROM reports WHERE about = 'player' AND thing = %(id)s::uuid AND settled IS NULL),
    (SELECT count(*) FROM reports WHERE reporter = %(id)s::uuid)
"""
pages = Blueprint("admin_players", __name__)


class PlayerState(NamedTuple):
    """What an administrator reads of a player."""

    player: Player
    owner: Player | None
    since: str | None
    block: Block | None
    until: str | None
    administrator: bool
    running: int
    open: int
    reported: int
    reports: int
    acts: list[ActDocument]


@pages.get(f"{PAGE}/players")
def players() -> Response:
    """Renders the search, and the player that it finds."""
    identity, name = administrator(), request.args.get("name", "").strip()
    try:
        return _page(identity, _found(name) if name else None)
    except NotThere as missing:
        return _page(identity, None, missing)


@pages.post(f"{PAGE}/players/<uuid:player>/block")
def block(player: UUID) -> Response:
    """Blocks a player for some days."""
    identity = acting()

    def act() -> str:
        given = request.form.get("days", "")
        days = int(given) if given.isdecimal() and len(given) < len("10000") else 0
        until = container().now() + days * DAY
        block_player(container(), BlockPlayer(identity.id, player, until, _reason()))
        return _address(player)

    return answer(identity, act, lambda refused: _page(identity, player, refused))


@pages.post(f"{PAGE}/players/<uuid:player>/unblocking")
def unblock(player: UUID) -> Response:
    """Ends the block of a player."""
    identity = acting()

    def act() -> str:
        unblock_player(container(), UnblockPlayer(identity.id, player, _reason()))
        return _address(player)

    return answer(identity, act, lambda refused: _page(identity, player, refused))


@pages.post(f"{PAGE}/players/<uuid:player>/name")
def rename(player: UUID) -> Response:
    """Gives a player another name, or a generated one."""
    identity = acting()

    def act() -> str:
        given = {"name": request.form.get("name", "").strip() or None, "reason": request.form.get("reason", "")}
        body: NewNameBody = load_form(NewName, given)
        rename_by_administrator(container(), RenamePlayer(identity.id, player, body["reason"], body["name"]))
        return _address(player)

    return answer(identity, act, lambda refused: _page(identity, player, refused))


def _reason() -> str:
    return str(load_form(Unblocking, {"reason": request.form.get("reason", "")})["reason"])


def _address(player: UUID) -> str:
    return address("/players", name=player)


def _found(name: str) -> UUID:
    """Returns the id of a player by name or id; raises NotThere."""
    with suppress(ValueError):
        return UUID(name.rstrip("/").rpartition("/")[2])
    with container().stores.pool.connection() as connection:
        found = find_by_name(connection, name)
    if found is None:
        raise NotThere("player", name)
    return found


def _page(identity: Identity, player: UUID | None, refused: CabildoError | None = None) -> Response:
    with container().stores.pool.connection() as connection:
        state = None if player is None else _state(connection, player)
    name = request.args.get("name", "")
    return show(identity, "admin_players.html", refused, name=name, state=state, days=DAYS, longest_name=LONGEST_NAME)


def _state(connection: Connection, id: UUID) -> PlayerState:
    at, player = container().now(), get_player(connection, id)
    found = current_block(connection, at, id)
    running, open, reported, reports = connection.execute(COUNTS, {"id": id}).fetchone() or (0, 0, 0, 0)
    acts = recorded_acts(connection, RecordQuery(limit=MOST_ACTS, subject=str(id)))
    shown = act_page(acts, MOST_ACTS, names_of(connection, players_in(acts)), request_language())["acts"]
    return PlayerState(
        player=player,
        owner=None if player.owner is None else get_player(connection, player.owner),
        since=iso_time(player.created),
        block=found,
        until=None if found is None else iso_time(found.until),
        administrator=is_administrator(connection, id),
        running=running,
        open=open,
        reported=reported,
        reports=reports,
        acts=list(shown),
    )
