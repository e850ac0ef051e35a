"""What all that is read from a stream rests on: the parts of an event that are looked at, one event after the other."""

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

from events.json_types import JsonObject

S = TypeVar("S")


class EventView(Protocol):
    """An event as those see it who apply what it holds."""

    @property
    def seq(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def data(self) -> JsonObject: ...
    @property
    def rules(self) -> str: ...


class DatedEventView(EventView, Protocol):
    """An event as those see it who keep records: with who did it, and when."""

    @property
    def at(self) -> int: ...
    @property
    def actor(self) -> str: ...


H = TypeVar("H", bound=EventView)


def folded(fold: Callable[[S | None, H], S], events: Iterable[H], state: S | None = None) -> S | None:
    """Returns what events lead to, from the first one on or from an earlier state, or None before the first."""
    for event in events:
        state = fold(state, event)
    return state
