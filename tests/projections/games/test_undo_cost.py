"""Folding many undos costs work in proportion to the events: versions are compared a bounded number of times."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import pytest

from events.json_types import JsonObject
from projections.games.clocks_after_undo import ClockHistory
from projections.games.replay import line

MOVES = 1_000
CREATED: JsonObject = {
    "game": "spice_road",
    "options": {},
    "rated": False,
    "level": 0,
    "commitment": None,
    "seed": None,
    "tournament": None,
    "imported": False,
    "chairs": [None, None],
    "seats": 2,
    "clock": {"kind": "none"},
}


class Version(int):
    """A version that counts how often versions are compared."""

    compared = 0

    def __gt__(self, other: int) -> bool:
        Version.compared += 1
        return super().__gt__(other)

    def __lt__(self, other: int) -> bool:
        Version.compared += 1
        return super().__lt__(other)

    def __le__(self, other: int) -> bool:
        Version.compared += 1
        return super().__le__(other)


class GameEvent(NamedTuple):
    """An event, as far as folds look at it."""

    seq: Version
    kind: str
    data: JsonObject
    at: int = 0
    actor: str = "service"
    rules: str = "1"


def game_with_undos(undos: int) -> Iterator[GameEvent]:
    """A long game, then many times a move that is taken back."""
    turn: JsonObject = {"seat": 0, "decision": "action"}
    yield GameEvent(Version(1), "game_created", CREATED)
    yield GameEvent(Version(2), "game_started", {"order": [0, 1], "drew": [], "turn": turn})
    for seq in range(3, MOVES + 3):
        yield GameEvent(Version(seq), "moved", {"seat": 0, "drew": [], "turn": turn})
    for seq in range(MOVES + 3, MOVES + 3 + 2 * undos, 2):
        yield GameEvent(Version(seq), "moved", {"seat": 0, "drew": [], "turn": turn})
        yield GameEvent(Version(seq + 1), "undone", {"seat": 0, "to": MOVES + 2, "agreed": [0], "turn": turn})


def folded_clocks(events: Sequence[GameEvent]) -> None:
    """Folds the clocks, and asks for those after each undo."""
    history = ClockHistory()
    for event in events:
        if event.kind == "undone":
            assert history.after_undo(int(str(event.data["to"])), 0, 0) is not None
        history.hear(event)


@pytest.mark.parametrize("fold", [line, folded_clocks])
def test_folding_undos_is_linear(fold: Callable[[Sequence[GameEvent]], object]) -> None:
    compared = []
    for undos in (500, 2_000):
        events = [*game_with_undos(undos)]
        Version.compared = 0
        fold(events)
        compared.append(Version.compared)
    assert compared[1] - compared[0] < 30 * 2 * 1_500  # a search among a thousand versions compares ten
