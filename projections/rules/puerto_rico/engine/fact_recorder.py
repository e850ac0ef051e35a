"""The chronicle of a game of Puerto Rico: buildings hear it, unless their owner waived them with the move."""

from collections.abc import Callable
from typing import Any, Final

from projections.rules.fact_recorder import FactRecorder
from projections.rules.puerto_rico.engine.apply import APPLY, happen
from projections.rules.puerto_rico.state.position import Position

LISTENING: Final[dict[type, int]] = {}  # kind of fact -> bits of the buildings that react to it; see ask


class ReactingRecorder(FactRecorder[Position]):
    """Applies facts and lets buildings react."""

    def __init__(self, react: Callable[[Position, Any, Any], None], *, recording: bool = False) -> None:
        super().__init__(happen, react, recording=recording)
        self._hear = react
        self.waived: int = 0  # bits of the buildings whose optional effect the mover declines

    def tell(self, position: Position, fact: Any) -> None:
        """Let the fact happen; said here once more without detours, since search does little else."""
        kind = fact.__class__
        APPLY[kind](position, fact)
        if self.recording:
            self.facts.append(fact)
        if kind in LISTENING:
            self._hear(position, fact, self)
