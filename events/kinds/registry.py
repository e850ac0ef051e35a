"""The register of kinds of event: the current fields of each, and the upcasts of older shapes."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from events.errors import UnfitEvent, UnknownKind
from events.json_types import JsonObject
from events.kinds.field_types import Fields, first_fault

Upcast = Callable[[JsonObject], JsonObject]


class EventKind(NamedTuple):
    """A kind of event. Its shape counts the versions of its data."""

    name: str
    stream: str  # the kind of stream it belongs to
    fields: Fields
    opens: bool = False  # whether it is always and only the first event of its stream
    upcasts: tuple[Upcast, ...] = ()  # the n-th turns data of shape n into shape n + 1

    @property
    def shape(self) -> int:
        """The newest shape, the one that is written."""
        return len(self.upcasts) + 1


class Kinds:
    """All kinds of event by name."""

    def __init__(self, kinds: Iterable[EventKind]) -> None:
        self._kinds: dict[str, EventKind] = {}
        for one in kinds:
            if one.name in self._kinds:
                raise ValueError(f"two kinds of event are named {one.name}")
            self._kinds[one.name] = one

    def __iter__(self) -> Iterator[EventKind]:
        return iter(self._kinds.values())

    def named(self, name: str, shape: int | None = None) -> EventKind:
        """Returns the kind of a name; raises UnknownKind, also for a shape newer than this program."""
        found = self._kinds.get(name)
        if found is None or (shape is not None and not 1 <= shape <= found.shape):
            raise UnknownKind(name, shape or 1)
        return found

    def check(self, name: str, seq: int, data: JsonObject) -> EventKind:
        """Returns the kind under which this data may be written as event `seq`; raises UnfitEvent."""
        found = self.named(name)
        fault = first_fault(found.fields, data)
        if fault is not None:
            raise UnfitEvent(name, *fault)
        if found.opens != (seq == 1):
            raise UnfitEvent(name, "seq", "opens a stream" if found.opens else "cannot open a stream")
        return found

    def current(self, name: str, shape: int, data: JsonObject) -> JsonObject:
        """Returns the data upcast to the newest shape."""
        for upcast in self.named(name, shape).upcasts[shape - 1 :]:
            data = upcast(data)
        return data
