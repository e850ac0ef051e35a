"""The fact recorder of Spice Road: nothing reacts to its facts."""

from typing import Any

from projections.rules.fact_recorder import FactRecorder
from projections.rules.spice_road.apply import CHANGES, apply
from projections.rules.spice_road.state.position import Position


class QuietRecorder(FactRecorder[Position]):
    """Applies facts and keeps them."""

    def __init__(self, *, recording: bool = False) -> None:
        super().__init__(apply, recording=recording)

    def record(self, position: Position, fact: Any) -> None:
        """Applies the fact; repeats the inherited method without its detours, since search does little else."""
        CHANGES[type(fact)](position, fact)
        if self.recording:
            self.facts.append(fact)
