"""Where the points of a finished game come from: parts by kind, the events that changed them, what decided."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypedDict, TypeVar, cast

from events.json_types import JsonObject
from projections.games.event_views import EventView
from projections.games.replay import ReplayStep
from projections.games.results import FORFEIT
from projections.rules.protocol import Game

P = TypeVar("P")
RULING: Final = "ruling"


class PointsChange(TypedDict):
    """Points that an event brought or took."""

    version: int
    points: int


class PointsPart(TypedDict):
    """The points of a seat of one kind, and the events that made them."""

    kind: str
    points: int
    changes: list[PointsChange]


class CurvePoint(TypedDict):
    """The points of all seats after an event."""

    version: int
    totals: list[int]


class GameDecided(TypedDict):
    """What decided the game."""

    by: str
    first: int
    second: int | None
    margin: int
    kind: str | None
    difference: int
    tie_break: list[int] | None
    lead_since: int | None


class PointsAccount(NamedTuple):
    """The parts of all seats, and the curve of their totals."""

    parts: list[list[PointsPart]]  # by seat
    curve: list[CurvePoint]


def account(game: Game[P, Any], steps: Iterable[ReplayStep[Any, P]], seats: int) -> PointsAccount:
    """Returns the parts of the points with the events that changed them; each part is the sum of its changes."""
    known: list[dict[str, PointsPart]] = [{} for _ in range(seats)]
    curve: list[CurvePoint] = []
    for step in steps:
        now = [game.points_by_kind(step.position, seat) for seat in range(seats)]
        for parts, points in zip(known, now, strict=True):
            _follow(parts, points, step.event)
        curve.append({"version": step.event.seq, "totals": [sum(points.values()) for points in now]})
    return PointsAccount([[part for part in parts.values() if part["changes"]] for parts in known], curve)


def _follow(parts: dict[str, PointsPart], now: Mapping[str, int], event: EventView) -> None:
    """Adds what an event changed; a kind that is no longer there has no points."""
    for kind in {**parts, **now}:
        part = parts.setdefault(kind, {"kind": kind, "points": 0, "changes": []})
        change = now.get(kind, 0) - part["points"]
        if change:
            part["points"] += change
            part["changes"].append({"version": event.seq, "points": change})


def decision(found: PointsAccount, result: JsonObject) -> GameDecided | None:
    """Returns what decided the game, by its result; None when there is no winner."""
    points, places, ties = (cast(Sequence[int], result[name]) for name in ("points", "places", "tie_break"))
    ranked = sorted(range(len(places)), key=lambda seat: places[seat])
    if 1 not in places:
        return None
    first, second = ranked[0], ranked[1] if len(ranked) > 1 else None
    kind, difference = _widest(found.parts, first, second)
    by = FORFEIT if result["cause"] == FORFEIT else _made_by(found, points, places, first, second)
    return {
        "by": by,
        "first": first,
        "second": second,
        "margin": 0 if second is None else points[first] - points[second],
        "kind": kind,
        "difference": difference,
        "tie_break": [ties[first], ties[second]] if by == "tie_break" and second is not None else None,
        "lead_since": _lead_since(found.curve, first),
    }


def _made_by(found: PointsAccount, points: Sequence[int], places: Sequence[int], first: int, second: int | None) -> str:
    if not found.curve or list(points) != found.curve[-1]["totals"]:
        return RULING  # or an absence: the points are not those of the board
    if second is not None and points[first] < points[second]:
        return RULING  # or a seat that was forfeited
    if second is None or points[first] != points[second]:
        return "points"
    return "shared" if places[second] == 1 else "tie_break"


def _widest(parts: Sequence[Sequence[PointsPart]], first: int, second: int | None) -> tuple[str | None, int]:
    """Returns the kind in which the first seat is furthest ahead of the second one."""
    if second is None:
        return None, 0
    mine, others = ({part["kind"]: part["points"] for part in parts[seat]} for seat in (first, second))
    differences = {kind: mine.get(kind, 0) - others.get(kind, 0) for kind in {**mine, **others}}
    kind = max(differences, key=lambda one: differences[one], default=None)
    return (kind, differences[kind]) if kind is not None and differences[kind] > 0 else (None, 0)


def _lead_since(curve: Sequence[CurvePoint], first: int) -> int | None:
    """Returns the version from which the seat alone had most points up to the end; None without such a lead."""
    since = None
    for point in reversed(curve):
        others = [total for seat, total in enumerate(point["totals"]) if seat != first]
        if point["totals"][first] <= max(others, default=-1):
            break
        since = point["version"]
    return since
