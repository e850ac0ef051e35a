"""Table talk as JSON for one reader."""

from collections.abc import Mapping
from typing import TypedDict
from uuid import UUID

from service.core.clock import iso_time
from service.talk.queries import Reading, TalkPage, WrittenMessage
from service.talk.texts import rough_spans

SHOWN, ERASED, HIDDEN, MUTED = "shown", "erased", "hidden", "muted"


class WriterDocument(TypedDict):
    """Who wrote a message."""

    id: UUID
    name: str | None
    seat: int | None


class MessageDocument(TypedDict):
    """A message as one reader sees it."""

    number: int
    room: str
    at: str | None
    by: WriterDocument
    state: str
    text: str | None
    rough: list[tuple[int, int]]


class TalkAnswer(TypedDict):
    """A page of a talk."""

    messages: list[MessageDocument]
    more: bool
    newest: Mapping[str, int]
    changes: int
    writes: str | None
    reason: str | None
    closed: list[str]
    may_close: bool
    silent: bool
    covers: bool
    muted: bool
    read: int
    unread: int


def talk_document(page: TalkPage, names: Mapping[str, str], language: str) -> TalkAnswer:
    """Returns a page of a talk."""
    place, state = page.place, page.state
    reason = place.reason or ("closed" if place.writes in state.closed else None)
    return {
        "messages": [message_document(page, message, names, language) for message in page.messages],
        "more": page.more,
        "newest": page.newest,
        "changes": state.changes,
        "writes": None if reason else place.writes,
        "reason": reason,
        "closed": [room for room in state.closed if room in place.reads or place.leads],
        "may_close": place.leads,
        "silent": place.silent,
        "covers": page.reading.covers,
        "muted": (place.about, place.stream) in page.reading.mutes,
        "read": page.read,
        "unread": page.unread,
    }


def message_document(
    page: TalkPage, message: WrittenMessage, names: Mapping[str, str], language: str
) -> MessageDocument:
    """Returns a message as the reader of a page sees it."""
    state = _state(page.hidden, page.reading, message)
    text = message.text if state == SHOWN else None
    player = str(message.player)
    return {
        "number": message.number,
        "room": message.room,
        "at": iso_time(message.at),
        "by": {"id": message.player, "name": names.get(player), "seat": page.place.seats.get(player)},
        "state": state,
        "text": text,
        "rough": [] if text is None else rough_spans(text, language),
    }


def _state(hidden: frozenset[int], reading: Reading, message: WrittenMessage) -> str:
    if message.text is None:
        return ERASED
    if message.number in hidden:
        return HIDDEN
    return MUTED if reading.mutes_player(message.player) else SHOWN
