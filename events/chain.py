"""The hash chain: every event carries the hash of the event before it."""

from collections.abc import Callable, Iterable, Sequence
from uuid import UUID

from events.errors import BrokenChain, EventTooLarge
from events.event import START, Event, EventDraft, Head, compose, new_salt, received

LONGEST_BATCH = 1_000


def link(
    stream: UUID, head: Head, drafts: Sequence[EventDraft], salt: Callable[[], bytes] = new_salt
) -> tuple[Event, ...]:
    """Returns the events made from drafts, linked after the head of their stream."""
    if not 1 <= len(drafts) <= LONGEST_BATCH:
        raise EventTooLarge("events in one append", len(drafts), LONGEST_BATCH)
    events = []
    for draft in drafts:
        event = compose(stream, head, draft, salt())
        events.append(event)
        head = event.head
    return tuple(events)


def check(bodies: Iterable[bytes], head: Head = START, stream: UUID | None = None) -> tuple[Event, ...]:
    """Parses canonical bytes into events that continue a stream; raises BrokenChain at the first that does not."""
    events = []
    for body in bodies:
        event = received(body)
        stream = stream or event.stream
        fault = _fault(event, head, stream)
        if fault is not None:
            raise BrokenChain(stream, head.seq + 1, fault)
        events.append(event)
        head = event.head
    return tuple(events)


def _fault(event: Event, head: Head, stream: UUID) -> str | None:
    """Returns the reason why an event does not follow a head, or None."""
    if event.stream != stream:
        return f"belongs to stream {event.stream}"
    if event.seq != head.seq + 1:
        return f"is numbered {event.seq}"
    if event.prev != head.hash:
        return "does not carry the hash of the event before it"
    return None
