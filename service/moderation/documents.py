"""The record of administrative acts as administrators read it."""

from collections.abc import Mapping, Sequence
from typing import TypedDict

from events.json_types import Json
from service.core.clock import iso_time
from service.i18n import messages
from service.moderation.queries import RecordedAct
from service.moderation.record import ACTS
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
