"""A stand-in has one place in a round: the seat, and no bye beside it."""

from flask import Flask

from projections.tournaments.record import RULES
from projections.verify.archive import verify_archive
from projections.verify.bundle import INVALID
from tests.support.service.tournament_fixture import Hall

SWISS = {"format": "swiss", "rounds": 1, "sizes": [3]}


def started(hall: Hall) -> Hall:
    """The hall in its first round."""
    hall.direct("stages")
    hall.start()
    return hall


def seated(hall: Hall, by: int) -> None:
    """Let an entrant take the first seat of table 1, and win there by a ruling."""
    at = {"round": 1, "table": 1}
    entrant = hall.read("rounds/1")["tables"][0]["seats"][0]["entrant"]
    hall.direct("rulings/substitution", {**at, "entrant": entrant, "by": by, "reason": "Missed the train"})
    won = {"points": [30, 20, 10], "places": [1, 2, 3], "reason": "The lamp went out"}
    hall.direct("rulings/result", {**at, **won})
    hall.keep()
    hall.direct("rounds/current/closing")


def points(hall: Hall, entrant: int) -> str:
    people, lines = hall.read("standings")["people"], hall.read("standings")["lines"]
    return next(str(line["values"]["points"]) for line in lines if people[line["player"]]["entrant"] == entrant)


def test_a_stand_in_loses_the_bye_of_the_round(app: Flask) -> None:
    hall = started(Hall(app, [SWISS]).open(people=4))
    (bye,) = hall.read("rounds/1")["byes"]
    seated(hall, by=bye["entrant"])
    assert points(hall, bye["entrant"]) == "1000"
    assert hall.read("rounds/1")["byes"] == []
    lines = hall.read("cross-table")["lines"]
    (cell,) = next(line["rounds"] for line in lines if line["player"] == bye["player"])
    assert cell["table"] == 1
    hall.direct("stages/current/closing")
    hall.direct("closing")
    archive = hall.client.get(f"{hall.path}/archive").data
    assert verify_archive(archive, None).verdict != INVALID
    events = hall.read("events", limit=500)["events"]
    assert {event["rules"] for event in events} == {RULES}


def test_a_stand_in_of_the_reserve_has_no_bye_of_a_late_entry(app: Flask) -> None:
    hall = started(Hall(app, [SWISS], most=3).open(people=4))
    seated(hall, by=4)
    assert points(hall, 4) == "1000"


def test_the_absence_of_a_stand_in_brings_no_bye(app: Flask) -> None:
    hall = Hall(app, [SWISS]).open(people=4)
    hall.people[3].post(f"{hall.path}/entrants/4/absences", {"round": 1})
    seated(started(hall), by=4)
    assert points(hall, 4) == "1000"
