"""The fact recorder of Puerto Rico: buildings react to facts, except those that the player waived with the move."""

from typing import Any, Final

from projections.rules.fact_recorder import FactRecorder
from projections.rules.puerto_rico.engine import effects
from projections.rules.puerto_rico.engine.apply import APPLY, apply_fact
from projections.rules.puerto_rico.state.position import Position

_LISTENING: Final = effects.LISTENING


class ReactingRecorder(FactRecorder[Position]):
    """Applies facts and lets buildings react."""

    def __init__(self, *, recording: bool = False) -> None:
        super().__init__(apply_fact, effects.react, recording=recording)

    def record(self, position: Position, fact: Any) -> None:
        """Applies the fact; repeats the inherited method without its detours, since search does little else."""
        kind = type(fact)
        APPLY[kind](position, fact)
        if self.recording:
            self.facts.append(fact)
        if kind in _LISTENING:
            effects.react(position, fact, self)
