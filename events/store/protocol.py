"""What every store of events promises, in PostgreSQL or in memory."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol
from uuid import UUID

from events.errors import BrokenChain
from events.event import START, Event, Head


class IdempotencyKey(NamedTuple):
    """A client's name for one request, so that repeating the request does nothing twice."""

    scope: str  # whose keys these are: a player, a token
    name: str
    request: bytes  # SHA-256 of what was asked


def request_key(scope: str, name: str, request: bytes) -> IdempotencyKey:
    """The key of a request with this body."""
    return IdempotencyKey(scope, name, hashlib.sha256(request).digest())


class Appended(NamedTuple):
    """How an append ended: with the given answer, or with the one stored when the key was first used."""

    answer: bytes
    repeated: bool


class EventStore(Protocol):
    """The book of acts: streams of events that only grow."""

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
        """Write linked events after version `expected`, all or none, once per key.

        StaleVersion: the stream is not at that version, or its head is not the one that the events or
        `expected_head` name. KeyReused: the key belongs to another request.
        """

    def answered(self, key: IdempotencyKey) -> bytes | None:
        """The stored answer of a request; None when it was never made. KeyReused: the key belongs to another."""

    def head(self, stream: UUID) -> Head:
        """The newest event's number and hash; START when there is none."""

    def read(self, stream: UUID, after: int = 0, limit: int | None = None) -> Iterator[Event]:
        """The events that follow version `after`, oldest first."""


def check_batch(stream: UUID, expected: int, events: Sequence[Event]) -> None:
    """Refuse events that do not follow one another after `expected`, before any store is asked."""
    if not events:
        raise BrokenChain(stream, expected + 1, "there are no events to append")
    seq, prev = expected, events[0].prev if expected else START.hash
    for event in events:
        if event.stream != stream or event.seq != seq + 1 or event.prev != prev:
            raise BrokenChain(stream, seq + 1, "does not follow what is before it")
        seq, prev = event.seq, event.hash
