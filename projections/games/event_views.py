"""Protocols of events for readers: the fields they need, and the fold over events."""

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

from events.json_types import JsonObject

S = TypeVar("S")


class EventView(Protocol):
    """The fields of an event that change the state."""

    @property
    def seq(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def data(self) -> JsonObject: ...
    @property
    def rules(self) -> str: ...


class DatedEventView(EventView, Protocol):
    """An event with its actor and time."""

    @property
    def at(self) -> int: ...
    @property
    def actor(self) -> str: ...


H = TypeVar("H", bound=EventView)


def folded(fold: Callable[[S | None, H], S], events: Iterable[H], state: S | None = None) -> S | None:
    """Returns the state after events, from the first event or from an earlier state, or None without events."""
    for event in events:
        state = fold(state, event)
    return state
