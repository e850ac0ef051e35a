"""The record of administrative acts as administrators read it."""

from collections.abc import Mapping, Sequence
from typing import TypedDict
from uuid import UUID

from events.json_types import Json
from service.core.clock import iso_time
from service.i18n import messages
from service.moderation.blocks import Block
from service.moderation.queries import RecordedAct
from service.moderation.record import ACTS
from service.moderation.stale import StaleGame
from service.players.documents import NamedPlayer

PLAYER = "player"


class ActDocument(TypedDict):
    """An act with the present names of the players in it."""

    number: int
    at: str | None
    by: NamedPlayer
    act: str
    title: str
    kind: str
    subject: NamedPlayer | None
    reason: str | None
    details: Mapping[str, Json]
    hash: str


class BlockSummary(TypedDict):
    """A block with the present names of the players in it."""

    player: NamedPlayer
    since: str | None
    until: str | None
    reason: str
    by: NamedPlayer


class StaleGameSummary(TypedDict):
    """A stale game with the present name of its host."""

    id: UUID
    game: str
    status: str
    host: NamedPlayer | None
    created: str | None
    changed: str | None


class ActPage(TypedDict):
    """A page of the record; `next` is the `before` of the next page."""

    acts: Sequence[ActDocument]
    next: int | None


def players_in(acts: Sequence[RecordedAct]) -> set[str]:
    """Returns the ids of the players in acts."""
    return {act.by for act in acts} | {act.subject for act in acts if act.kind == PLAYER and act.subject is not None}


def act_document(act: RecordedAct, names: Mapping[str, str], language: str) -> ActDocument:
    """Returns the document of an act."""
    return {
        "number": act.number,
        "at": iso_time(act.at),
        "by": {"id": act.by, "name": names.get(act.by)},
        "act": act.act,
        "title": messages.translate(ACTS[act.act].title, language),
        "kind": act.kind,
        "subject": None if act.subject is None else {"id": act.subject, "name": names.get(act.subject)},
        "reason": act.reason,
        "details": act.details,
        "hash": act.hash.hex(),
    }


def act_page(acts: Sequence[RecordedAct], limit: int, names: Mapping[str, str], language: str) -> ActPage:
    """Returns a page; `acts` holds one act more than the limit when there is a next page."""
    shown = [act_document(act, names, language) for act in acts[:limit]]
    return {"acts": shown, "next": shown[-1]["number"] if len(acts) > limit else None}


def block_document(block: Block, names: Mapping[str, str]) -> BlockSummary:
    """Returns the document of a block."""
    player = str(block.player)
    return {
        "player": {"id": player, "name": names.get(player)},
        "since": iso_time(block.since),
        "until": iso_time(block.until),
        "reason": block.reason,
        "by": {"id": block.by, "name": names.get(block.by)},
    }


def players_in_blocks(blocks: Sequence[Block]) -> set[str]:
    """Returns the ids of the players in blocks."""
    return {str(block.player) for block in blocks} | {block.by for block in blocks}


def stale_document(game: StaleGame, names: Mapping[str, str]) -> StaleGameSummary:
    """Returns the document of a stale game."""
    return {
        "id": game.id,
        "game": game.game,
        "status": game.status,
        "host": None if game.host is None else {"id": game.host, "name": names.get(game.host)},
        "created": iso_time(game.created),
        "changed": iso_time(game.changed),
    }
