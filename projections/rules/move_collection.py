"""The legal moves of a position, as every game lists them."""

import random
from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar

from events.json_types import JsonObject

M_co = TypeVar("M_co", covariant=True)


class Moves(Protocol[M_co]):
    """The legal moves of a position: the only judge of legality."""

    def __iter__(self) -> Iterator[M_co]: ...
    def __contains__(self, move: object) -> bool: ...
    def __len__(self) -> int: ...

    def sample(self, source: random.Random) -> M_co:
        """Any one of them, each possible."""

    def slots(self) -> JsonObject | None:
        """Returns the slots to fill when the collection is too long to list; None when it is short."""

    def suggested(self) -> Sequence[M_co]:
        """A few sensible complete choices of a long collection; all moves of a short one."""
