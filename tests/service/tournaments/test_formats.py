"""Whole events over each format, and one where everything happens: counted twice. Larger ones are in tests/long."""

from collections.abc import Mapping
from typing import Any

import pytest
from flask import Flask

from tests.support.service import tournament_recount
from tests.support.service.tournament_fixture import Hall

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
    """Each entrant sits at one table of a right size or has a bye; every table has a game and a result."""
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


@pytest.mark.parametrize(("entrants", "name"), [*((8, name) for name in FORMATS), (37, "swiss")])
def test_a_whole_event(app: Flask, entrants: int, name: str) -> None:
    check_whole_event(app, entrants, name)


def check_whole_event(app: Flask, entrants: int, name: str) -> None:
    """Bots play a whole event; its standings are counted again from its games."""
    hall = Hall(app, FORMATS[name], bots="greedy", pace="automatic", starts=1).open(bots=entrants)
    run(hall)
    assert hall.read()["status"] == "finished"
    check(hall, entrants)
    assert len(hall.read("standings", stage=1)["lines"]) == entrants
    tournament_recount.check(hall)


BECAUSE = {"reason": "So the director saw it"}
POWERS: Mapping[str, Any] = {"name": "powers", "bye": "average", "tied": "full", "forfeit": "last"}
LED: list[dict[str, Any]] = [
    {"format": "swiss", "rounds": 3, "sizes": [4], "scheme": POWERS, "advance": {"total": 6}},
    {"format": "pods", "sizes": [3], "byes": False, "scheme": POWERS},
]


def rule(hall: Hall, *, void: int = 0, substitute: int = 0) -> None:
    """A round with rulings on every table; one may be void, and one has a substitute with a bye."""
    hall.start()
    (*_, current) = hall.read("rounds")["rounds"]
    for table in current["tables"]:
        at = {"round": current["round"], "table": table["table"], **BECAUSE}
        if table["table"] == substitute:
            seats = {"entrant": table["seats"][1]["entrant"], "by": current["byes"][0]["entrant"]}
            hall.direct("rulings/substitution", {**at, **seats})
        if table["table"] == void:
            hall.direct("rulings/void", at)
        else:
            hall.direct("rulings/result", {**at, **ended(len(table["seats"]), current["round"] + table["table"])})
    hall.keep()
    hall.direct("rounds/current/closing")


def ended(seats: int, points: int) -> dict[str, Any]:
    """A result with a shared first place and a seat that left."""
    scores = [points + 4, points + 4, points + 2, points]
    return {"points": scores[:seats], "places": [1, 1, 3, 4][:seats], "forfeited": [seats - 1]}


def test_an_event_in_which_everything_happens_is_counted_right(app: Flask) -> None:
    hall = Hall(app, LED, late_join=3, most=14).open(people=15)
    hall.direct("stages")
    rule(hall)
    hall.direct("entrants/15/admission")
    hall.direct("entrants/3/absences", {"round": 3})
    hall.direct("entrants/4/withdrawal")
    rule(hall, void=2, substitute=3)
    hall.direct("rulings/disqualification", {"entrant": 7, **BECAUSE})
    rule(hall)
    hall.direct("entrants/2/withdrawal")
    hall.direct("stages/current/closing")
    hall.direct("stages")
    rule(hall)
    hall.direct("stages/current/closing")
    hall.direct("rulings/result", {"round": 1, "table": 2, **BECAUSE, **ended(4, 40)})
    hall.direct("closing")
    gone = {entrant["status"] for entrant in hall.read("entrants")["entrants"]}
    assert gone == {"entered", "withdrawn", "disqualified"}
    tournament_recount.check(hall)
