"""Where the points of finished games come from."""

from typing import Any

import pytest

from projections.games.points import PointsAccount, PointsPart, account, decision
from projections.games.replay import steps
from projections.rules.registry import GAMES
from tests.support.projections.random_games import random_game

OPTIONS: dict[str, dict[str, Any]] = {"puerto_rico": {"expansions": ["new_buildings", "nobles"]}, "spice_road": {}}


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("seats", [3, 5])
@pytest.mark.parametrize("name", sorted(GAMES))
def test_parts_and_curve_sum_up_to_the_points_of_the_result(name: str, seats: int, seed: int) -> None:
    game = GAMES[name]
    played = random_game(game, seats, seed, options=OPTIONS[name] if seed > 1 else {})
    outcome = game.outcome(played.position)
    assert outcome is not None
    found = account(game, steps(played.setting, played.events), seats)
    versions = {event.seq for event in played.events}
    for parts, points in zip(found.parts, outcome.points, strict=True):
        assert sum(part["points"] for part in parts) == points
        for part in parts:
            assert sum(change["points"] for change in part["changes"]) == part["points"]
            assert {change["version"] for change in part["changes"]} <= versions
    assert found.curve[-1]["totals"] == list(outcome.points)
    assert [point["version"] for point in found.curve] == sorted(versions - {1})
    result = {"cause": "rules", **{key: list(value) for key, value in outcome._asdict().items()}}
    decided = decision(found, result)
    assert decided is not None
    first, second = decided["first"], decided["second"]
    assert outcome.places[first] == 1
    assert second is not None
    assert decided["margin"] == outcome.points[first] - outcome.points[second] >= 0
    assert (decided["by"] == "points") == (decided["margin"] > 0)
    since = decided["lead_since"]
    for point in found.curve:
        ahead = point["totals"][first] > max(total for seat, total in enumerate(point["totals"]) if seat != first)
        assert since is None or ahead or point["version"] < since


def part(kind: str, *changes: tuple[int, int]) -> PointsPart:
    """A part with its changes."""
    made = [{"version": version, "points": points} for version, points in changes]
    return {"kind": kind, "points": sum(points for _, points in changes), "changes": made}  # type: ignore[typeddict-item]


PLAYED = PointsAccount(
    [[part("vp_chips", (3, 2), (5, 4)), part("buildings", (4, 1))], [part("vp_chips", (4, 3)), part("nobles", (6, 2))]],
    [
        {"version": 2, "totals": [0, 0]},
        {"version": 3, "totals": [2, 0]},
        {"version": 4, "totals": [3, 3]},
        {"version": 5, "totals": [7, 3]},
        {"version": 6, "totals": [7, 5]},
    ],
)


def test_the_largest_difference_and_the_last_change_of_the_lead_are_told() -> None:
    told = decision(PLAYED, {"cause": "rules", "points": [7, 5], "places": [1, 2], "tie_break": [0, 9]})
    assert told is not None
    assert (told["by"], told["first"], told["second"], told["margin"]) == ("points", 0, 1, 2)
    assert (told["kind"], told["difference"]) == ("vp_chips", 3)
    assert told["lead_since"] == 5  # at 4 both had three


@pytest.mark.parametrize(
    ("result", "by"),
    [
        ({"cause": "forfeit", "points": [7, 5], "places": [1, 2], "tie_break": [0, 0]}, "forfeit"),
        ({"cause": "rules", "points": [7, 9], "places": [2, 1], "tie_break": [0, 0]}, "ruling"),
        ({"cause": "rules", "points": [7, 5], "places": [2, 1], "tie_break": [0, 0]}, "ruling"),
    ],
    ids=["others left", "other points", "forfeited seat"],
)
def test_places_that_points_do_not_explain_are_told_as_such(result: Any, by: str) -> None:
    told = decision(PLAYED, result)
    assert told is not None
    assert told["by"] == by


def test_a_tie_is_decided_by_its_rule_or_shared() -> None:  # rules 5.3, R-88
    level = PLAYED._replace(curve=[{"version": 6, "totals": [6, 6]}])
    result: Any = {"cause": "rules", "points": [6, 6], "places": [1, 2], "tie_break": [4, 2]}
    broken, shared = decision(level, result), decision(level, {**result, "places": [1, 1]})
    assert broken is not None
    assert (broken["by"], broken["tie_break"], broken["lead_since"]) == ("tie_break", [4, 2], None)
    assert shared is not None
    assert shared["by"] == "shared"


def test_nobody_decides_a_game_without_a_winner() -> None:
    assert decision(PLAYED, {"cause": "rules", "points": [0, 0], "places": [2, 2], "tie_break": [0, 0]}) is None
