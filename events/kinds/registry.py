"""The register of kinds of event: which fields each has now, and how older shapes are read as the newest."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from events.errors import UnfitEvent, UnknownKind
from events.json_types import JsonObject
from events.kinds.field_types import Fields, first_fault

Upcast = Callable[[JsonObject], JsonObject]


class EventKind(NamedTuple):
    """A kind of event. Its shape is the number of ways its data has been written, this one included."""

    name: str
    stream: str  # the kind of stream it belongs to
    fields: Fields
    opens: bool = False  # whether it is the first event of its stream, and only that
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
        """The kind of a name; refuses with UnknownKind also a shape that is newer than this program."""
        found = self._kinds.get(name)
        if found is None or (shape is not None and not 1 <= shape <= found.shape):
            raise UnknownKind(name, shape or 1)
        return found

    def check(self, name: str, seq: int, data: JsonObject) -> EventKind:
        """The kind under which this data may be written as event `seq`; refuses with UnfitEvent."""
        found = self.named(name)
        fault = first_fault(found.fields, data)
        if fault is not None:
            raise UnfitEvent(name, *fault)
        if found.opens != (seq == 1):
            raise UnfitEvent(name, "seq", "opens a stream" if found.opens else "cannot open a stream")
        return found

    def current(self, name: str, shape: int, data: JsonObject) -> JsonObject:
        """The data as the newest shape has it."""
        for upcast in self.named(name, shape).upcasts[shape - 1 :]:
            data = upcast(data)
        return data
