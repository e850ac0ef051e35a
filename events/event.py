"""An event: one entry of a stream, with its canonical bytes and their hash."""

import json
import os
import secrets
from threading import Lock
from typing import Any, NamedTuple
from uuid import UUID

from events.body_packing import unpack_body
from events.canonical import canonical, read_canonical
from events.errors import BrokenChain, EventTooLarge, UnfitEvent
from events.event_digest import NO_HASH, digest
from events.json_types import JsonObject
from events.kinds import KINDS
from events.kinds.field_types import (
    HASH,
    ID,
    MICROSECONDS,
    NAME,
    RULES,
    UUID_TEXT,
    FieldType,
    first_fault,
    hexadecimal,
    whole,
)

LARGEST_EVENT = 65_536
LEAF_ENTRY = b"\x01"
ENTRY_SIZE = 57  # bytes that enter the public log for an event
SALT_BYTES = 16
SALTS_AT_ONCE = 64
FIELDS = {
    "actor": ID,
    "at": MICROSECONDS,
    "data": FieldType("an object", lambda value: isinstance(value, dict)),
    "kind": NAME,
    "prev": HASH,
    "rules": RULES,
    "salt": hexadecimal(SALT_BYTES),
    "seq": whole(1, 2**53 - 1),
    "shape": whole(1, 1_000),
    "stream": UUID_TEXT,
}


# The canonical bytes of an event's fields; the fields between quotation marks need no escapes.
BODY = (
    b'{"actor":"%b","at":%d,"data":%b,"kind":"%b","prev":"%b",'
    b'"rules":"%b","salt":"%b","seq":%d,"shape":%d,"stream":"%b"}'
)


class EventDraft(NamedTuple):
    """An event before it has a place in a stream."""

    kind: str
    data: JsonObject
    actor: str  # an opaque id: a player, a bot, the service
    at: int  # microseconds since 1970, UTC, by the service's clock
    rules: str


class Head(NamedTuple):
    """The newest event of a stream: its number, which is the stream's version, and its hash."""

    seq: int
    hash: bytes


START = Head(0, NO_HASH)


class Event(NamedTuple):
    """One entry of a stream. `body` holds the canonical bytes of the fields before it, `hash` is their hash."""

    stream: UUID
    seq: int
    kind: str
    shape: int
    data: JsonObject
    actor: str
    at: int
    rules: str
    salt: bytes
    prev: bytes
    body: bytes
    hash: bytes

    @property
    def head(self) -> Head:
        """The head of the stream when this is its newest event."""
        return Head(self.seq, self.hash)


def compose(stream: UUID, head: Head, draft: EventDraft, salt: bytes) -> Event:
    """Returns the event made from a draft after a head; raises UnfitEvent or EventTooLarge."""
    seq = head.seq + 1
    shape = KINDS.check(draft.kind, seq, draft.data).shape
    for name, field, value in (
        ("actor", ID, draft.actor),
        ("at", MICROSECONDS, draft.at),
        ("rules", RULES, draft.rules),
    ):
        if not field.holds(value):
            raise UnfitEvent(draft.kind, name, f"is not {field.reads}")
    body = BODY % (
        draft.actor.encode(),
        draft.at,
        canonical(draft.data),
        draft.kind.encode(),
        head.hash.hex().encode(),
        draft.rules.encode(),
        salt.hex().encode(),
        seq,
        shape,
        str(stream).encode(),
    )
    if len(body) > LARGEST_EVENT:
        raise EventTooLarge(draft.kind, len(body), LARGEST_EVENT)
    return Event(
        stream,
        seq,
        draft.kind,
        shape,
        draft.data,
        draft.actor,
        draft.at,
        draft.rules,
        salt,
        head.hash,
        body,
        digest(body),
    )


def stored(body: bytes, event_hash: bytes) -> Event:
    """Returns the event of stored bytes and their stored hash, without checks, with its data in the newest shape."""
    body = unpack_body(body)
    return in_newest_shape(_event(json.loads(body), body, event_hash))


def in_newest_shape(event: Event) -> Event:
    """Returns the event with its data upcast to the newest shape of its kind; raises UnknownKind."""
    kind = KINDS.named(event.kind, event.shape)
    if event.shape == kind.shape:
        return event
    return event._replace(shape=kind.shape, data=KINDS.current(event.kind, event.shape, event.data))


def received(body: bytes) -> Event:
    """Parses an event from untrusted bytes; raises BrokenChain or UnfitJson."""
    fields = read_canonical(body, LARGEST_EVENT)
    if not isinstance(fields, dict):
        raise BrokenChain(None, 0, "it is not an object")
    fault = first_fault(FIELDS, fields)
    if fault is not None:
        raise BrokenChain(None, 0, " ".join(fault))
    return _event(fields, body, digest(body))


def _event(fields: dict[str, Any], body: bytes, event_hash: bytes) -> Event:
    return Event(
        UUID(fields["stream"]),
        fields["seq"],
        fields["kind"],
        fields["shape"],
        fields["data"],
        fields["actor"],
        fields["at"],
        fields["rules"],
        bytes.fromhex(fields["salt"]),
        bytes.fromhex(fields["prev"]),
        body,
        event_hash,
    )


def leaf_entry(stream: UUID, seq: int, event_hash: bytes) -> bytes:
    """Returns the 57 bytes of an event's entry in the public log."""
    return LEAF_ENTRY + stream.bytes + seq.to_bytes(8, "big") + event_hash


class Salts:
    """Random bytes fetched for many events at once: one call of the kernel takes longer than hashing an event."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._stock = b""

    def take(self) -> bytes:
        """Returns fresh random bytes; never the same twice."""
        with self._lock:
            if not self._stock:
                self._stock = secrets.token_bytes(SALT_BYTES * SALTS_AT_ONCE)
            salt, self._stock = self._stock[:SALT_BYTES], self._stock[SALT_BYTES:]
            return salt

    def forget(self) -> None:
        """Drops the stock after a fork, because parent and child hold the same."""
        self._lock = Lock()
        self._stock = b""


_SALTS = Salts()
os.register_at_fork(after_in_child=_SALTS.forget)


def new_salt() -> bytes:
    """Returns random bytes that keep a published hash from being guessed."""
    return _SALTS.take()


def new_stream(at: int) -> UUID:
    """Returns a fresh stream id (UUID version 7); later ids sort later."""
    random = int.from_bytes(secrets.token_bytes(10))
    first = (at // 1000 & (1 << 48) - 1) << 16 | 0x7000 | random >> 68
    return UUID(int=first << 64 | 0b10 << 62 | random & (1 << 62) - 1)
