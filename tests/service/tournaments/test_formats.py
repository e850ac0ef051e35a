"""Whole events of 8, 37 and 109 over each format through the API: they run by themselves from start to end."""

from collections.abc import Mapping
from typing import Any

import pytest
from flask import Flask

from tests.service.tournaments.hall import Hall
from tests.service.tournaments.recount import Recount

SIZES = {"sizes": [4, 3]}
FINAL = {"format": "pods", "rounds": 1, "byes": False, "name": "final", **SIZES}
FORMATS: Mapping[str, list[dict[str, Any]]] = {
    "heats and a final": [{"format": "heats", "rounds": 2, "counting": 1, "advance": {"total": 4}, **SIZES}, FINAL],
    "swiss": [{"format": "swiss", "rounds": 2, **SIZES}],
    "round robin": [{"format": "round_robin", "rounds": 2, **SIZES}],
    "knock-out": [{"format": "knock_out", "rounds": 5, "sizes": [4, 3], "advance": {"per_table": 1}}],
    "pods and a final": [{"format": "pods", "rounds": 1, "byes": False, "advance": {"total": 4}, **SIZES}, FINAL],
}
MOST_ROUNDS = 8


def run(hall: Hall) -> None:
    """Let an automatic tournament run: its bots play every game."""
    for _ in range(MOST_ROUNDS):
        hall.keep()
        if hall.read()["status"] != "running":
            return
        hall.play()
    hall.keep()


def check(hall: Hall, entrants: int) -> None:
    """Everybody sits once in a round or out, at tables of the right sizes; every table has its game and its result."""
    rounds = hall.read("rounds")["rounds"]
    games = [table["game"] for one in rounds for table in one["tables"]]
    assert len(games) == len({*games})
    for one in rounds:
        seated = [seat["entrant"] for table in one["tables"] for seat in table["seats"]]
        assert len(seated) == len({*seated})
        assert {len(table["seats"]) for table in one["tables"]} <= {3, 4}
        assert {table["result"]["ruling"] for table in one["tables"]} == {None}
        assert one["status"] == "closed"
    first = rounds[0]
    assert sum(len(table["seats"]) for table in first["tables"]) + len(first["byes"]) == entrants


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("entrants", [8, 37, 109])
def test_a_whole_event(app: Flask, name: str, entrants: int) -> None:
    hall = Hall(app, FORMATS[name], bots="greedy", pace="automatic", starts=1).open(bots=entrants)
    run(hall)
    assert hall.read()["status"] == "finished"
    check(hall, entrants)
    assert len(hall.read("standings", stage=1)["lines"]) == entrants
    Recount(hall).check()
