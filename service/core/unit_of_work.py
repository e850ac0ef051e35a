"""Unit of work: the events of one command, linked and folded as they are written, and further statements."""

from abc import ABC, abstractmethod
from typing import Generic, NamedTuple, Protocol, TypeVar
from uuid import UUID

from events.event import START, Event, EventDraft, Head, compose, new_salt
from events.json_types import JsonObject
from events.store.free_texts import keep, salted
from events.store.statements import Statement


class Dated(Protocol):
    """A record that knows the time of its newest event."""

    @property
    def changed(self) -> int:
        """Returns the time of the newest event."""


class Versioned(Protocol):
    """The state of a stream at one version."""

    @property
    def id(self) -> UUID:
        """Returns the id of the stream."""

    @property
    def head(self) -> Head:
        """Returns the head of the newest event in the state."""

    @property
    def record(self) -> Dated | None:
        """Returns the record; None before the first event."""


State = TypeVar("State", bound=Versioned)
Record = TypeVar("Record", bound=Dated)


class RecordState(NamedTuple, Generic[Record]):
    """The record of a stream at one version; None before its first event."""

    id: UUID
    record: Record | None = None
    head: Head = START

    @property
    def known(self) -> Record:
        """Returns the record of a stream that has events."""
        assert self.record is not None
        return self.record


class UnitOfWork(ABC, Generic[State]):
    """The events and statements of one command; stored in one transaction or not at all."""

    def __init__(self, before: State, at: int, actor: str) -> None:
        self.before = before
        self.at = max(at, before.record.changed if before.record else 0)  # a clock set back sets no stream back
        self.actor = actor
        self.events: list[Event] = []
        self.beside: list[Statement] = []  # stored in the same transaction
        self._now = before

    @property
    def id(self) -> UUID:
        """Returns the id of the stream."""
        return self.before.id

    @property
    def now(self) -> State:
        """Returns the state after the events so far."""
        return self._now

    def append(self, kind: str, data: JsonObject, rules: str) -> Event:
        """Link an event to the newest one and fold it. Returns the event."""
        event = compose(self.id, self._now.head, EventDraft(kind, data, self.actor, self.at, rules), new_salt())
        self.events.append(event)
        self._now = self._fold(event)
        return event

    def keep_text(self, text: str) -> str:
        """Store a text beside the events. Returns its hash."""
        kept = salted(text)
        self.beside.append(keep(self.id, kept))
        return kept.hash.hex()

    @abstractmethod
    def _fold(self, event: Event) -> State:
        """Returns the state after one more event."""
