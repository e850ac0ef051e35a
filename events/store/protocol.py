"""The protocol of event stores, in PostgreSQL or in memory."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol
from uuid import UUID

from events.errors import BrokenChain
from events.event import START, Event, Head


class IdempotencyKey(NamedTuple):
    """A client's name for one request about one stream; repeating the request has no second effect."""

    stream: UUID  # that the request is about; the answer is stored with it
    scope: str  # the owner of the key: a player, a token
    name: str
    request: bytes  # SHA-256 of the request


def request_key(scope: str, name: str, request: bytes, stream: UUID | None = None) -> IdempotencyKey:
    """Returns the key of a request with this body; one about no stream, such as a creation, has a place of its own."""
    return IdempotencyKey(stream or no_stream(scope, name), scope, name, hashlib.sha256(request).digest())


def no_stream(scope: str, name: str) -> UUID:
    """Returns what stands for the stream in the key of a request that is about none; it follows from the key alone."""
    return UUID(bytes=hashlib.md5(f"{scope} {name}".encode(), usedforsecurity=False).digest())


class Appended(NamedTuple):
    """The outcome of an append: the given answer, or the one stored at the first use of the key."""

    answer: bytes
    repeated: bool


class EventStore(Protocol):
    """Append-only streams of events."""

    def append(
        self,
        stream: UUID,
        expected: int,
        events: Sequence[Event],
        *,
        expected_head: bytes | None = None,
        key: IdempotencyKey | None = None,
        answer: bytes = b"",
    ) -> Appended:
        """Appends linked events after version `expected`, all or none, once per key.

        Raises StaleVersion when the stream is at another version, or has another head than the events or
        `expected_head` name. Raises KeyReused when the key belongs to another request.
        """

    def answered(self, key: IdempotencyKey) -> bytes | None:
        """Returns the stored answer of a request, or None; raises KeyReused when the key has another request."""

    def head(self, stream: UUID) -> Head:
        """Returns the newest event's number and hash; START when there is none."""

    def heads(self, streams: Sequence[UUID]) -> Mapping[UUID, Head]:
        """Returns the number and hash of the newest event of each stream that has one."""

    def read(self, stream: UUID, after: int = 0, limit: int | None = None) -> Iterator[Event]:
        """Returns the events that follow version `after`, oldest first."""

    def following(self, stream: UUID, after: Head, limit: int) -> tuple[Event, ...] | None:
        """Returns the events after a head, oldest first; None when the stream does not have that head (any more)."""


def check_batch(stream: UUID, expected: int, events: Sequence[Event]) -> None:
    """Raises BrokenChain for events that do not follow one another after `expected`."""
    if not events:
        raise BrokenChain(stream, expected + 1, "there are no events to append")
    seq, prev = expected, events[0].prev if expected else START.hash
    for event in events:
        if event.stream != stream or event.seq != seq + 1 or event.prev != prev:
            raise BrokenChain(stream, seq + 1, "does not follow what is before it")
        seq, prev = event.seq, event.hash
