"""The chronicle of a game of Puerto Rico: buildings hear it, unless their owner waived them with the move."""

from collections.abc import Callable
from typing import Any

from projections.chronicle import Chronicle
from projections.puerto_rico.apply import happen
from projections.puerto_rico.position import Position


class Telling(Chronicle[Position]):
    """Applies facts and lets buildings react."""

    def __init__(self, react: Callable[[Position, Any, Any], None], *, recording: bool = False) -> None:
        super().__init__(happen, react, recording=recording)
        self.waived: int = 0  # bits of the buildings whose optional effect the mover declines
