"""The outline of a game: all of its steps without their words, as columns, so that a long game is shown at once."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple, cast

from events.json_types import Json, JsonObject
from projections.games.replay import steps
from projections.rules.protocol import NO_BOARD, AnyGame, Board
from service.games.game_repository import GameRepository
from service.games.game_state import setting
from service.games.queries import Eyes, scores, visible_board
from service.games.turns import turn_of
from service.games.visibility import Visibility, events_seen, visible_event

MOST_STEPS: Final = 50_000  # the newest ones
MOST_POINTS: Final = 512  # steps whose points are told, and the last one


class OutlineOptions(NamedTuple):
    """Options of an outline."""

    eyes: Eyes
    undone: bool  # whether to include undone moves
    facts: frozenset[str]  # names of the facts that are told


class OutlinedStep(NamedTuple):
    """A step without its words."""

    version: int
    kind: str
    seat: int | None
    kept: bool
    ends: bool  # whether nobody acts after it
    facts: list[Json]
    points: list[int | None] | None  # by seat; None: not told of this step


def outline(shelf: GameRepository, visible: Visibility, options: OutlineOptions) -> JsonObject:
    """Returns the outline of a game as a viewer may see it: of each step what the replay tells, or less."""
    found = _outlined(shelf, visible, options)[-MOST_STEPS:]
    kinds = sorted({step.kind for step in found})
    versions = [0, *(step.version for step in found)]
    numbered = list(enumerate(found))
    columns = {
        "steps": [after - before for before, after in pairwise(versions)],
        "kinds": kinds,
        "kind": [kinds.index(step.kind) for step in found],
        "seats": [step.seat for step in found],
        "undone": _runs([number for number, step in numbered if not step.kept]),
        "ends": [number for number, step in numbered if step.ends],
        "facts": [[number, step.facts] for number, step in numbered if step.facts],
        "points": [[number, step.points] for number, step in numbered if step.points is not None],
    }
    return cast(JsonObject, {"version": visible.version, **columns})


def _outlined(shelf: GameRepository, visible: Visibility, options: OutlineOptions) -> list[OutlinedStep]:
    events = events_seen(shelf, visible, 0)
    every = max(1, -(-len(events) // MOST_POINTS))
    game, found, board = visible.game, list[OutlinedStep](), NO_BOARD
    for number, step in enumerate(steps(setting(visible.record), events, undone=options.undone)):
        data = cast(JsonObject, visible_event(visible, step.event)["data"])
        told = cast(Sequence[Sequence[Json]], data.get("facts", ())) if step.kept else ()
        board = step.position
        found.append(
            OutlinedStep(
                step.event.seq,
                step.event.kind,
                cast("int | None", data.get("seat")),
                step.kept,
                turn_of(game, board) is None,
                [list(fact) for fact in told if fact[0] in options.facts],
                _points(game, board, options.eyes) if number % every == 0 else None,
            )
        )
    if found:
        found[-1] = found[-1]._replace(points=_points(game, board, options.eyes))
    return found


def _points(game: AnyGame, board: Board, eyes: Eyes) -> list[int | None]:
    found = scores(game, board, visible_board(game, board, eyes))
    return [None if score is None else cast(int, score["total"]) for score in found]


def _runs(numbers: Sequence[int]) -> list[list[int]]:
    """Returns ascending numbers as runs: the first of each and its length."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == sum(runs[-1]):
            runs[-1][1] += 1
        else:
            runs.append([number, 1])
    return runs
