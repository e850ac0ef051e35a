"""V9 judges undos: the clocks that an undo states are those of before the move, less the time since."""

import json
from functools import partial
from typing import Any

import pytest

from projections.games.chance import ChanceLevel
from projections.games.clocks import TimeControl
from projections.verify.bundle import verify
from service.games.decisions import undo
from tests.support.projections.bundles import POLICY
from tests.support.projections.played_games import SEATED, Evening, seated
from tests.support.projections.rewritten_history import BANK, Body, bundle, changed_at, renumbered, retold

PER_MOVE = TimeControl("per_move", 60)


def undone(clock: TimeControl) -> tuple[Evening, list[Body]]:
    """Returns a game with an undone move, and the data of its events."""
    evening = seated(ChanceLevel.OPEN, clock)
    while True:
        evening.move()
        newest = evening.events[-1]
        if not newest.data["drew"]:
            break
    seat = int(str(newest.data["seat"]))
    evening.let(SEATED[evening.table.known.order[seat]], partial(undo.undo, seat=seat))
    evening.move()
    return evening, [json.loads(event.body) for event in evening.events]


def failure(data: bytes) -> tuple[str, str] | None:
    report = verify(data, POLICY)
    return (report.failure.code, report.failure.reason) if report.failure else None


@pytest.mark.parametrize("clock", [BANK, PER_MOVE, TimeControl()], ids=lambda clock: clock.kind)
def test_an_honest_undo_passes(clock: TimeControl) -> None:
    evening, _ = undone(clock)
    assert failure(bundle(evening.events).encode()) is None


@pytest.mark.parametrize("clock", [BANK, PER_MOVE], ids=lambda clock: clock.kind)
@pytest.mark.parametrize("more", [1, -1])
def test_an_undo_that_sets_the_clocks_otherwise_is_refused(clock: TimeControl, more: int) -> None:
    _, told = undone(clock)
    at = next(body for body in told if body["kind"] == "undone")
    stated: dict[str, Any] = at["data"]["clocks"]
    since = {**stated, "since": stated["since"] + more}
    assert failure(retold(changed_at(told, at["seq"], clocks=since))) == ("V9", "undo_clocks")
    if stated["banks"]:
        banks = {**stated, "banks": [stated["banks"][0] + more, *stated["banks"][1:]]}
        assert failure(retold(changed_at(told, at["seq"], clocks=banks))) == ("V9", "undo_clocks")


def test_clocks_stated_where_none_run_are_refused() -> None:
    _, told = undone(TimeControl())
    at = next(body["seq"] for body in told if body["kind"] == "undone")
    clocks = {"banks": [], "since": 0}
    assert failure(retold(changed_at(told, at, clocks=clocks))) == ("V9", "undo_clocks")


def test_an_undo_that_leaves_no_time_is_refused() -> None:
    _, told = undone(PER_MOVE)
    at = next(body["seq"] for body in told if body["kind"] == "undone")
    late = [{**body, "at": body["at"] + 59_000_000 * (body["seq"] >= at)} for body in told[:at]]
    assert failure(retold(renumbered(late))) == ("V9", "undo_clocks")


def test_an_undo_of_an_earlier_version_is_judged_as_before() -> None:
    _, told = undone(BANK)
    at = next(body for body in told if body["kind"] == "undone")
    at["data"].pop("clocks")
    assert failure(retold(told[: at["seq"]])) is None
