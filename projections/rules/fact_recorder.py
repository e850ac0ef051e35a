"""Records facts, the only way rules change a position: applies each, keeps it if asked to, lets rules react."""

from collections.abc import Callable
from typing import Any, Generic, TypeAlias, TypeVar

P = TypeVar("P")

Changes: TypeAlias = dict[type, Callable[[P, Any], None]]  # kind of fact -> the function that applies it


class FactRecorder(Generic[P]):
    """Applies facts, keeps them while `recording`, and calls `react` after each."""

    def __init__(
        self,
        apply: Callable[[P, Any], None],
        react: Callable[[P, Any, "FactRecorder[P]"], None] | None = None,
        *,
        recording: bool = False,
    ) -> None:
        self._apply = apply
        self._react = react
        self.recording = recording
        self.facts: list[Any] = []
        self.then: list[tuple[int, Any]] = []
        self.waived: int = 0  # bits of the optional reactions that the player declines with the move

    def record(self, position: P, fact: Any) -> None:
        """Applies the fact, then lets the rules react to it."""
        self._apply(position, fact)
        if self.recording:
            self.facts.append(fact)
        if self._react is not None:
            self._react(position, fact, self)

    def forced(self, seat: int, move: Any) -> None:
        """Notes that the engine made a seat's only possible move for it."""
        if self.recording:
            self.then.append((seat, move))
