"""An event store in memory, for tests and for verifying without a database."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from uuid import UUID

from events.errors import KeyReused, StaleVersion
from events.event import START, Event, Head, stored
from events.store.protocol import Appended, IdempotencyKey, check_batch


class MemoryStore:
    """Keeps events in lists; for one thread at a time."""

    def __init__(self) -> None:
        self._streams: dict[UUID, list[tuple[bytes, bytes]]] = {}
        self._answers: dict[tuple[UUID, str, str], tuple[bytes, bytes]] = {}

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
        """Appends linked events after version `expected`, all or none, once per key."""
        if key is not None and (before := self.answered(key)) is not None:
            return Appended(before, repeated=True)
        check_batch(stream, expected, events)
        head = self.head(stream)
        if head != (expected, events[0].prev) or expected_head not in (None, head.hash):
            raise StaleVersion(stream, *head)
        self._streams.setdefault(stream, []).extend((event.body, event.hash) for event in events)
        if key is not None:
            self._answers[key.stream, key.scope, key.name] = key.request, answer
        return Appended(answer, repeated=False)

    def answered(self, key: IdempotencyKey) -> bytes | None:
        """Returns the stored answer of a request, or None when there is none."""
        request, answer = self._answers.get((key.stream, key.scope, key.name), (key.request, None))
        if request != key.request:
            raise KeyReused(key.scope, key.name)
        return answer

    def head(self, stream: UUID) -> Head:
        """Returns the newest event's number and hash; START when there is none."""
        rows = self._streams.get(stream)
        return Head(len(rows), rows[-1][1]) if rows else START

    def heads(self, streams: Sequence[UUID]) -> Mapping[UUID, Head]:
        """Returns the number and hash of the newest event of each stream that has one."""
        return {stream: self.head(stream) for stream in streams if self._streams.get(stream)}

    def read(self, stream: UUID, after: int = 0, limit: int | None = None) -> Iterator[Event]:
        """Returns the events that follow version `after`, oldest first."""
        rows = self._streams.get(stream, [])[after:]
        return (stored(body, event_hash) for body, event_hash in islice(rows, limit))

    def following(self, stream: UUID, after: Head, limit: int) -> tuple[Event, ...] | None:
        """Returns the events after a head, oldest first; None when the stream does not have that head."""
        rows = self._streams.get(stream, [])[: after.seq]
        if after != START and (len(rows) < after.seq or rows[-1][1] != after.hash):
            return None
        return tuple(self.read(stream, after.seq, limit))
